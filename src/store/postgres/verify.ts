import type { RealmRow } from '../../domain/model.ts';
import type { BalanceToCheck } from '../../domain/rules/audit.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { tables } from '../tables/tables.ts';
import { type Snapshot, Verifier } from '../verifier.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { toDomainError } from './errors.ts';
import { columnsOf, rowsOf } from './rows.ts';
import { statement } from './statement.ts';

const find = {
  realm: rowsOf(tables.realms).select<[string]>('WHERE realm_id = $1'),
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
  members: statement<{ count: number }, [string]>(
    `SELECT count(*) AS count FROM members WHERE realm_id = $1 AND status <> 'removed'`,
  ),
};

export const postgresVerifier = (database: Database): Verifier =>
  new Verifier(async (realmId, check) => {
    const connection = await database.connect('verify');
    try {
      await connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const [realm] = await connection.query(find.realm, realmId);
      return realm ? await check(snapshotOf(connection, realm)) : null;
    } catch (error) {
      throw toDomainError(error);
    } finally {
      await connection.close();
    }
  });

function snapshotOf(connection: Connection, realm: RealmRow): Snapshot {
  const { id: realmId, seq, head } = realm;
  return {
    realmId,
    seq,
    head,
    records: (after, limit) => connection.query(find.records, realmId, after?.seq ?? 0, limit),
    balances: (after, limit) => {
      const { memberId = '0', realmPointId = '' } = after ?? {};
      return connection.query(find.balances, realmId, memberId, realmPointId, limit);
    },
    countMembers: async () => (await connection.query(find.members, realmId))[0]?.count ?? 0,
  };
}
