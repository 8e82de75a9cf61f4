import type { Reversal } from '../../domain/facts.ts';
import type { RealmRow } from '../../domain/model.ts';
import type { BalanceToCheck } from '../../domain/rules/audit.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import type { MemberToCheck } from '../../domain/rules/table-audit.ts';
import { tables } from '../tables/tables.ts';
import type { Snapshot } from '../verification.ts';
import { Verifier } from '../verifier.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { toDomainError } from './errors.ts';
import { projectedSnapshot } from './projections/snapshot.ts';
import { columnsOf, rowsOf } from './rows.ts';
import { statement } from './statement.ts';

const find = {
  realm: rowsOf(tables.realms).select<[string]>('WHERE realm_id = $1 AND deleted_at IS NULL'),
  records: statement<JournalRecord, [string, number, number]>(
    `SELECT ${columnsOf(tables.records)} FROM journal WHERE realm_id = $1 AND seq > $2::bigint
     ORDER BY seq LIMIT $3`,
  ),
  // A text called member_id would be confused with the column, a number, by Citus.
  balances: statement<BalanceToCheck, [string, string, string, number]>(
    `SELECT member_id::text AS "memberId", realm_point_id AS "realmPointId", balance FROM balances
     WHERE realm_id = $1 AND (member_id, realm_point_id) > ($2::bigint, $3)
     ORDER BY member_id, realm_point_id LIMIT $4`,
  ),
  members: statement<MemberToCheck, [string, string, number]>(
    `SELECT member_id::text AS "memberId", status FROM members
     WHERE realm_id = $1 AND member_id > $2::bigint ORDER BY member_id LIMIT $3`,
  ),
  kinds: rowsOf(tables.kinds).select<[string]>('WHERE realm_id = $1 ORDER BY realm_point_id'),
  reversals: statement<Reversal, [string, number, number]>(
    `SELECT ${columnsOf(tables.reversals)} FROM reversals WHERE realm_id = $1 AND seq > $2::bigint
     ORDER BY seq LIMIT $3`,
  ),
};

export const postgresVerifier = (database: Database): Verifier =>
  new Verifier(async (realmId, check) => {
    const connection = await database.connect('verify');
    try {
      await connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const [realm] = await connection.query(find.realm, realmId);
      if (!realm) return null;
      const projections = await projectedSnapshot(connection, realmId);
      return await check({ ...snapshotOf(connection, realm), projections });
    } catch (error) {
      throw toDomainError(error);
    } finally {
      await connection.close();
    }
  });

function snapshotOf(connection: Connection, realm: RealmRow): Omit<Snapshot, 'projections'> {
  const { id: realmId, seq, head, clockAt } = realm;
  return {
    realmId,
    seq,
    head,
    clockAt,
    records: (after, limit) => connection.query(find.records, realmId, after?.seq ?? 0, limit),
    balances: (after, limit) => {
      const { memberId = '0', realmPointId = '' } = after ?? {};
      return connection.query(find.balances, realmId, memberId, realmPointId, limit);
    },
    members: (after, limit) =>
      connection.query(find.members, realmId, after?.memberId ?? '0', limit),
    kinds: () => connection.query(find.kinds, realmId),
    reversals: (after, limit) => connection.query(find.reversals, realmId, after?.seq ?? 0, limit),
  };
}
