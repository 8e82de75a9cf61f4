import { existsSync } from 'node:fs';
import type { SqliteAddress } from './config/config.ts';
import { OperatorError } from './operator-error.ts';
import { adviceOnFile, reasonOf, toOperatorError } from './storage.ts';
import { StoreRefusal } from './store/refusal.ts';
import type { Backup } from './store/sqlite/backup/backup.ts';
import { type BackupFile, BackupFolder, type Rotation } from './store/sqlite/backup/folder.ts';
import { type BackupWatch, backUpInProcess } from './store/sqlite/backup/process.ts';
import { type Restored, type RestoreOptions, restore } from './store/sqlite/backup/restore.ts';
import { isFull, isReadOnly } from './store/sqlite/errors.ts';

export { MAX_KEPT } from './config/backup-settings.ts';
export type { Backup } from './store/sqlite/backup/backup.ts';
export type { CopyProgress } from './store/sqlite/backup/copy.ts';
export type { Rotation } from './store/sqlite/backup/folder.ts';
export type { Difference, Loss } from './store/sqlite/backup/loss.ts';

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
  return new OperatorError('backup-failed', `${why}${adviceOnFile(address, error, '')}`);
}
