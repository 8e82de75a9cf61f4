import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StoreRefusal } from '../../refusal.ts';
import { createFolder, openExclusive, openForScanning, refuseForeign } from '../database.ts';
import { isDamaged, isForeign } from '../errors.ts';
import { integrityFault } from '../integrity.ts';
import { requireSpace, sizeOf } from '../space.ts';
import {
  copyDatabase,
  migrateFile,
  type OnCopyProgress,
  type RealmEnd,
  requireOwn,
  verifyFile,
} from './copy.ts';
import { Draft, removeAbandonedDrafts } from './draft.ts';
import { type Difference, differenceBetween, NO_DIFFERENCE } from './loss.ts';

export interface Restored {
  realms: RealmEnd[];
  /** From the replaced database, if there was one; null if it is too damaged to tell. */
  difference: Difference | null;
  /** Where the replaced database is now; null if there was none. */
  replaced: string | null;
}

/** Completes the sentence of a refusal to overwrite. */
type Describe = (difference: Difference | null) => string;

export interface RestoreOptions {
  /** Whether an existing database may be replaced. */
  force: boolean;
  describe: Describe;
  onProgress: OnCopyProgress;
}

/**
 * Puts a backup in the place of a database, under a lock that keeps a service from starting on it.
 * The backup is checked, copied and verified before anything is replaced.
 */
export async function restore(
  backup: string,
  path: string,
  { force, describe, onProgress }: RestoreOptions,
): Promise<Restored> {
  checkBackup(backup, path);
  refuseForeignAt(path);
  if (!existsSync(path)) createFolder(dirname(path));
  else if (!force) throw new StoreRefusal('would-overwrite', describe(differenceOf(path, backup)));
  removeAbandonedDrafts(dirname(path));
  requireSpace(dirname(path), sizeOf(backup));
  using current = existsSync(path) ? lockCurrent(path) : null;
  using draft = new Draft(path);
  await copyDatabase(backup, draft.path, onProgress);
  migrateFile(draft.path);
  const { realms, fault } = await verifyFile(draft.path, onProgress);
  if (fault !== null) throw new StoreRefusal('backup-damaged', fault);
  const difference = current ? differenceTo(current.db, backup) : NO_DIFFERENCE;
  const replaced = current && keepCurrent(current.db, path);
  draft.publish();
  return { realms, difference, replaced };
}

function checkBackup(backup: string, path: string): void {
  const [file, current] = [statSync(backup), statSync(path, { throwIfNoEntry: false })];
  if (file.ino === current?.ino && file.dev === current.dev) {
    throw new StoreRefusal('nothing-to-copy', 'it is the database itself');
  }
  const damage = integrityFault(backup);
  if (damage !== null) throw new StoreRefusal('backup-damaged', damage);
  using db = openForScanning(backup);
  requireOwn(db);
}

/** Nobody else's database is replaced, not even by force. */
function refuseForeignAt(path: string): void {
  if (!existsSync(path)) return;
  try {
    using db = openForScanning(path);
    refuseForeign(db);
  } catch (error) {
    if (isForeign(error)) throw new Error(`${path} is a database of another program`);
    if (!isDamaged(error)) throw error;
  }
}

/** Null if the current database is too damaged to be opened: then no service has it open. */
function lockCurrent(path: string): Disposable & { db: DatabaseSync | null } {
  try {
    const db = openExclusive(path);
    return { db, [Symbol.dispose]: () => db.close() };
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return { db: null, [Symbol.dispose]: () => undefined };
  }
}

function differenceOf(path: string, backup: string): Difference | null {
  try {
    using current = openForScanning(path);
    return differenceTo(current, backup);
  } catch (error) {
    if (isDamaged(error)) return null;
    throw error;
  }
}

function differenceTo(current: DatabaseSync | null, backup: string): Difference | null {
  if (current === null) return null;
  using other = openForScanning(backup);
  try {
    return differenceBetween(current, other);
  } catch (error) {
    if (isDamaged(error)) return null;
    throw error;
  }
}

/**
 * Gives the current file a second name, so that there is a database at its path at any instant. Its
 * log goes with it: SQLite would take a log beside the path for that of the restored file.
 */
function keepCurrent(db: DatabaseSync | null, path: string): string {
  const kept = `${path}.replaced-${new Date().toISOString().replaceAll(':', '-')}`;
  try {
    // Moves what the log has into the file and removes it; the lock remains.
    db?.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  try {
    linkSync(path, kept);
  } catch {
    // Some file systems have no hard links.
    copyFileSync(path, kept);
  }
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${kept}-wal`);
  rmSync(`${path}-shm`, { force: true });
  return kept;
}
