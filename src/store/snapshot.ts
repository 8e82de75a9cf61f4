import { PROFILE_COLUMNS, type RealmRow } from '../domain/model.ts';
import type { StoredAccount } from '../domain/rules/identity-audit.ts';
import { all, first, type Operation, type Params, query } from './statement.ts';
import { checkedColumns, decodeRow, type SqlValue, type Table, text } from './table.ts';
import { tables } from './tables.ts';

export const PAGE_SIZE = 2_000;

const BEFORE_ALL = -(2n ** 63n);

/** A row that is stored among those of another realm. */
export class MisplacedRow extends Error {}

/** The rows that a realm has in a table, in the order of their keys, as they are at one instant. */
export interface Rows<Row> {
  page(realmId: string, after: Row | undefined): Operation<Row[]>;
}

function rowsOf<Row, Name extends keyof Row & string = keyof Row & string>(
  whole: Table<Row>,
  ...names: Name[]
): Rows<Pick<Row, Name>> {
  type Some = Pick<Row, Name>;
  const isRead = ({ property }: { property: string }) =>
    names.length === 0 || names.includes(property as Name);
  const table = { ...whole, read: whole.read.filter(isRead) } as unknown as Table<Some>;
  const key = keyOf(table);
  const columns = key.map(({ name }) => name).join(', ');
  const parameters = key.map(({ name }) => `:${name}`).join(', ');
  const find = query<{ realmId: SqlValue; row: Some }>(
    (dialect) =>
      `SELECT realm_id, ${checkedColumns(dialect, table)} FROM ${table.name}
       WHERE realm_id = :realmId AND (${columns}) > (${parameters})
       ORDER BY ${columns} LIMIT ${PAGE_SIZE}`,
    (values) => ({ realmId: values[0] ?? null, row: decodeRow(table, values, 1) }),
  );
  return {
    *page(realmId, after) {
      const params: Params = { realmId, ...paramsOf(key, after) };
      return (yield* all(find, params)).map((found) => ownRow(realmId, found));
    },
  };
}

type Key = Table<never>['columns'];

/** The columns of the primary key behind the realm's id. */
const keyOf = ({ key, columns }: Table<never>): Key =>
  key.slice(1).map((name) => columns.find((column) => column.name === name) as Key[number]);

/** Ids as numbers: of texts, SQLite would use an index by its first column only. */
const valuesOf = (key: Key, row: object): SqlValue[] =>
  key.map(({ property, type, compute }) => {
    const own = row as Record<string, SqlValue>;
    const value = compute ? compute(row as never) : (own[property ?? ''] ?? null);
    return type === 'id' && value !== null ? BigInt(value) : value;
  });

function paramsOf(key: Key, after: object | undefined): Record<string, SqlValue> {
  const start = () => key.map(({ type }) => (type === 'text' ? '' : BEFORE_ALL));
  const values = after ? valuesOf(key, after) : start();
  return Object.fromEntries(key.map(({ name }, index) => [name, values[index] ?? null]));
}

/**
 * SQLite finds the first row of a range by its key and then compares with the end of the range
 * only, so that it also returns a row whose key was damaged and is too low. A look-up by the true
 * key does not find that row.
 */
function ownRow<Row>(
  realmId: string,
  { realmId: stored, row }: { realmId: SqlValue; row: Row },
): Row {
  if (stored !== realmId) throw new MisplacedRow('a row is not where it belongs');
  return row;
}

type RealmEnd = Pick<RealmRow, 'seq' | 'head' | 'clockAt'>;

const findEnd = query<RealmEnd, { realmId: string }>(
  ({ integer, hex }) =>
    `SELECT ${integer('seq')} AS seq, ${hex('head')} AS head, ${integer('clock_at')} AS "clockAt"
     FROM realms WHERE realm_id = :realmId AND deleted_at IS NULL`,
);

/** Where the journal of a realm ends according to its row. */
export const realmEnd = (realmId: string): Operation<RealmEnd | undefined> =>
  first(findEnd, { realmId });

/** With the key that each account is found by, which nothing else reads. */
const accounts: Table<StoredAccount> = {
  ...tables.accounts,
  read: [...tables.accounts.read, { ...text('account_key'), property: 'key' }],
} as unknown as Table<StoredAccount>;

export const snapshot = {
  records: rowsOf(tables.records),
  members: rowsOf(tables.members, 'id', 'status'),
  profiles: rowsOf(tables.members, 'id', ...PROFILE_COLUMNS),
  balances: rowsOf(tables.balances),
  holds: rowsOf(tables.holds),
  offers: rowsOf(tables.offers),
  claims: rowsOf(tables.claims),
  claimants: rowsOf(tables.claimants),
  accounts: rowsOf(accounts),
  wallets: rowsOf(tables.wallets),
  apiKeys: rowsOf(tables.apiKeys),
  people: rowsOf(tables.people),
  kinds: rowsOf(tables.kinds),
  enrolments: rowsOf(tables.enrolments),
  reversals: rowsOf(tables.reversals),
  entries: rowsOf(tables.entries),
  movements: rowsOf(tables.movements),
  references: rowsOf(tables.references),
  scores: rowsOf(tables.scores),
  pastScores: rowsOf(tables.pastScores),
  buckets: rowsOf(tables.buckets),
  days: rowsOf(tables.days),
  activeMembers: rowsOf(tables.activeMembers),
};
