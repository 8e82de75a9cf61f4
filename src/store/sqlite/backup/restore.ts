import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StoreRefusal } from '../../refusal.ts';
import {
  changedSchema,
  createFolder,
  isOfOther,
  open,
  openExclusive,
  openForScanning,
  type RealmEnd,
  realmEnds,
} from '../database.ts';
import { requireSpace, sizeOf } from '../disk.ts';
import { isDamaged } from '../errors.ts';
import { integrityFault } from '../integrity.ts';
import {
  copyDatabase,
  migrateFile,
  type OnCopyProgress,
  requireOwn,
  verifyFile,
} from './backup.ts';
import { Draft, removeAbandonedDrafts } from './files.ts';

export interface Restored {
  realms: RealmEnd[];
  /** How many sessions and one-time codes the backup had: the restored database has none. */
  endedSessions: number;
  /** From the replaced database, if there was one; null if it is too damaged to tell. */
  difference: Difference | null;
  /** Where the replaced database is now; null if there was none. */
  replaced: string | null;
}

export interface RestoreOptions {
  force: boolean;
  /** Completes the sentence of a refusal to overwrite. */
  describe: (difference: Difference | null) => string;
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
  const isThere = existsSync(path);
  if (isThere) refuseForeignAt(path);
  else createFolder(dirname(path));
  if (isThere && !force) {
    using current = unlessDamaged(() => openForScanning(path));
    throw new StoreRefusal('would-overwrite', describe(current && differenceTo(current, backup)));
  }
  removeAbandonedDrafts(dirname(path));
  requireSpace(dirname(path), sizeOf(backup));
  // A database that is too damaged to be opened is open in no service.
  using current = isThere ? unlessDamaged(() => openExclusive(path)) : null;
  using draft = new Draft(path);
  await copyDatabase(backup, draft.path, onProgress);
  migrateFile(draft.path);
  const { realms, fault } = await verifyFile(draft.path, onProgress);
  if (fault !== null) throw new StoreRefusal('backup-damaged', fault);
  const endedSessions = endSignIns(draft.path);
  const difference = isThere ? current && differenceTo(current, backup) : NO_DIFFERENCE;
  const replaced = isThere ? keepCurrent(current, path) : null;
  draft.publish();
  return { realms, endedSessions, difference, replaced };
}

/**
 * Ends all sessions and one-time codes: they may have ended since the backup, been used, or been
 * copied. The same goes for texts that members could still sign. Returns how many could sign in.
 */
function endSignIns(path: string): number {
  using db = open(path, '');
  db.exec('DELETE FROM challenges WHERE used_at IS NULL');
  return Number(db.prepare('DELETE FROM sessions').run().changes);
}

function checkBackup(backup: string, path: string): void {
  const [file, current] = [statSync(backup), statSync(path, { throwIfNoEntry: false })];
  if (file.ino === current?.ino && file.dev === current.dev) {
    throw new StoreRefusal('nothing-to-copy', 'it is the database itself');
  }
  const damage = integrityFault(backup);
  if (damage !== null) throw new StoreRefusal('backup-damaged', damage);
  using db = openForScanning(backup);
  const changed = changedSchema(db);
  if (changed !== null) throw new StoreRefusal('backup-damaged', changed);
  requireOwn(db);
}

/** Null if the database is too damaged for the work. */
function unlessDamaged<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (isDamaged(error)) return null;
    throw error;
  }
}

/** Nobody else's database is replaced, not even by force. */
function refuseForeignAt(path: string): void {
  unlessDamaged(() => {
    using db = openForScanning(path);
    if (isOfOther(db)) throw new Error(`${path} is a database of another program`);
  });
}

const differenceTo = (current: DatabaseSync, backup: string): Difference | null =>
  unlessDamaged(() => {
    using other = openForScanning(backup);
    return differenceBetween(current, other);
  });

/**
 * Gives the current file a second name, so that there is a database at its path at any instant. Its
 * log goes with it: SQLite would take a log beside the path for that of the restored file.
 */
function keepCurrent(db: DatabaseSync | null, path: string): string {
  const kept = `${path}.replaced-${new Date().toISOString().replaceAll(':', '-')}`;
  // Moves what the log has into the file and removes it; the lock remains.
  unlessDamaged(() => db?.exec('PRAGMA journal_mode = DELETE'));
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

/** What a database has of a realm beyond a backup. */
export interface Loss {
  realmId: string;
  records: number;
  /** The number and the instant of the first of them; null if the record itself is gone. */
  from: number;
  since: string | null;
  /** The members whose erasure is among them: in the backup they are not erased. */
  erased: string[];
  /** The keys whose revocation or rotation is among them: in the backup they are valid. */
  revokedKeys: string[];
}

/** How a database differs from a backup that is to replace it. */
export interface Difference {
  /** The records of each realm that the backup lacks. */
  lost: Loss[];
  /** The realms of the backup that the database has deleted, and not yet removed. */
  deletedRealms: string[];
  /**
   * Those that the database does not know: it may be older than the backup, or have removed them
   * without a trace.
   */
  unknownRealms: string[];
}

const NO_DIFFERENCE: Difference = { lost: [], deletedRealms: [], unknownRealms: [] };

function differenceBetween(current: DatabaseSync, backup: DatabaseSync): Difference {
  const [here, there] = [hashesOf(current), hashesOf(backup)];
  const isCommon = (realmId: string, seq: number): boolean =>
    there(realmId, seq) !== null && there(realmId, seq) === here(realmId, seq);
  const realms = realmEnds(current);
  const lossOf = lossIn(current, keysBack(current, backup));
  const lost = realms.flatMap(({ realmId, records: last }) => {
    const common = lastCommon(last, (seq) => isCommon(realmId, seq));
    return common === last ? [] : [lossOf(realmId, common + 1, last)];
  });
  // A realm may have been created anew with the id of a deleted one; a first record may be damaged.
  const isSame = ({ realmId }: RealmEnd): boolean =>
    here(realmId, 1) === null || isCommon(realmId, 1);
  const same = new Set(realms.filter(isSame).map(({ realmId }) => realmId));
  const absent = realmEnds(backup).filter(({ realmId }) => !same.has(realmId));
  const deleted = current.prepare(
    'SELECT 1 FROM realms WHERE realm_id = ? AND deleted_at IS NOT NULL',
  );
  const [deletedRealms, unknownRealms]: [string[], string[]] = [[], []];
  for (const { realmId } of absent) {
    (deleted.get(realmId) ? deletedRealms : unknownRealms).push(realmId);
  }
  return { lost, deletedRealms, unknownRealms };
}

function lossIn(current: DatabaseSync, revokedKeys: (realmId: string) => string[]) {
  const first = current.prepare('SELECT at FROM journal WHERE realm_id = ? AND seq = ?');
  const erased = current.prepare(
    `SELECT erased_id AS id FROM erasures
     WHERE realm_id = ? AND seq >= ? AND erased_id NOT LIKE 'p%' GROUP BY erased_id`,
  );
  return (realmId: string, from: number, last: number): Loss => {
    const at = first.get(realmId, from)?.at;
    return {
      realmId,
      records: last - from + 1,
      from,
      since: at === undefined ? null : new Date(Number(at)).toISOString(),
      erased: erased.all(realmId, from).map(({ id }) => String(id)),
      revokedKeys: revokedKeys(realmId),
    };
  };
}

/** The keys of a realm that are revoked or replaced, but valid by the backup. */
function keysBack(current: DatabaseSync, backup: DatabaseSync): (realmId: string) => string[] {
  const ended = current.prepare(
    `SELECT key_id FROM api_keys
     WHERE realm_id = ? AND (revoked_at IS NOT NULL OR replaced_by IS NOT NULL)`,
  );
  const valid = backup.prepare(
    `SELECT 1 FROM api_keys WHERE realm_id = ? AND key_id = ? AND revoked_at IS NULL
       AND replaced_by IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
  );
  return (realmId) =>
    ended
      .all(realmId)
      .map(({ key_id }) => String(key_id))
      .filter((keyId) => valid.get(realmId, keyId, Date.now()) !== undefined);
}

function hashesOf(db: DatabaseSync): (realmId: string, seq: number) => string | null {
  const hash = db.prepare('SELECT hex(hash) AS hash FROM journal WHERE realm_id = ? AND seq = ?');
  return (realmId, seq) => (hash.get(realmId, seq)?.hash as string | undefined) ?? null;
}

/** Journals that have one hash in common have all before it in common: a binary search finds it. */
function lastCommon(last: number, isCommon: (seq: number) => boolean): number {
  let [common, different] = [0, last + 1];
  while (different - common > 1) {
    const middle = Math.floor((common + different) / 2);
    if (isCommon(middle)) common = middle;
    else different = middle;
  }
  return common;
}
