import { randomBytes } from 'node:crypto';
import type { Change, RealmChanges } from '../../domain/facts.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import { tables } from '../tables/tables.ts';
import { byRealm } from './facts.ts';
import { journal, keyDirectory } from './tables.ts';
import {
  insert,
  insertApart,
  type ReadyWrite,
  type RealmRows,
  readyWrite,
  remove,
  update,
  upsert,
  type Write,
} from './writes.ts';

const put = {
  // A plain insert: a second realm of the same name must fail, should one ever get this far.
  newRealms: insertApart(tables.realms),
  realms: update(tables.realms),
  records: insert(journal),
  balances: upsert(tables.balances),
  idempotencyRecords: insert(tables.idempotencyRecords),
  reversals: upsert(tables.reversals),
  holds: upsert(tables.holds),
  members: upsert(tables.members),
  accounts: upsert(tables.accounts),
  wallets: upsert(tables.wallets),
  challenges: upsert(tables.challenges),
  kinds: upsert(tables.kinds),
  apiKeys: upsert(tables.apiKeys),
  keyDirectory: insertApart(keyDirectory, ' ON CONFLICT DO NOTHING'),
  assets: upsert(tables.assets),
};

const removed = {
  accounts: remove(tables.accounts),
  wallets: remove(tables.wallets),
  challenges: remove(tables.challenges),
  assets: remove(tables.assets),
};

/** A decision, and everything needed to write it. */
export interface Ready {
  decision: Decision;
  /** In the order in which realms are locked: new realms had no row to lock. */
  changes: RealmChanges[];
  /** Identifies the batch in the journal. */
  batch: string;
  writes: ReadyWrite[];
}

export function readyOf(decision: Decision): Ready {
  const changes = decision.changes.toSorted((a, b) => byRealm(a.realm.id, b.realm.id));
  const batch = randomBytes(9).toString('base64url');
  return { decision, changes, batch, writes: writesOf(changes, batch) };
}

/** The writes of a batch; `batch` marks the first record of each realm. */
function writesOf(changes: RealmChanges[], batch: string): ReadyWrite[] {
  const write = <Row>(table: Write<Row>, rowsOf: (one: RealmChanges) => Row[]): ReadyWrite[] =>
    readyWrite(table, rowsOfAll(changes, rowsOf));
  return [
    ...write(put.newRealms, ({ isNewRealm, realm }) => (isNewRealm ? [realm] : [])),
    ...write(put.realms, ({ isNewRealm, realm }) => (isNewRealm ? [] : [realm])),
    ...write(put.records, ({ records }) =>
      records.map((record, index) => (index === 0 ? { ...record, batch } : record)),
    ),
    ...write(put.balances, ({ balances }) => presentRows(balances)),
    ...write(put.idempotencyRecords, ({ idempotencyRecords }) => idempotencyRecords),
    ...write(put.reversals, ({ reversals }) => presentRows(reversals)),
    ...write(put.holds, ({ holds }) => presentRows(holds)),
    ...write(put.members, ({ members }) => presentRows(members)),
    ...write(removed.accounts, ({ accounts }) => removedKeys(accounts)),
    ...write(put.accounts, ({ accounts }) => presentRows(accounts)),
    ...write(removed.wallets, ({ wallets }) => removedKeys(wallets)),
    ...write(put.wallets, ({ wallets }) => presentRows(wallets)),
    ...write(removed.challenges, ({ challenges }) => removedKeys(challenges)),
    ...write(put.challenges, ({ challenges }) => presentRows(challenges)),
    ...write(put.kinds, ({ kinds }) => presentRows(kinds)),
    ...write(put.apiKeys, ({ apiKeys }) => presentRows(apiKeys)),
    ...write(put.keyDirectory, ({ apiKeys }) => presentRows(apiKeys)),
    ...write(removed.assets, ({ assets }) => removedKeys(assets)),
    ...write(put.assets, ({ assets }) => presentRows(assets)),
  ];
}

function rowsOfAll<Row>(
  changes: RealmChanges[],
  rowsOf: (one: RealmChanges) => Row[],
): RealmRows<Row> {
  const realmIds: string[] = [];
  const rows: Row[] = [];
  for (const one of changes) {
    for (const row of rowsOf(one)) {
      realmIds.push(one.realm.id);
      rows.push(row);
    }
  }
  return { realmIds, rows };
}

const presentRows = <Row>(changes: Change<Row>[]): Row[] =>
  changes.flatMap(({ row }) => (row ? [row] : []));

const removedKeys = (changes: Change<object>[]): string[] =>
  changes.flatMap(({ key, row }) => (row ? [] : [key]));
