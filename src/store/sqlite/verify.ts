import type { DatabaseSync } from 'node:sqlite';
import type { BalanceToCheck } from '../../domain/rules/audit.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { tables } from '../tables/tables.ts';
import { type Snapshot, Verifier } from '../verifier.ts';
import { openForReading } from './database.ts';
import { rowsOf, statementsOn } from './rows.ts';

export const sqliteVerifier = (path: string): Verifier =>
  new Verifier(async (realmId, check) => {
    const db = openForReading(path);
    try {
      db.exec('BEGIN');
      const snapshot = snapshotOf(db, realmId);
      return snapshot && (await check(snapshot));
    } finally {
      db.close();
    }
  });

/**
 * Numbers are read as REAL: a forged one past 2^53 is a fault to report, but read as an integer it
 * would end the check with an error.
 */
function snapshotOf(db: DatabaseSync, realmId: string): Snapshot | null {
  const sql = statementsOn(db);
  const realm = rowsOf(db, tables.realms).select<[string]>('WHERE realm_id = ?').get(realmId);
  if (!realm) return null;
  const records = sql.all<JournalRecord, [string, number, number]>(
    `SELECT CAST(seq AS REAL) AS seq, type, CAST(at AS REAL) AS at, actor, data,
       lower(hex(hash)) AS hash
     FROM journal WHERE realm_id = ? AND journal.seq > ? ORDER BY journal.seq LIMIT ?`,
  );
  const balances = sql.all<BalanceToCheck, [string, string, string, number]>(
    `SELECT CAST(member_id AS TEXT) AS memberId, realm_point_id AS realmPointId,
       CAST(balance AS REAL) AS balance
     FROM balances
     WHERE realm_id = ? AND (member_id, realm_point_id) > (CAST(? AS INTEGER), ?)
     ORDER BY member_id, realm_point_id LIMIT ?`,
  );
  const members = sql.value<number, [string]>(
    `SELECT count(*) FROM members WHERE realm_id = ? AND status <> 'removed'`,
  );
  return {
    realmId,
    seq: realm.seq,
    head: realm.head,
    records: (after, limit) => records(realmId, after?.seq ?? 0, limit),
    balances: (after, limit) =>
      balances(realmId, after?.memberId ?? '0', after?.realmPointId ?? '', limit),
    countMembers: () => members(realmId) ?? 0,
  };
}
