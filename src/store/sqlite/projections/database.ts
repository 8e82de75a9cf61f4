import { existsSync, rmSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { createPrivateFile, open, openReadOnly, schemaVersion, transaction } from '../database.ts';
import { isDamaged } from '../errors.ts';
import { limitLog } from '../log-limit.ts';

/** Changes with the tables below: a file of another version is rebuilt. */
const VERSION = 4;
/** 16 MB, where space does not matter. */
const LOG_PAGES = 4_000;

/** The least time between two rebuilds because of damage: what returns sooner is not theirs. */
export const REBUILD_INTERVAL_MS = 10 * 60_000;

/**
 * Statements, leaderboards and searches are read from these tables. They derive from the journal,
 * so they have a file apart from the main one: it can be lost or deleted, and is rebuilt. Realms
 * and leaderboards have short numbers here: their names would make up most of every row.
 */
export const PROJECTION_TABLES = `
  -- How far a realm's journal is projected, and the hash of that record: if the journal has another
  -- hash there, these are other books. While the members are enrolled on the leaderboard of a new
  -- point kind, enrolled_to is the last one that is.
  CREATE TABLE projection_positions (
    realm_no INTEGER PRIMARY KEY AUTOINCREMENT,
    realm_id TEXT NOT NULL UNIQUE,
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    enrolled_to INTEGER NOT NULL
  ) STRICT;

  -- A point kind, all time (by balance) or in a day, a week or a month (by points earned in it).
  -- Numbers are not reused, so that a stale one matches nothing.
  CREATE TABLE leaderboards (
    leaderboard_no INTEGER PRIMARY KEY AUTOINCREMENT,
    realm_no INTEGER NOT NULL,
    name TEXT NOT NULL,
    ends_at INTEGER,
    UNIQUE (realm_no, name)
  ) STRICT;
  CREATE INDEX leaderboards_by_end ON leaderboards (ends_at) WHERE ends_at IS NOT NULL;

  -- Movements of points by member: statements and past balances. The all-time leaderboard stands
  -- for the point kind.
  CREATE TABLE entries (
    leaderboard_no INTEGER NOT NULL,
    member_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    balance INTEGER NOT NULL,
    PRIMARY KEY (leaderboard_no, member_id, seq)
  ) STRICT, WITHOUT ROWID;

  -- The same movements by type: the realm's transactions.
  CREATE TABLE movements (
    leaderboard_no INTEGER NOT NULL,
    type TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (leaderboard_no, type, seq)
  ) STRICT, WITHOUT ROWID;

  -- The words of the names of members, for searches by the beginning of a word, each with the
  -- member's other words, which the other terms of a search are compared with.
  CREATE TABLE member_words (
    realm_no INTEGER NOT NULL,
    word TEXT NOT NULL,
    member_id INTEGER NOT NULL,
    others TEXT NOT NULL,
    PRIMARY KEY (realm_no, word, member_id)
  ) STRICT, WITHOUT ROWID;

  -- The same words by member and name, separated by spaces: what a change of a name removes.
  CREATE TABLE member_names (
    realm_no INTEGER NOT NULL,
    member_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    display_name TEXT NOT NULL,
    PRIMARY KEY (realm_no, member_id)
  ) STRICT, WITHOUT ROWID;

  -- What happened in each day in UTC: one row that counts the records, and one for each kind of
  -- points. The rows of day -1 add up all days. Sums are digits, since they may exceed 64 bits.
  CREATE TABLE daily_totals (
    realm_no INTEGER NOT NULL,
    day INTEGER NOT NULL,
    realm_point_id TEXT NOT NULL,
    records INTEGER NOT NULL,
    issued TEXT NOT NULL,
    spent TEXT NOT NULL,
    opened TEXT NOT NULL,
    held TEXT NOT NULL,
    PRIMARY KEY (realm_no, day, realm_point_id)
  ) STRICT, WITHOUT ROWID;

  -- When the member's points last moved is on the all-time leaderboard of the point kind only: a
  -- debit does not change what was earned in a day, a week or a month, and need not write it.
  CREATE TABLE standings (
    leaderboard_no INTEGER NOT NULL,
    member_id INTEGER NOT NULL,
    score INTEGER NOT NULL,
    moved_at INTEGER,
    PRIMARY KEY (leaderboard_no, member_id)
  ) STRICT, WITHOUT ROWID;
  -- With everything that a page reads of its rows.
  CREATE INDEX standings_by_score ON standings (leaderboard_no, score DESC, member_id, moved_at);

  -- How many members of a leaderboard have a score from \`lower\` up to the next bucket: a rank is
  -- a sum over buckets and a count within one, never a scan of the realm.
  CREATE TABLE rank_buckets (
    leaderboard_no INTEGER NOT NULL,
    lower INTEGER NOT NULL,
    count INTEGER NOT NULL,
    split_at INTEGER NOT NULL,
    PRIMARY KEY (leaderboard_no, lower)
  ) STRICT, WITHOUT ROWID;
`;

export const projectionsPath = (mainPath: string): string => `${mainPath}-projections`;

/** Opens the projections with the main database file attached, whose tables need no prefix. */
export function openProjections(mainPath: string): DatabaseSync {
  const db = openOrRebuild(mainPath);
  db.prepare('ATTACH ? AS books').run(mainPath);
  limitLog(db, projectionsPath(mainPath), LOG_PAGES);
  db.exec('PRAGMA mmap_size = 1073741824; PRAGMA books.cache_size = -8192');
  return db;
}

/** Removes the projections; connections that have them open keep what they have. */
export function removeProjections(mainPath: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(projectionsPath(mainPath) + end, { force: true });
}

/** Whether the next start has to project everything anew. */
export function lacksProjections(mainPath: string): boolean {
  const path = projectionsPath(mainPath);
  if (!existsSync(path)) return true;
  try {
    using db = openReadOnly(path);
    return schemaVersion(db) !== VERSION;
  } catch (error) {
    if (isDamaged(error)) return true;
    throw error;
  }
}

/** Changes when the file is replaced; null if there is none. */
export const projectionsIdentity = (mainPath: string): bigint | null =>
  statSync(projectionsPath(mainPath), { bigint: true, throwIfNoEntry: false })?.ino ?? null;

function openOrRebuild(mainPath: string): DatabaseSync {
  try {
    return openFile(projectionsPath(mainPath));
  } catch (error) {
    if (!isDamaged(error)) throw error;
    removeProjections(mainPath);
    return openFile(projectionsPath(mainPath));
  }
}

/** `NORMAL` does not wait for the disk: what a power failure loses is projected again. */
function openFile(path: string): DatabaseSync {
  createPrivateFile(path);
  const pragmas = `
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -32768;
  `;
  return open(path, pragmas, (db) => transaction(db, () => createTables(db)));
}

function createTables(db: DatabaseSync): void {
  if (schemaVersion(db) === VERSION) return;
  const old = db.prepare(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  );
  for (const { name } of old.all()) db.exec(`DROP TABLE "${name}"`);
  db.exec(PROJECTION_TABLES);
  db.exec(`PRAGMA user_version = ${VERSION}`);
}
