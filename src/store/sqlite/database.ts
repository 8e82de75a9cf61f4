import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Unavailable } from '../../engine/errors.ts';
import { StoreRefusal } from '../refusal.ts';
import { migrations } from './migrations.ts';

/** From the very first statement: even turning on WAL needs the lock for a moment. */
export const LOCK_TIMEOUT_MS = 5_000;
/** A file that nobody uses is free at once; a command that just looks at it ends in a moment. */
const ALONE_TIMEOUT_MS = 1_000;
const [SQLITE_BUSY, SQLITE_CANTOPEN, SQLITE_NOTADB] = [5, 14, 26];

/**
 * Opens the file for writing. `FULL` is one fsync for each commit: acknowledged means durable. The
 * log grows to 64,000 pages (256 MB) before they are moved into the file: pages that change again
 * and again are moved once, and under full load that happens every few seconds, not every one,
 * which was worth 7 % of the transfers. The cache is small because SQLite looks through all of it
 * at the end of nearly every batch: a page that is split moves over a number beyond the file's end,
 * and what is beyond the end is dropped. With 64 MB that took a tenth of this thread's time; a page
 * that is not in the cache is in the system's.
 */
export function openForWriting(path: string): DatabaseSync {
  if (path !== ':memory:') {
    makeFolder(dirname(path));
    makeFile(path);
  }
  const db = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 64000;
    PRAGMA cache_size = -8192;
    PRAGMA temp_store = MEMORY;
  `);
  return db;
}

/** One by one: asked for all at once, Node never returns where a file system takes none. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts now may have been faster.
    if (!existsSync(path)) throw error;
  }
}

/**
 * A new file is for the user of the service alone, whatever folder it lies in: SQLite itself would
 * let everybody read it. Its log takes the mode of the file; a file that is there keeps its own.
 */
export function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there already. Or it can't be made: SQLite tells why when it opens it.
  }
}

/** Opens the file for reading beside a writer: it sees the last commit and waits for nobody. */
export function openForReading(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  db.exec(`
    PRAGMA query_only = ON;
    PRAGMA cache_size = -65536;
    PRAGMA mmap_size = 1073741824;
  `);
  return db;
}

/** Takes the steps that this file has not taken yet; answers how many those were. */
export function migrate(db: DatabaseSync): number {
  return transaction(db, () => {
    const taken = schemaVersion(db);
    if (taken > migrations.length) {
      throw new Error(
        `the database is of a newer version (${taken}) than this program (${migrations.length})`,
      );
    }
    const steps = migrations.slice(taken);
    for (const step of steps) db.exec(step);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
    return steps.length;
  });
}

export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}

/** Runs the work in one write transaction. `IMMEDIATE` takes the lock before the first read. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  unlessBusy(() => db.exec('BEGIN IMMEDIATE'));
  return untilCommit(db, work);
}

/** The rest of a transaction that has begun. */
export function untilCommit<T>(db: DatabaseSync, work: () => T): T {
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A failed COMMIT may already have ended the transaction.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Another process that keeps the lock too long is no fault of the caller's: try again later. */
export function unlessBusy<T>(takeLock: () => T): T {
  try {
    return takeLock();
  } catch (error) {
    throw isBusy(error)
      ? new Unavailable('overloaded', 'another process holds the database')
      : error;
  }
}

/** The lowest byte of an extended code is the code. */
const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) % 256;

const isBusy = (error: unknown): boolean => codeOf(error) === SQLITE_BUSY;

/** Whether the path leads to no database, or to no place where one could be. */
export function isPathError(error: unknown): boolean {
  if ([SQLITE_CANTOPEN, SQLITE_NOTADB].includes(codeOf(error))) return true;
  return /^E(ACCES|PERM|NOENT|NOTDIR|ISDIR|ROFS)$/.test(String((error as { code?: unknown }).code));
}

/**
 * Opens a file that is there so that nobody else has it open until it is closed again. Whoever has
 * the books open keeps a shared lock on the file, also while it does nothing; the first read here
 * asks for an exclusive one.
 */
export function openAlone(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: ALONE_TIMEOUT_MS });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536');
    // An empty file stays as it is; one without a log is locked by a transaction alone.
    if (schemaVersion(db) > 0) db.exec('BEGIN EXCLUSIVE; COMMIT');
    return db;
  } catch (error) {
    db.close();
    if (!isBusy(error)) throw error;
    const message = 'another process has it open. Stop the service first';
    throw new StoreRefusal('database-in-use', message, { cause: error });
  }
}

type Sql = string | number | null | Uint8Array;

/** A prepared statement whose rows have a known shape; the casts of the driver end here. */
export interface Statement<Row, Args extends Sql[]> {
  get(...args: Args): Row | undefined;
  all(...args: Args): Row[];
  run(...args: Args): { changes: number };
}

export function prepare<Row, Args extends Sql[]>(
  db: DatabaseSync,
  sql: string,
): Statement<Row, Args> {
  const statement: StatementSync = db.prepare(sql);
  return {
    get: (...args) => statement.get(...args) as Row | undefined,
    all: (...args) => statement.all(...args) as Row[],
    run: (...args) => ({ changes: Number(statement.run(...args).changes) }),
  };
}
