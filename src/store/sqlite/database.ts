import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqlite } from '../dialect.ts';
import { refuseNewer, StoreRefusal } from '../refusal.ts';
import { migrationsFor } from '../schema.ts';
import { requireSpace, sizeOf } from './disk.ts';
import { transaction } from './driver.ts';
import { foreignDatabase, isBusy } from './errors.ts';
import { schemaFault } from './own-schema.ts';

/** In order; `user_version` is the number of those applied. */
export const migrations = migrationsFor(sqlite);

/** Set when a file is opened: even switching to WAL takes the lock for a moment. */
const LOCK_TIMEOUT_MS = 5_000;
/** Enough for a command that only reads the file to end. */
const EXCLUSIVE_TIMEOUT_MS = 1_000;

/** Opens a file and sets it up; closes it again if that fails. */
export function open(
  path: string,
  pragmas: string,
  setUp?: (db: DatabaseSync) => void,
  timeout = LOCK_TIMEOUT_MS,
): DatabaseSync {
  const db = new DatabaseSync(path, { timeout });
  try {
    db.exec(pragmas);
    setUp?.(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens the file for writing, and creates it if it is missing. `FULL` means one fsync per commit:
 * acknowledged means durable. The cache of 32 MB has the last pages of a thousand busy realms: with
 * 8 MB, their transfers take a tenth more time. More saves nothing; the system caches the rest.
 * Temporary tables have texts of members, which must not get to a disk where nobody erases them.
 */
export function openForWriting(path: string): DatabaseSync {
  if (path !== ':memory:') {
    createFolder(dirname(path));
    createPrivateFile(path);
    refuseUnwritable(path);
  }
  const pragmas = `
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA cache_size = -32768;
    PRAGMA temp_store = MEMORY;
  `;
  // Checked first, because switching to WAL changes the file.
  return open(path, '', (db) => {
    refuseForeign(db);
    db.exec(pragmas);
  });
}

/** SQLite would open a file that it cannot write, and fail at the first write. */
export function refuseUnwritable(path: string): void {
  if (!existsSync(path)) return;
  const file = realpathSync(path);
  for (const place of [file, dirname(file)]) accessSync(place, constants.W_OK);
}

/** Whether it is of another program. An empty file is nobody's yet. */
export function isOfOther(db: DatabaseSync): boolean {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = new Set(tables.map(({ name }) => name));
  const isOwn = schemaVersion(db) > 0 && names.has('realms') && names.has('journal');
  return names.size > 0 && !isOwn;
}

/** Refuses a database of another program, or one whose schema somebody has changed. */
export function refuseForeign(db: DatabaseSync): void {
  if (isOfOther(db)) throw foreignDatabase();
  const fault = changedSchema(db);
  if (fault !== null) throw new StoreRefusal('database-damaged', fault);
}

/** What of its schema is not as its migrations have made it; null if this program knows fewer. */
export function changedSchema(db: DatabaseSync): string | null {
  const version = schemaVersion(db);
  if (version > migrations.length || isOfOther(db)) return null;
  return schemaFault(db, migrations.slice(0, version));
}

/** Refuses a file of another program or of a later one, before anything is done to it. */
export function refuseUnknown(path: string): void {
  if (!existsSync(path)) return;
  using db = openForScanning(path);
  refuseForeign(db);
  refuseNewer(schemaVersion(db), migrations.length);
}

/** One level at a time: a recursive mkdir never returns if the file system refuses it. */
export function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another starting process may have created it.
    if (!existsSync(path)) throw error;
  }
}

/**
 * Creates the file readable by its owner only; SQLite itself would let everyone read it. SQLite
 * gives the log the mode of the file. An existing file keeps its mode.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Opens the file for reading. Readers see the last commit and never wait for the writer. */
export const openForReading = (path: string): DatabaseSync =>
  open(path, 'PRAGMA query_only = ON; PRAGMA cache_size = -16384; PRAGMA mmap_size = 1073741824');

/**
 * Opens the file to read all of it once. A large cache would not help, and every page of a memory
 * map that was read counts as memory of the process.
 */
export const openForScanning = (path: string): DatabaseSync =>
  open(path, 'PRAGMA query_only = ON; PRAGMA cache_size = -8192');

/**
 * Opens an existing file and leaves it as it is. A connection that may write would, when it is the
 * last to be closed, move the log of a service that crashed into the file; but where there is no
 * log, one that may not write would leave an empty one behind.
 */
export const openReadOnly = (path: string): DatabaseSync =>
  existsSync(`${path}-wal`)
    ? new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT_MS })
    : openForScanning(path);

/** Applies the missing migrations, each in its own transaction; returns how many were missing. */
export function migrate(db: DatabaseSync, all = migrations): number {
  let applied = 0;
  while (applyNext(db, all)) applied += 1;
  return applied;
}

/** The version is read under the lock: another process may be migrating the file as well. */
function applyNext(db: DatabaseSync, all: readonly string[]): boolean {
  return transaction(db, () => {
    const version = schemaVersion(db);
    refuseNewer(version, all.length);
    const next = all[version];
    // Nothing is written if nothing is missing: a start needs no space.
    if (next === undefined) return false;
    db.exec(next);
    db.exec(`PRAGMA user_version = ${version + 1}`);
    return true;
  });
}

export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}

export interface RealmEnd {
  realmId: string;
  records: number;
  head: string;
}

export function realmEnds(db: DatabaseSync): RealmEnd[] {
  const realms = db.prepare(
    `SELECT realm_id AS realmId, seq AS records, lower(hex(head)) AS head FROM realms
     WHERE deleted_at IS NULL`,
  );
  return realms.all() as unknown as RealmEnd[];
}

/**
 * Opens an existing file and keeps every other process out until it is closed. A process that has
 * the file open holds a shared lock on it even when idle, so the first read here, which
 * takes an exclusive lock, fails while there is one.
 */
export function openExclusive(path: string): DatabaseSync {
  const pragmas = 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536';
  // A file without a log is locked only by a transaction. An empty file is left unchanged.
  const lock = (db: DatabaseSync): void => {
    if (schemaVersion(db) > 0) db.exec('BEGIN EXCLUSIVE; COMMIT');
  };
  try {
    return open(path, pragmas, lock, EXCLUSIVE_TIMEOUT_MS);
  } catch (error) {
    if (!isBusy(error)) throw error;
    const message = 'another process has it open. Stop the service first';
    throw new StoreRefusal('database-in-use', message, { cause: error });
  }
}

/**
 * Claims the file for a service, until that is closed or the process ends, however it ends. Other
 * programs may read and write the file: what is locked is an empty one beside it.
 */
export function claim(path: string): DatabaseSync {
  createFolder(dirname(path));
  refuseUnwritable(path);
  const lock = `${existsSync(path) ? realpathSync(path) : path}-lock`;
  createPrivateFile(lock);
  try {
    // Kept in memory, the transaction needs no space on a full disk.
    const pragmas = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE';
    return open(lock, pragmas, undefined, EXCLUSIVE_TIMEOUT_MS);
  } catch (error) {
    if (!isBusy(error)) throw error;
    const message = 'another service runs on it. Stop that one; several need PostgreSQL';
    throw new StoreRefusal('database-in-use', message, { cause: error });
  }
}

/** Writers that are faster than this let the rewriting begin. */
const VACUUM_TIMEOUT_MS = 30_000;

/**
 * Writes the file anew, without what deleted and changed rows leave behind, and empties its log.
 * Works while a service runs, whose writes wait meanwhile. Returns the size of the file.
 */
export function vacuum(path: string): number {
  const folder = dirname(resolve(path));
  // Once in a temporary file, and once more in the log.
  requireSpace(folder, 2 * sizeOf(path));
  using db = open(path, '', undefined, VACUUM_TIMEOUT_MS);
  try {
    // In a container, the usual folder for temporary files is in memory.
    db.exec(`PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}'; VACUUM`);
    emptyLog(db);
  } catch (error) {
    throw isBusy(error) ? inUse(error) : error;
  }
  return statSync(path).size;
}

/** Everything was written to the log first; before it lie the old pages. */
function emptyLog(db: DatabaseSync): void {
  const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
  if (busy === 1) throw inUse();
}

const inUse = (cause?: unknown): StoreRefusal =>
  new StoreRefusal('database-in-use', 'another process uses it without a pause. Try again', {
    cause,
  });
