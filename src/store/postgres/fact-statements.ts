import type { Balance, IdempotencyRecord, Reversal } from '../../domain/facts.ts';
import type { Hold, MemberStatus } from '../../domain/model.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import type { Stored, Table } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';
import { lookUp, ofRealm, type RealmStatement } from './realm-statements.ts';
import { columnsOf } from './rows.ts';

/** A member with one of its balances, or with none. */
export interface StandingRow extends Pick<Balance, 'memberId' | 'balance' | 'openHolds'> {
  status: MemberStatus;
  realmPointId: string | null;
  /** The open holds on this balance; null if there are none, which is nearly always. */
  holds: Stored<Hold>[] | null;
}

/** The record of an idempotency key, with the journal record of its answer if there is one. */
export type IdempotencyRow = Stored<IdempotencyRecord> & { record: Stored<JournalRecord> | null };

/** Finds whole rows of a table. */
export interface FindRows<Row, Args extends [] | [(string | number)[]]>
  extends RealmStatement<Stored<Row> & { realm_id: string }, Args> {
  table: Table<Row>;
}

/** All rows that a realm has in a table with few of them. */
const rowsOfRealm = <Row>(table: Table<Row>, end: string): FindRows<Row, []> => ({
  table,
  ...ofRealm((realm) => {
    const { name } = table;
    return `SELECT ${name}.realm_id, ${columnsOf(table)} FROM ${name}
       WHERE ${name}.realm_id = ${realm} ${end}`;
  }),
});

/** Rows by the values of one column, and a condition on others. */
const rowsBy = <Row, Key extends string | number = string>(
  table: Table<Row>,
  column: string,
  condition = '',
): FindRows<Row, [Key[]]> => {
  const isText = table.columns.some(({ name, type }) => name === column && type === 'text');
  const select = by(table.name, columnsOf(table), `${condition}${column}`);
  return { table, ...lookUp<Stored<Row>, Key>(isText ? 'text' : 'bigint', select) };
};

const by =
  (table: string, columns: string, condition: string) =>
  (realm: string, key: string): string =>
    `SELECT ${columns} FROM ${table} WHERE realm_id = ${realm} AND ${condition} = ${key} OFFSET 0`;

const byKey = by('idempotency_keys', columnsOf(tables.idempotencyRecords), 'idempotency_key');

/** The statements that load facts. */
export const find = {
  // Locked in the order of the parameters, which is that of the ids on every node.
  lock: rowsOfRealm(tables.realms, 'FOR UPDATE'),
  kinds: rowsOfRealm(tables.kinds, 'ORDER BY realm_point_id'),
  assets: rowsOfRealm(tables.assets, 'ORDER BY asset_id'),
  members: rowsBy(tables.members, 'member_id'),
  accounts: rowsBy(tables.accounts, 'account_key'),
  accountsOf: rowsBy(tables.accounts, 'member_id'),
  wallets: rowsBy(tables.wallets, 'wallet_key'),
  walletsOf: rowsBy(tables.wallets, 'member_id'),
  apiKeys: rowsBy(tables.apiKeys, 'key_id'),
  challenges: rowsBy(tables.challenges, 'nonce'),
  unusedChallengesOf: rowsBy(tables.challenges, 'member_id', 'used_at IS NULL AND '),
  holds: rowsBy<Hold, number>(tables.holds, 'hold_id'),
  records: rowsBy<JournalRecord, number>(tables.records, 'seq'),
  reversals: rowsBy<Reversal, number>(tables.reversals, 'seq'),
  standings: lookUp<StandingRow>(
    'bigint',
    (realm, id) =>
      `SELECT ${id}::text AS "memberId", m.status, b.realm_point_id AS "realmPointId", b.balance,
         b.open_holds AS "openHolds", CASE WHEN b.open_holds > 0 THEN
           (SELECT json_agg(h) FROM (SELECT ${columnsOf(tables.holds)} FROM holds
              WHERE realm_id = ${realm} AND member_id = ${id} AND realm_point_id = b.realm_point_id
                AND status = 'open' ORDER BY hold_id) h) END AS holds
       FROM (${by('members', 'status', 'member_id')(realm, id)}) m
       LEFT JOIN LATERAL
         (${by('balances', 'realm_point_id, balance, open_holds', 'member_id')(realm, id)}) b
         ON true`,
  ),
  idempotencyRecords: lookUp<IdempotencyRow>(
    'text',
    (realm, key) =>
      `SELECT i.*, (SELECT row_to_json(j) FROM (SELECT ${columnsOf(tables.records)} FROM journal
           WHERE realm_id = ${realm} AND seq = i.seq) j) AS record
       FROM (${byKey(realm, key)}) i`,
  ),
  // The series is generated while it is read, so only as far as needed to find free ids.
  freeIds: lookUp<{ id: string }, number>(
    'bigint',
    (realm, count) =>
      `SELECT series.id::text AS id FROM
         (SELECT generate_series(next_member_id, 9223372036854775807) AS id
          FROM realms WHERE realms.realm_id = ${realm} OFFSET 0) series
       WHERE (SELECT 1 FROM members WHERE realm_id = ${realm} AND member_id = series.id) IS NULL
       LIMIT ${count}`,
  ),
};
