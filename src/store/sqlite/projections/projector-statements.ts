import type { DatabaseSync } from 'node:sqlite';
import type { ProjectedRecord } from '../../../domain/rules/projections.ts';
import { prepare } from '../database.ts';
import { insert, remove, upsert } from '../write-statements.ts';

/** A realm that is behind, and how far it has come. */
export interface Turn {
  realm_id: string;
  /** Null for a realm that was never followed. */
  realm: number | null;
  seq: number;
  entered: string;
  /** The instant of the realm's last record. */
  last_at: number;
  /** 0 where the record that was followed last is no longer what it was. */
  fits: number;
}

/** Everything that a step must know of a realm, in one statement: most realms have few records. */
const TURN = `SELECT realm_id, f.realm, coalesce(f.seq, 0) AS seq, r.last_at,
    CAST(coalesce(f.entered_to, 0) AS TEXT) AS entered,
    coalesce(f.seq, 0) = 0 OR f.hash IS
      (SELECT hash FROM journal j WHERE j.realm_id = r.realm_id AND j.seq = f.seq) AS fits
  FROM realms r LEFT JOIN projection_positions f USING (realm_id)
  WHERE (r.seq, r.head) IS NOT (f.seq, f.hash)`;

/** What is read from the books, and how far each realm has come. */
function journalStatements(db: DatabaseSync) {
  return {
    turns: prepare<Turn, [number, string, number]>(
      db,
      `${TURN} AND r.seq - coalesce(f.seq, 0) >= ? AND realm_id > ? ORDER BY realm_id LIMIT ?`,
    ),
    turn: prepare<Turn, [string]>(db, `${TURN} AND realm_id = ?`),
    isBehind: prepare<{ behind: number }, [string]>(
      db,
      `SELECT (r.seq, r.head) IS NOT (f.seq, f.hash) AS behind
       FROM realms r LEFT JOIN projection_positions f USING (realm_id) WHERE realm_id = ?`,
    ),
    // A write, though to no row: it takes the lock of this file before anything is read from it.
    lock: prepare<never, []>(db, 'UPDATE projection_positions SET seq = seq WHERE realm = 0'),
    newRealm: prepare<{ realm: number }, [string]>(
      db,
      `INSERT INTO projection_positions (realm_id, seq, hash, entered_to) VALUES (?, 0, x'', 0)
       RETURNING realm`,
    ),
    moveTo: prepare<never, [string, number, string]>(
      db,
      `UPDATE projection_positions SET seq = ?2, entered_to = ?3,
         hash = coalesce((SELECT hash FROM journal WHERE realm_id = ?1 AND seq = ?2), x'')
       WHERE realm_id = ?1`,
    ),
    end: prepare<{ seq: number }, [string]>(db, 'SELECT seq FROM realms WHERE realm_id = ?'),
    position: prepare<{ seq: number }, [string]>(
      db,
      'SELECT seq FROM projection_positions WHERE realm_id = ?',
    ),
    records: prepare<ProjectedRecord, [string, number, number]>(
      db,
      `SELECT seq, type, at, data FROM journal WHERE realm_id = ? AND seq > ?
       ORDER BY seq LIMIT ?`,
    ),
    kinds: prepare<{ realm_point_id: string }, [string]>(
      db,
      'SELECT realm_point_id FROM point_kinds WHERE realm_id = ?',
    ),
    members: prepare<{ member_id: string }, [string, string, number]>(
      db,
      `SELECT CAST(member_id AS TEXT) AS member_id FROM members
       WHERE realm_id = ? AND members.member_id > CAST(? AS INTEGER) AND status <> 'removed'
       ORDER BY members.member_id LIMIT ?`,
    ),
  };
}

function projectionStatements(db: DatabaseSync) {
  return {
    board: prepare<{ board: number }, [number, string]>(
      db,
      'SELECT board FROM boards WHERE realm = ? AND name = ?',
    ),
    newBoard: prepare<{ board: number }, [number, string, number | null]>(
      db,
      'INSERT INTO boards (realm, name, ends_at) VALUES (?, ?, ?) RETURNING board',
    ),
    entry: insert(db, 'entries', 'board, member_id, seq, type, balance'),
    movement: insert(db, 'movements', 'board, type, seq'),
    score: prepare<{ score: number }, [number, string]>(
      db,
      'SELECT score FROM standings WHERE board = ? AND member_id = ?',
    ),
    setScore: upsert(db, 'standings', 'board, member_id', 'score'),
    noScore: remove(db, 'standings', 'board, member_id'),
    ended: prepare<{ board: number }, [number, number]>(
      db,
      'SELECT board FROM boards WHERE ends_at < ? ORDER BY ends_at LIMIT ?',
    ),
    dropRows: prepare<never, [number, number]>(
      db,
      `DELETE FROM standings WHERE (board, member_id) IN
         (SELECT board, member_id FROM standings WHERE board = ? LIMIT ?)`,
    ),
    dropBuckets: remove(db, 'rank_buckets', 'board'),
    dropBoard: remove(db, 'boards', 'board'),
  };
}

export const projectorStatements = (db: DatabaseSync) => ({
  ...journalStatements(db),
  ...projectionStatements(db),
  booksVersion: booksVersion(db),
});

/** Null in memory, where one connection does everything and sees no others. */
function booksVersion(db: DatabaseSync) {
  const isApart = db
    .prepare('PRAGMA database_list')
    .all()
    .some(({ name }) => name === 'books');
  if (!isApart) return null;
  return prepare<{ data_version: number }, []>(db, 'PRAGMA books.data_version');
}
