import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Config, SqliteAddress } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { Status } from '../http/services.ts';
import { StoreRefusal } from '../store/refusal.ts';
import { type Backup, type BackupWatch, backUpInProcess } from '../store/sqlite/backup/backup.ts';
import { type BackupFile, BackupFolder, type Rotation } from '../store/sqlite/backup/files.ts';
import { type Restored, type RestoreOptions, restore } from '../store/sqlite/backup/restore.ts';
import { isFull, isReadOnly } from '../store/sqlite/errors.ts';
import { adviceOnFile, reasonOf, toOperatorError } from './storage.ts';

export type { Backup, CopyProgress } from '../store/sqlite/backup/backup.ts';
export type { Rotation } from '../store/sqlite/backup/files.ts';
export type { Difference, Loss } from '../store/sqlite/backup/restore.ts';

/** Intervals without a backup after which the last one is too old. */
const TOLERATED = 2;

export const isOverdue = (ageMs: number, everyMs: number): boolean => ageMs > TOLERATED * everyMs;

/** Backs up a SQLite database to a file that does not exist yet. */
export async function backUpTo(
  file: string,
  database: SqliteAddress,
  watch: BackupWatch,
): Promise<Backup> {
  if (!existsSync(database.path)) {
    const sentence = `There is no database ${database.shown}. Check ${database.name}.`;
    throw new OperatorError('database-unusable', sentence);
  }
  try {
    return await backUpInProcess(database.path, file, watch);
  } catch (error) {
    if (watch.signal?.aborted) {
      throw new OperatorError('interrupted', `Interrupted: nothing was written to ${file}.`);
    }
    const isOfDatabase = error instanceof StoreRefusal && error.reason === 'database-newer';
    const subject = isOfDatabase ? database : fileAddress(file);
    throw failure(subject, `The backup to ${file} failed`, error);
  }
}

export const NO_ROTATION: Rotation = { removed: [], fault: null };

/** Backs up to a new file in a folder; then deletes all but the newest `keep` there. */
export async function backUpInto(
  { folder, keep }: { folder: string; keep: number | null },
  database: SqliteAddress,
  watch: BackupWatch,
): Promise<Backup & { at: number; rotation: Rotation }> {
  const at = Date.now();
  const backups = new BackupFolder(folder, database.path);
  const backup = await backUpTo(backups.pathAt(at), database, watch);
  const rotation = keep === null ? NO_ROTATION : backups.rotate(keep, backup.path);
  return { ...backup, at, rotation };
}

/** The newest backup in a folder; null if there is none. From the future only if all are. */
export const lastBackup = (
  folder: string,
  database: SqliteAddress,
  now: number,
): BackupFile | null => new BackupFolder(folder, database.path).list(now)[0] ?? null;

/** Puts a backup in the place of the database, which nothing may have open. */
export async function restoreBackup(
  file: string,
  database: SqliteAddress,
  options: RestoreOptions,
): Promise<Restored> {
  if (!existsSync(file)) {
    throw new OperatorError('backup-failed', `There is no file ${file}. Check the path.`);
  }
  try {
    return await restore(file, database.path, options);
  } catch (error) {
    const subject = isOfTarget(error) ? database : fileAddress(file);
    throw failure(subject, `The backup ${file} was not restored`, error);
  }
}

/** Whether a restore failed because of the place that it writes to, not because of the backup. */
const isOfTarget = (error: unknown): boolean =>
  error instanceof StoreRefusal
    ? /^(would-overwrite|database-in-use|no-space)$/.test(error.reason)
    : isFull(error) || isReadOnly(error);

const fileAddress = (path: string): SqliteAddress => ({
  kind: 'sqlite',
  path,
  shown: path,
  name: 'the path',
});

function failure(address: SqliteAddress, sentence: string, error: unknown): OperatorError {
  if (error instanceof StoreRefusal) return toOperatorError(address, error);
  const why = `${sentence}: ${reasonOf(error)}.`;
  return new OperatorError('backup-failed', `${why}${adviceOnFile(address, error)}`);
}

/** How often the age of the last backup is looked at. */
const CHECK_MS = 1_000;
/** Not at once: a start has other things to read. */
const FIRST_MS = 30_000;
/** After a failure, if the next backup is not due sooner. */
const RETRY_MS = 10 * 60_000;

/**
 * The schedule that the settings ask for, whose state the service's status then shows. It warns
 * when there has been no backup for too long. Only the age of a backup goes by the time of day,
 * which may be set. `run` is to be called after `firstMs`, and then every `everyMs`.
 */
export function scheduleBackups({ database, backups }: Config, status: Status, logger: Logger) {
  const { folder, everyMs, keep } = backups;
  if (folder === null || database.kind !== 'sqlite') return null;
  const startedAt = performance.now();
  const checkMs = Math.min(everyMs, CHECK_MS);
  let retryAt = Number.NEGATIVE_INFINITY;
  let warnedAt = Number.NEGATIVE_INFINITY;
  const last = { ...lastStatus(folder, database, logger), overdueMs: TOLERATED * everyMs };
  status.backup = last;
  const run = async (signal: AbortSignal): Promise<void> => {
    const now = performance.now();
    // Nobody knows how old one from the future is.
    const ageMs = last.at === null || last.at > Date.now() ? null : Date.now() - last.at;
    if (isOverdue(ageMs ?? now - startedAt, everyMs) && now - warnedAt >= everyMs) {
      warnedAt = now;
      const lastAt = last.at === null ? null : new Date(last.at).toISOString();
      logger.warn({ lastAt, folder }, 'the last backup is too old');
    }
    // By the nearest call: timers are a little early or late, and that must not add up.
    const isDue = ageMs === null || ageMs >= everyMs - checkMs / 2;
    if (!isDue || now < retryAt) return;
    try {
      const { path, at, bytes, rotation } = await backUpInto({ folder, keep }, database, {
        signal,
      });
      const durationMs = performance.now() - now;
      Object.assign(last, { at, bytes, durationMs });
      logger.info({ path, bytes, ms: Math.round(durationMs) }, 'backed up');
      if (rotation.fault === null) return;
      logger.warn({ reason: rotation.fault }, 'old backups could not be deleted; they take space');
    } catch (error) {
      if (signal.aborted) return;
      last.failures += 1;
      retryAt = performance.now() + Math.min(RETRY_MS, everyMs);
      logger.warn({ reason: (error as Error).message }, 'the backup failed; will retry');
    }
  };
  return { everyMs: checkMs, firstMs: Math.min(everyMs, FIRST_MS), status: last, run };
}

/** A restart does not make the last backup younger. */
function lastStatus(folder: string, database: SqliteAddress, logger: Logger) {
  const none = { at: null, bytes: null, durationMs: null, failures: 0 };
  try {
    const { at = null, bytes = null } = lastBackup(folder, database, Date.now()) ?? {};
    return { ...none, at, bytes };
  } catch (error) {
    logger.warn({ reason: (error as Error).message }, 'the folder of backups cannot be read');
    return none;
  }
}
