import type { DatabaseSync } from 'node:sqlite';
import { PROJECTED, type ProjectedRecord } from '../../../domain/rules/projections.ts';
import { tables } from '../../tables/tables.ts';
import { boundedDelete, deletedRealmFinder, removeStep } from '../removal.ts';
import { insert, remove, someOf, statementsOn, upsert } from '../rows.ts';

/** A realm whose projections are behind its journal. */
export interface RealmBehind {
  realm_id: string;
  /** Null for a realm that was never projected. */
  realm_no: number | null;
  /** The seqs of the last projected record and of the last one. */
  seq: number;
  end: number;
  enrolled_to: string;
  /** When the realm's last record was written. */
  clock_at: number;
  /** 0 if the record at the position is not the one that was projected. */
  matches: number;
}

/** Everything a step needs to know of a realm, in one statement: most realms have few records. */
const BEHIND = `SELECT realm_id, p.realm_no, coalesce(p.seq, 0) AS seq, r.seq AS "end", r.clock_at,
    CAST(coalesce(p.enrolled_to, 0) AS TEXT) AS enrolled_to,
    coalesce(p.seq, 0) = 0 OR p.hash IS
      (SELECT hash FROM journal j WHERE j.realm_id = r.realm_id AND j.seq = p.seq) AS matches
  FROM realms r LEFT JOIN projection_positions p USING (realm_id)
  WHERE (r.seq, r.head) IS NOT (p.seq, p.hash) AND r.deleted_at IS NULL`;

function journalStatements(db: DatabaseSync) {
  const sql = statementsOn(db);
  return {
    realmsBehind: sql.all<RealmBehind, [number, string, number]>(
      `${BEHIND} AND r.seq - coalesce(p.seq, 0) >= ? AND realm_id > ? ORDER BY realm_id LIMIT ?`,
    ),
    realmBehind: sql.get<RealmBehind, [string]>(`${BEHIND} AND realm_id = ?`),
    // A write that changes no row takes this file's write lock before anything is read.
    lock: sql.run<[]>('UPDATE projection_positions SET seq = seq WHERE realm_no = 0'),
    newRealm: sql.value<number, [string]>(
      `INSERT INTO projection_positions (realm_id, seq, hash, enrolled_to) VALUES (?, 0, x'', 0)
       RETURNING realm_no`,
    ),
    moveTo: sql.run<[string, number, string]>(
      `UPDATE projection_positions SET seq = ?2, enrolled_to = ?3,
         hash = coalesce((SELECT hash FROM journal WHERE realm_id = ?1 AND seq = ?2), x'')
       WHERE realm_id = ?1`,
    ),
    records: sql.each<ProjectedRecord, [string, number, number]>(
      `SELECT ${someOf(tables.records, ...PROJECTED)} FROM journal
       WHERE realm_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
    ),
    kinds: sql.values<string, [string]>(
      'SELECT realm_point_id FROM point_kinds WHERE realm_id = ?',
    ),
    members: sql.values<string, [string, string, number]>(
      `SELECT CAST(member_id AS TEXT) FROM members
       WHERE realm_id = ? AND member_id > CAST(? AS INTEGER) AND status <> 'removed'
       ORDER BY member_id LIMIT ?`,
    ),
  };
}

function projectionStatements(db: DatabaseSync) {
  const sql = statementsOn(db);
  return {
    leaderboard: sql.value<number, [number, string]>(
      'SELECT leaderboard_no FROM leaderboards WHERE realm_no = ? AND name = ?',
    ),
    newLeaderboard: sql.value<number, [number, string, number | null]>(
      `INSERT INTO leaderboards (realm_no, name, ends_at) VALUES (?, ?, ?)
       RETURNING leaderboard_no`,
    ),
    entry: insert(db, 'entries', 'leaderboard_no, member_id, seq, type, balance'),
    movement: insert(db, 'movements', 'leaderboard_no, type, seq'),
    standing: sql.page<[score: number, movedAt: number | null], [number, string]>(
      'SELECT score, moved_at FROM standings WHERE leaderboard_no = ? AND member_id = ?',
    ),
    setStanding: upsert(db, 'standings', 'leaderboard_no, member_id', 'score, moved_at'),
    removeStanding: remove(db, 'standings', 'leaderboard_no, member_id'),
    ended: sql.values<number, [number, number]>(
      'SELECT leaderboard_no FROM leaderboards WHERE ends_at < ? ORDER BY ends_at LIMIT ?',
    ),
    dropStandings: sql.run<[number, number]>(
      `DELETE FROM standings WHERE (leaderboard_no, member_id) IN
         (SELECT leaderboard_no, member_id FROM standings WHERE leaderboard_no = ? LIMIT ?)`,
    ),
    dropBuckets: remove(db, 'rank_buckets', 'leaderboard_no'),
    dropLeaderboard: remove(db, 'leaderboards', 'leaderboard_no'),
  };
}

/**
 * The tables with the rows of a realm, their keys, and which rows are its own. Last come the
 * numbers by which the others are found.
 */
function rowsOfRealm(): [table: string, key: string[], condition: string][] {
  const realmNo = '(SELECT realm_no FROM projection_positions WHERE realm_id = ?1)';
  const numbers = `(SELECT leaderboard_no FROM leaderboards WHERE realm_no = ${realmNo})`;
  const ofLeaderboard = `leaderboard_no IN ${numbers}`;
  const ofRealm = `realm_no = ${realmNo}`;
  return [
    ['entries', ['leaderboard_no', 'member_id', 'seq'], ofLeaderboard],
    ['movements', ['leaderboard_no', 'type', 'seq'], ofLeaderboard],
    ['standings', ['leaderboard_no', 'member_id'], ofLeaderboard],
    ['rank_buckets', ['leaderboard_no', 'lower'], ofLeaderboard],
    ['member_words', ['realm_no', 'word', 'member_id'], ofRealm],
    ['member_names', ['realm_no', 'member_id'], ofRealm],
    ['daily_totals', ['realm_no', 'day', 'realm_point_id'], ofRealm],
    ['leaderboards', ['leaderboard_no'], ofRealm],
    ['projection_positions', ['realm_no'], 'realm_id = ?1'],
  ];
}

/** Removes all rows, all rows of a realm, or a bounded number of those of a deleted realm. */
function realmRemovers(db: DatabaseSync) {
  const sql = statementsOn(db);
  const all = rowsOfRealm().map(([table, , condition]) =>
    sql.run<[string]>(`DELETE FROM ${table} WHERE ${condition}`),
  );
  const some = rowsOfRealm().map(([table, key, condition]) =>
    sql.run<[string, number]>(boundedDelete(table, key, condition)),
  );
  return {
    discardAll: (): void => {
      for (const [table] of rowsOfRealm()) db.exec(`DELETE FROM ${table}`);
    },
    discardRealm: (realmId: string): void => {
      for (const run of all) run(realmId);
    },
    removeSome: (realmId: string): boolean => removeStep(some, realmId),
    isDeleted: deletedRealmFinder(db),
  };
}

export const projectorStatements = (db: DatabaseSync) => ({
  ...journalStatements(db),
  ...projectionStatements(db),
  ...realmRemovers(db),
  dataVersion: dataVersion(db),
});

/**
 * Reads the change counter of the main database file, which is attached as `books`. Null in memory,
 * where the one connection sees no commits of others.
 */
function dataVersion(db: DatabaseSync) {
  const databases = db.prepare('PRAGMA database_list').all();
  if (!databases.some(({ name }) => name === 'books')) return null;
  return statementsOn(db).value<number, []>('PRAGMA books.data_version');
}
