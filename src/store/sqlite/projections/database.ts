import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile, LOCK_TIMEOUT_MS, transaction } from '../database.ts';

/** Counts up whenever the tables below change: a file of another version is made anew. */
const VERSION = 1;
const [SQLITE_CORRUPT, SQLITE_CONSTRAINT, SQLITE_NOTADB] = [11, 19, 26];
const DAMAGES = [SQLITE_CORRUPT, SQLITE_CONSTRAINT, SQLITE_NOTADB];

/**
 * What statements and boards are read from. All of it follows from the journal, so it lies in a
 * file of its own, which is no part of the books: it can be lost or deleted and makes itself anew.
 * Realms and boards have short numbers here, since their names would be most of every row.
 */
export const PROJECTION_TABLES = `
  -- How far a realm's journal was followed, and the hash of that record: another hash there means
  -- other books. And up to which member everybody was put on the board of a new kind of points.
  CREATE TABLE projection_positions (
    realm INTEGER PRIMARY KEY AUTOINCREMENT,
    realm_id TEXT NOT NULL UNIQUE,
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    entered_to INTEGER NOT NULL
  ) STRICT;

  -- A kind of points, for all time (the balance) or for a day, a week or a month (what was earned
  -- in it). Numbers are not used again: one of a dropped board means nothing.
  CREATE TABLE boards (
    board INTEGER PRIMARY KEY AUTOINCREMENT,
    realm INTEGER NOT NULL,
    name TEXT NOT NULL,
    ends_at INTEGER,
    UNIQUE (realm, name)
  ) STRICT;
  CREATE INDEX boards_by_end ON boards (ends_at) WHERE ends_at IS NOT NULL;

  -- The movements of a kind of points by member: statements and balances of the past. The kind is
  -- told by its board of all time.
  CREATE TABLE entries (
    board INTEGER NOT NULL,
    member_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    balance INTEGER NOT NULL,
    PRIMARY KEY (board, member_id, seq)
  ) STRICT, WITHOUT ROWID;

  -- The same movements by kind and type: the realm's transactions.
  CREATE TABLE movements (
    board INTEGER NOT NULL,
    type TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (board, type, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE standings (
    board INTEGER NOT NULL,
    member_id INTEGER NOT NULL,
    score INTEGER NOT NULL,
    PRIMARY KEY (board, member_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX standings_by_score ON standings (board, score DESC, member_id);

  -- How many members of a board have a score from \`lower\` up to the next bucket: a rank is a sum
  -- over buckets and a count within one, never a scan of the realm.
  CREATE TABLE rank_buckets (
    board INTEGER NOT NULL,
    lower INTEGER NOT NULL,
    count INTEGER NOT NULL,
    split_at INTEGER NOT NULL,
    PRIMARY KEY (board, lower)
  ) STRICT, WITHOUT ROWID;
`;

export const projectionsPath = (booksPath: string): string => `${booksPath}-projections`;

/**
 * Opens the projections with the books beside them, whose tables are found by their names as well.
 */
export function openProjections(booksPath: string): DatabaseSync {
  const db = openFile(projectionsPath(booksPath));
  db.prepare('ATTACH ? AS books').run(booksPath);
  db.exec('PRAGMA mmap_size = 1073741824; PRAGMA books.cache_size = -32768');
  return db;
}

function openFile(path: string): DatabaseSync {
  try {
    return openOrMake(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeFiles(path);
    return openOrMake(path);
  }
}

/** Thrown where the projections contradict themselves. */
export class DamagedProjections extends Error {}

/** Whether the error tells that the file is not as we would have written it. */
export function isDamage(error: unknown): boolean {
  // The lowest byte of an extended code is the code.
  const code = ((error as { errcode?: number }).errcode ?? 0) % 256;
  return error instanceof DamagedProjections || DAMAGES.includes(code);
}

/** The projections of these books are gone; whoever still has them open keeps what it has. */
export const removeProjections = (booksPath: string): void =>
  removeFiles(projectionsPath(booksPath));

function removeFiles(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}

/** `NORMAL` waits for no disk: what a power failure takes is followed again. */
function openOrMake(path: string): DatabaseSync {
  createPrivateFile(path);
  const db = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA cache_size = -65536;
    `);
    transaction(db, () => makeTables(db));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function makeTables(db: DatabaseSync): void {
  if (Number(db.prepare('PRAGMA user_version').get()?.user_version) === VERSION) return;
  const old = db.prepare(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  );
  for (const { name } of old.all()) db.exec(`DROP TABLE "${name}"`);
  db.exec(PROJECTION_TABLES);
  db.exec(`PRAGMA user_version = ${VERSION}`);
}
