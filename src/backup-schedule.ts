import type { Logger } from 'pino';
import { backUpInto, isOverdue, lastBackup } from './backups.ts';
import type { Config, SqliteAddress } from './config/config.ts';
import type { BackupStatus, Status } from './http/services.ts';

const CHECK_MS = 60_000;
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

/** Makes backups periodically, and warns when there has been none for too long. */
class BackupSchedule {
  readonly everyMs: number;
  readonly status: BackupStatus = { at: null, bytes: null, durationMs: null, failures: 0 };
  readonly #parts: Scheduling;
  readonly #startedAt = Date.now();
  #retryAt = 0;
  #warnedAt = 0;

  constructor(parts: Scheduling) {
    this.#parts = parts;
    this.everyMs = Math.min(parts.plan.everyMs, CHECK_MS);
    this.#findLast();
  }

  /** Backs up if it is time to. To be called every `everyMs`. */
  async run(signal: AbortSignal): Promise<void> {
    const { plan } = this.#parts;
    const now = Date.now();
    this.#warnIfOld(now);
    if (now < Math.max((this.status.at ?? 0) + plan.everyMs, this.#retryAt)) return;
    await this.#backUp(signal).catch((error: Error) => {
      if (signal.aborted) return;
      this.status.failures += 1;
      this.#retryAt = now + Math.min(RETRY_MS, plan.everyMs);
      this.#parts.logger.warn({ reason: error.message }, 'the backup failed; will retry');
    });
  }

  async #backUp(signal: AbortSignal): Promise<void> {
    const { database, plan, logger } = this.#parts;
    const startedAt = performance.now();
    const { path, at, bytes } = await backUpInto(plan, database, { signal });
    const durationMs = performance.now() - startedAt;
    Object.assign(this.status, { at, bytes, durationMs });
    logger.info({ path, bytes, ms: Math.round(durationMs) }, 'backed up');
  }

  /** A restart does not make the last backup younger. */
  #findLast(): void {
    const { plan, database, logger } = this.#parts;
    try {
      const last = lastBackup(plan.folder, database);
      if (last) Object.assign(this.status, { at: last.at, bytes: last.bytes });
    } catch (error) {
      logger.warn({ reason: (error as Error).message }, 'the folder of backups cannot be read');
    }
  }

  #warnIfOld(now: number): void {
    const { plan, logger } = this.#parts;
    const { at } = this.status;
    const isOld = isOverdue(now - (at ?? this.#startedAt), plan.everyMs);
    if (!isOld || now - this.#warnedAt < plan.everyMs) return;
    this.#warnedAt = now;
    const lastAt = at === null ? null : new Date(at).toISOString();
    logger.warn({ lastAt, folder: plan.folder }, 'the last backup is too old');
  }
}
