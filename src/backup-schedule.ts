import type { Logger } from 'pino';
import { backUpInto, isOverdue, lastBackup } from './backups.ts';
import type { Config, SqliteAddress } from './config/config.ts';
import type { BackupStatus, Status } from './http/services.ts';

/** How often the age of the last backup is looked at. */
const CHECK_MS = 1_000;
/** Not at once: a start has other things to read. */
const FIRST_MS = 30_000;
/** After a failure, if the next backup is not due sooner. */
const RETRY_MS = 10 * 60_000;

interface Scheduling {
  database: SqliteAddress;
  plan: { folder: string; everyMs: number; keep: number };
  logger: Logger;
}

/** The schedule that the settings ask for, whose state the service's status then shows. */
export function scheduleBackups(
  { database, backups }: Config,
  status: Status,
  logger: Logger,
): BackupSchedule | null {
  const { folder } = backups;
  if (folder === null || database.kind !== 'sqlite') return null;
  const schedule = new BackupSchedule({ database, plan: { ...backups, folder }, logger });
  status.backup = schedule.status;
  return schedule;
}

/**
 * Makes backups periodically, and warns when there has been none for too long. Only the age of a
 * backup goes by the time of day, which may be set.
 */
class BackupSchedule {
  readonly everyMs: number;
  readonly firstMs: number;
  readonly status: BackupStatus = { at: null, bytes: null, durationMs: null, failures: 0 };
  readonly #parts: Scheduling;
  readonly #startedAt = performance.now();
  #retryAt = Number.NEGATIVE_INFINITY;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Scheduling) {
    this.#parts = parts;
    this.everyMs = Math.min(parts.plan.everyMs, CHECK_MS);
    this.firstMs = Math.min(parts.plan.everyMs, FIRST_MS);
    this.#findLast();
  }

  /** Backs up if it is time to. To be called after `firstMs`, and then every `everyMs`. */
  async run(signal: AbortSignal): Promise<void> {
    const { plan } = this.#parts;
    const now = performance.now();
    const ageMs = this.#ageOfLast();
    this.#warnIfOld(now, ageMs ?? now - this.#startedAt);
    // By the nearest call: timers are a little early or late, and that must not add up.
    const isDue = ageMs === null || ageMs >= plan.everyMs - this.everyMs / 2;
    if (!isDue || now < this.#retryAt) return;
    await this.#backUp(signal).catch((error: Error) => {
      if (signal.aborted) return;
      this.status.failures += 1;
      this.#retryAt = performance.now() + Math.min(RETRY_MS, plan.everyMs);
      this.#parts.logger.warn({ reason: error.message }, 'the backup failed; will retry');
    });
  }

  async #backUp(signal: AbortSignal): Promise<void> {
    const { database, plan, logger } = this.#parts;
    const startedAt = performance.now();
    const { path, at, bytes, rotation } = await backUpInto(plan, database, { signal });
    const durationMs = performance.now() - startedAt;
    Object.assign(this.status, { at, bytes, durationMs });
    logger.info({ path, bytes, ms: Math.round(durationMs) }, 'backed up');
    if (rotation.fault === null) return;
    logger.warn({ reason: rotation.fault }, 'old backups could not be deleted; they take space');
  }

  /** A restart does not make the last backup younger. */
  #findLast(): void {
    const { plan, database, logger } = this.#parts;
    try {
      const last = lastBackup(plan.folder, database, Date.now());
      if (last) Object.assign(this.status, { at: last.at, bytes: last.bytes });
    } catch (error) {
      logger.warn({ reason: (error as Error).message }, 'the folder of backups cannot be read');
    }
  }

  /** Null if there is none, or if it is from the future: nobody knows how old that one is. */
  #ageOfLast(): number | null {
    const { at } = this.status;
    const ageMs = at === null ? null : Date.now() - at;
    if (ageMs === null || ageMs >= 0) return ageMs;
    this.#parts.logger.warn(this.#last(), 'the last backup is from the future; making another');
    this.status.at = null;
    return null;
  }

  #warnIfOld(now: number, ageMs: number): void {
    const { everyMs } = this.#parts.plan;
    if (!isOverdue(ageMs, everyMs) || now - this.#warnedAt < everyMs) return;
    this.#warnedAt = now;
    this.#parts.logger.warn(this.#last(), 'the last backup is too old');
  }

  #last(): { lastAt: string | null; folder: string } {
    const { at } = this.status;
    const lastAt = at === null ? null : new Date(at).toISOString();
    return { lastAt, folder: this.#parts.plan.folder };
  }
}
