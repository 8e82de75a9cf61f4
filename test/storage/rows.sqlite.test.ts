import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { transaction } from '../../src/store/sqlite/database.ts';
import { bulkInserter } from '../../src/store/sqlite/rows.ts';

test('rows are inserted in statements of several, and all or none of them', () => {
  using db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE pairs (realm_id TEXT, number INTEGER, PRIMARY KEY (realm_id, number))');
  const insertNumbers = bulkInserter<number>(db, {
    table: 'pairs',
    columns: 'realm_id, number',
    end: '',
    valuesOf: (realmId, number) => [realmId, number],
  });
  const stored = () =>
    db
      .prepare('SELECT number FROM pairs')
      .all()
      .map(({ number }) => number);
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
  const write = (numbers: number[]) => transaction(db, () => insertNumbers('acme', numbers));
  // The one that is there twice is in the second statement, or in one of its own.
  for (const twice of [upTo(16).with(15, 3), [...upTo(16), 3]]) {
    assert.throws(() => write(twice), /UNIQUE constraint failed/);
    assert.equal(db.isTransaction, false);
    assert.deepEqual(stored(), []);
  }
  for (const count of [0, 1, 8, 21]) {
    write(upTo(count));
    assert.deepEqual(stored(), upTo(count));
    db.exec('DELETE FROM pairs');
  }
});
