import { randomBytes } from 'node:crypto';
import type { Change, RealmChanges, RealmFacts } from '../../domain/facts.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import type { Batch } from '../../engine/store.ts';
import type { Table } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';
import { arrayText, type Statement } from './statement.ts';
import { journal, keyDirectoryTable } from './tables.ts';
import { insert, insertApart, remove, update, upsert, type Write } from './writes.ts';

/** A decision, and everything needed to write it. */
export interface Ready {
  decision: Decision;
  /** Identifies the batch in the journal. */
  marker: string;
  writes: ReadyWrite[];
}

/** A statement with its parameters, ready to be sent. */
interface ReadyWrite {
  statement: Statement<never, string[]>;
  /** The statement for a batch decided by the cache; null if there is none. */
  guarded: Statement<never, string[]> | null;
  values: string[];
}

/** What a batch writes to one table; null if it has no rows for it. */
type WriteTable = (changes: RealmChanges[], marker: string) => ReadyWrite | null;

const written =
  <Row>(write: Write<Row>, rowsOf: (one: RealmChanges, marker: string) => Row[]): WriteTable =>
  (changes, marker) => {
    const realmIds: string[] = [];
    const rows: Row[] = [];
    for (const one of changes) {
      for (const row of rowsOf(one, marker)) {
        realmIds.push(one.realm.id);
        rows.push(row);
      }
    }
    const first = realmIds[0];
    if (first === undefined) return null;
    const values = write.values.map((value) => arrayText(rows.map(value)));
    const isOne = realmIds.every((realmId) => realmId === first);
    const which = isOne ? 'one' : 'many';
    return {
      statement: write[which],
      guarded: write.guarded?.[which] ?? null,
      values: [isOne ? first : arrayText(realmIds), ...values],
    };
  };

type ChangesOf<Row> = (one: RealmChanges) => Change<Row>[];

const rowsIn = <Row>(changes: Change<Row>[]): Row[] =>
  changes.flatMap(({ row }) => (row ? [row] : []));

/** For a table whose rows are never removed. */
const put = <Row>(table: Table<Row>, of: ChangesOf<Row>): WriteTable =>
  written(upsert(table), (one) => rowsIn(of(one)));

const removeAndPut = <Row>(table: Table<Row>, of: ChangesOf<Row>): WriteTable[] => [
  written(remove(table), (one) => of(one).flatMap(({ key, row }) => (row ? [] : [key]))),
  put(table, of),
];

/** The writes of a batch, in order. */
const WRITES = [
  // A plain insert: a second realm of the same name must fail, should one ever get this far.
  written(insertApart(tables.realms), ({ isNewRealm, realm }) => (isNewRealm ? [realm] : [])),
  written(update(tables.realms), ({ isNewRealm, realm }) => (isNewRealm ? [] : [realm])),
  // The marker of the batch is on the first record of each realm.
  written(insert(journal), ({ records }, batch) =>
    records.map((record, index) => (index === 0 ? { ...record, batch } : record)),
  ),
  put(tables.balances, ({ balances }) => balances),
  written(insert(tables.idempotencyRecords), ({ idempotencyRecords }) => idempotencyRecords),
  put(tables.reversals, ({ reversals }) => reversals),
  put(tables.holds, ({ holds }) => holds),
  put(tables.members, ({ members }) => members),
  put(tables.erasures, ({ erasures }) => erasures),
  ...removeAndPut(tables.accounts, ({ accounts }) => accounts),
  ...removeAndPut(tables.wallets, ({ wallets }) => wallets),
  ...removeAndPut(tables.challenges, ({ challenges }) => challenges),
  put(tables.kinds, ({ kinds }) => kinds),
  put(tables.apiKeys, ({ apiKeys }) => apiKeys),
  written(insertApart(keyDirectoryTable, ' ON CONFLICT DO NOTHING'), ({ apiKeys }) =>
    rowsIn(apiKeys),
  ),
  ...removeAndPut(tables.assets, ({ assets }) => assets),
  ...removeAndPut(tables.webhooks, ({ webhooks }) => webhooks),
];

/** Decides a batch and prepares all of its writes. */
export function readyOf({ decide }: Batch, facts: RealmFacts[]): Ready {
  const decision = decide(facts);
  const marker = randomBytes(9).toString('base64url');
  const writes = WRITES.flatMap((write) => write(decision.changes, marker) ?? []);
  return { decision, marker, writes };
}
