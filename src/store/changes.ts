import type { Change, RealmChanges } from '../domain/facts.ts';
import { insertKeys } from './key-directory.ts';
import { deleteFrom, insertInto, updateIn, upsertInto } from './rows.ts';
import { type Ask, askWrite, type OfRealm, type RowWrite, type Text } from './statement.ts';
import type { Table } from './table.ts';
import { tables } from './tables.ts';

/** What the changes of one realm write to a table. */
interface TableWrite {
  write: RowWrite<never>;
  rowsOf: (changes: RealmChanges) => readonly unknown[];
}

const writes = <Row>(
  write: RowWrite<Row>,
  rowsOf: (changes: RealmChanges) => readonly Row[],
): TableWrite => ({ write: write as RowWrite<never>, rowsOf });

type ChangesOf<Row> = (changes: RealmChanges) => readonly Change<Row>[];

function rowsIn<Row>(changes: readonly Change<Row>[]): Row[] {
  const rows: Row[] = [];
  for (const { row } of changes) if (row !== null) rows.push(row);
  return rows;
}

/** For a table whose rows are never removed. */
const put = <Row>(table: Table<Row>, of: ChangesOf<Row>): TableWrite =>
  writes(upsertInto(table), (changes) => rowsIn(of(changes)));

const remove = (
  table: Table<never>,
  of: ChangesOf<unknown>,
  keyOf: (key: string) => string[] = (key) => [key],
): TableWrite =>
  writes(deleteFrom(table), (changes) =>
    of(changes).flatMap(({ key, row }) => (row === null ? [keyOf(key)] : [])),
  );

const removeAndPut = <Row>(
  table: Table<Row>,
  of: ChangesOf<Row>,
  keyOf?: (key: string) => string[],
): TableWrite[] => [remove(table as Table<never>, of, keyOf), put(table, of)];

/** Deliveries as they are removed: all of a webhook, of which there are at most some hundred. */
const deliveriesByWebhook = { ...tables.deliveries, key: ['realm_id', 'webhook_id'] };

/** The parts of a key that begins with the id of a member. */
function partsOf(key: string): [memberId: string, rest: string] {
  const colon = key.indexOf(':');
  return [key.slice(0, colon), key.slice(colon + 1)];
}

/** Adds to the row that has the same key, if there is one. */
const adding = (table: Table<never>, sums: Text): RowWrite<never> =>
  insertInto(table, (dialect) => {
    const set = typeof sums === 'string' ? sums : sums(dialect);
    return `ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${set}`;
  });

const addCounts = adding(tables.buckets, 'count = rank_buckets.count + excluded.count');

const addTotals = adding(tables.days, ({ sum }) =>
  [
    'records = daily_totals.records + excluded.records',
    'member_count = daily_totals.member_count + excluded.member_count',
    ...['issued', 'spent', 'opened', 'held'].map(
      (name) => `${name} = ${sum(`daily_totals.${name}`, `excluded.${name}`)}`,
    ),
  ].join(', '),
);

const addActive = adding(
  tables.activeMembers,
  'member_count = active_members.member_count + excluded.member_count',
);

/** The writes of a batch, in order. */
const WRITES: readonly TableWrite[] = [
  // A plain insert: a second realm of the same name must fail, should one ever get this far.
  writes(insertInto(tables.realms), ({ isNewRealm, realm }) => (isNewRealm ? [realm] : [])),
  writes(updateIn(tables.realms), ({ isNewRealm, realm }) => (isNewRealm ? [] : [realm])),
  writes(insertInto(tables.records), ({ records }) => records),
  writes(insertInto(tables.idempotencyRecords), (changes) => changes.idempotencyRecords),
  ...removeAndPut(tables.balances, ({ balances }) => balances, partsOf),
  put(tables.reversals, ({ reversals }) => reversals),
  put(tables.holds, ({ holds }) => holds),
  put(tables.offers, ({ offers }) => offers),
  put(tables.claims, ({ claims }) => claims),
  put(tables.claimants, ({ claimants }) => claimants),
  put(tables.members, ({ members }) => members),
  put(tables.erasures, ({ erasures }) => erasures),
  put(tables.enrolments, ({ enrolments }) => enrolments),
  ...removeAndPut(tables.accounts, ({ accounts }) => accounts),
  ...removeAndPut(tables.wallets, ({ wallets }) => wallets),
  ...removeAndPut(tables.challenges, ({ challenges }) => challenges),
  put(tables.kinds, ({ kinds }) => kinds),
  put(tables.apiKeys, ({ apiKeys }) => apiKeys),
  put(tables.people, ({ people }) => people),
  writes(insertKeys, ({ apiKeys, people }) => [...rowsIn(apiKeys), ...rowsIn(people)]),
  ...removeAndPut(tables.assets, ({ assets }) => assets),
  ...removeAndPut(tables.webhooks, ({ webhooks }) => webhooks),
  remove(deliveriesByWebhook, ({ webhooks }) => webhooks),
  writes(insertInto(tables.entries), ({ entries }) => entries),
  writes(insertInto(tables.movements), ({ movements }) => movements),
  writes(insertInto(tables.references), ({ references }) => references),
  ...removeAndPut(tables.scores, ({ scores }) => scores, partsOf),
  writes(insertInto(tables.pastScores), ({ pastScores }) => pastScores),
  writes(addCounts, ({ buckets }) => buckets as never[]),
  writes(addTotals, ({ days }) => days as never[]),
  writes(addActive, ({ activeMembers }) => activeMembers as never[]),
  ...removeAndPut(
    tables.words,
    ({ words }) => words,
    (key) => partsOf(key).toReversed(),
  ),
];

/** Everything that a batch writes, without that which has no rows. */
export function writesOf(changes: readonly RealmChanges[]): Ask[] {
  const asks: Ask[] = [];
  for (const { write, rowsOf } of WRITES) {
    const rows: OfRealm<never>[] = [];
    for (const one of changes) {
      for (const row of rowsOf(one)) rows.push({ realmId: one.realm.id, row: row as never });
    }
    if (rows.length > 0) asks.push(askWrite(write, rows));
  }
  return asks;
}
