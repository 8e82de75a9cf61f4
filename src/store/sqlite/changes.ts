import type { DatabaseSync } from 'node:sqlite';
import type { Change, RealmChanges } from '../../domain/facts.ts';
import type { Table } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';
import { insert, remove, rowInserter, rowUpserter, upsert } from './rows.ts';

type ChangeWriter = (changes: RealmChanges) => void;

/** Writes what a batch changed in one realm. */
export function changeWriter(db: DatabaseSync): ChangeWriter {
  // A plain insert: a second realm of the same name must fail, should one ever get this far.
  const insertRealm = rowInserter(db, tables.realms);
  const updateRealm = rowUpserter(db, tables.realms);
  const writers = [
    hotWriter(db),
    listWriter(db, tables.reversals, ({ reversals }) => reversals),
    listWriter(db, tables.holds, ({ holds }) => holds),
    listWriter(db, tables.erasures, ({ erasures }) => erasures),
    listWriter(db, tables.members, ({ members }) => members),
    listWriter(db, tables.accounts, ({ accounts }) => accounts),
    listWriter(db, tables.wallets, ({ wallets }) => wallets),
    listWriter(db, tables.challenges, ({ challenges }) => challenges),
    listWriter(db, tables.kinds, ({ kinds }) => kinds),
    listWriter(db, tables.assets, ({ assets }) => assets),
    listWriter(db, tables.webhooks, ({ webhooks }) => webhooks),
    listWriter(db, tables.apiKeys, ({ apiKeys }) => apiKeys),
  ];
  return (changes) => {
    (changes.isNewRealm ? insertRealm : updateRealm)(changes.realm.id, changes.realm);
    for (const write of writers) write(changes);
  };
}

/**
 * Upserts the rows that changed, and removes those that are null. For tables whose key is one
 * column besides the realm.
 */
function listWriter<Row>(
  db: DatabaseSync,
  table: Table<Row>,
  changed: (changes: RealmChanges) => readonly Change<Row>[],
): ChangeWriter {
  const upsertRow = rowUpserter(db, table);
  const removeRow = remove(db, table.name, table.key.join(', '));
  return (changes) => {
    for (const { key, row } of changed(changes)) {
      if (row) upsertRow(changes.realm.id, row);
      else removeRow.run(changes.realm.id, key);
    }
  };
}

/**
 * The three tables that every transfer writes, with their values bound by hand: bound by the
 * tables' descriptions, a transfer took this thread 2 us longer (16.4 instead of 14.2).
 */
function hotWriter(db: DatabaseSync): ChangeWriter {
  const record = insert(
    db,
    'journal',
    'realm_id, seq, type, at, actor, data, hash, personal, personal_hash',
  );
  const balance = upsert(
    db,
    'balances',
    'realm_id, member_id, realm_point_id',
    'balance, held, open_holds',
  );
  const idempotencyRecord = insert(
    db,
    'idempotency_keys',
    'realm_id, idempotency_key, fingerprint, at, seq, answer',
  );
  return ({ realm: { id }, records, balances, idempotencyRecords }) => {
    for (const { seq, type, at, actor, data, hash, personal, personalHash } of records) {
      const partHash = personalHash === null ? null : Buffer.from(personalHash, 'hex');
      const sealed = Buffer.from(hash, 'hex');
      record.run(id, seq, type, at, actor, data, sealed, personal, partHash);
    }
    for (const { row } of balances) {
      if (!row) continue;
      balance.run(id, row.memberId, row.realmPointId, row.balance, row.held, row.openHolds);
    }
    for (const { key, fingerprint, at, seq, answer } of idempotencyRecords) {
      idempotencyRecord.run(id, key, fingerprint, at, seq, answer);
    }
  };
}
