import type { DatabaseSync } from 'node:sqlite';
import type { Reversal } from '../../domain/facts.ts';
import type { BalanceToCheck, Verdict } from '../../domain/rules/audit.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import type { MemberToCheck } from '../../domain/rules/table-audit.ts';
import { tables } from '../tables/tables.ts';
import type { Snapshot } from '../verification.ts';
import { Verifier, type WithSnapshot } from '../verifier.ts';
import { openForScanning } from './database.ts';
import { isDamaged } from './errors.ts';
import { integer, isOwn, MisplacedRow, ownRows } from './integrity.ts';
import { openProjectedSnapshot, ProjectionsDamaged } from './projections/snapshot.ts';
import { rowsOf, statementsOn } from './rows.ts';

export const sqliteVerifier = (path: string): Verifier => new Verifier(sqliteSnapshots(path));

/** Checks realms on connections of their own. Damage that stops a check is a fault as well. */
export const sqliteSnapshots =
  (path: string): WithSnapshot =>
  async (realmId, check) => {
    try {
      // The projections first: what they contain is then in the journal that is read.
      using projected = openProjectedSnapshot(path, realmId);
      using db = openForScanning(path);
      db.exec('BEGIN');
      const snapshot = snapshotOf(db, realmId);
      return snapshot && (await check({ ...snapshot, projections: projected.snapshot }));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof ProjectionsDamaged) {
        const detail = `the file of the projections is damaged: ${reason}`;
        return faulty({ seq: null, projection: 'file', detail });
      }
      if (!isDamaged(error) && !(error instanceof MisplacedRow)) throw error;
      return faulty({ seq: null, detail: `the database file is damaged: ${reason}` });
    }
  };

const faulty = (fault: Extract<Verdict, { ok: false }>['fault']): Verdict => {
  return { ok: false, transactions: 0, records: 0, fault };
};

type Own<Row> = Row & { isOwn: number };

/**
 * Numbers are read as REAL: a forged one past 2^53 is a fault to report, but read as an integer it
 * would end the check with an error.
 */
function snapshotOf(db: DatabaseSync, realmId: string): Omit<Snapshot, 'projections'> | null {
  const sql = statementsOn(db);
  const realm = sql.get<Pick<Snapshot, 'seq' | 'head' | 'clockAt'>, [string]>(
    `SELECT ${integer('seq')} AS seq, lower(hex(head)) AS head, ${integer('clock_at')} AS clockAt
     FROM realms WHERE realm_id = ? AND deleted_at IS NULL`,
  )(realmId);
  if (!realm) return null;
  const own = isOwn('realm_id');
  const records = sql.all<Own<JournalRecord>, [string, number, number]>(
    `SELECT ${own}, ${integer('seq')} AS seq, type, ${integer('at')} AS at, actor, data,
       lower(hex(hash)) AS hash, personal,
       CASE WHEN personal_hash IS NOT NULL THEN lower(hex(personal_hash)) END AS personalHash
     FROM journal WHERE realm_id = ?1 AND journal.seq > ?2 ORDER BY journal.seq LIMIT ?3`,
  );
  const balances = sql.all<Own<BalanceToCheck>, [string, string, string, number]>(
    `SELECT ${own}, CAST(member_id AS TEXT) AS memberId, realm_point_id AS realmPointId,
       ${integer('balance')} AS balance
     FROM balances
     WHERE realm_id = ?1 AND (member_id, realm_point_id) > (CAST(?2 AS INTEGER), ?3)
     ORDER BY member_id, realm_point_id LIMIT ?4`,
  );
  const members = sql.all<Own<MemberToCheck>, [string, string, number]>(
    `SELECT ${own}, CAST(member_id AS TEXT) AS memberId, status FROM members
     WHERE realm_id = ?1 AND member_id > CAST(?2 AS INTEGER) ORDER BY member_id LIMIT ?3`,
  );
  const reversals = sql.all<Own<Reversal>, [string, number, number]>(
    `SELECT ${own}, ${integer('seq')} AS seq, ${integer('tokens')} AS tokens,
       ${integer('by_seq')} AS "by"
     FROM reversals WHERE realm_id = ?1 AND reversals.seq > ?2 ORDER BY reversals.seq LIMIT ?3`,
  );
  const kinds = rowsOf(db, tables.kinds).select<[string]>('WHERE realm_id = ?');
  return {
    realmId,
    ...realm,
    records: (after, limit) => ownRows(records(realmId, after?.seq ?? 0, limit)),
    balances: (after, limit) =>
      ownRows(balances(realmId, after?.memberId ?? '0', after?.realmPointId ?? '', limit)),
    members: (after, limit) => ownRows(members(realmId, after?.memberId ?? '0', limit)),
    kinds: () => kinds.all(realmId),
    reversals: (after, limit) => ownRows(reversals(realmId, after?.seq ?? 0, limit)),
  };
}
