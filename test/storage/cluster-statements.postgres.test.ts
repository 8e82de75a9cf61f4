import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writing } from '../../src/store/postgres/writes.ts';
import { deleteFrom, insertInto, updateIn, upsertInto } from '../../src/store/rows.ts';
import type { RowWrite } from '../../src/store/statement.ts';
import type { Table } from '../../src/store/table.ts';
import { keyDirectory, tables } from '../../src/store/tables.ts';

/** What a Citus cluster gets to write rows; no cluster is needed here. */
const textOf = (write: RowWrite<never>): string => writing(write, [], true).statement.text;
const { realms, ...others } = tables;

for (const table of Object.values<Table<never>>(others)) {
  test(`rows of ${table.name} are written on the server that stores their realm`, () => {
    for (const write of [insertInto(table), upsertInto(table)]) {
      assert.match(
        textOf(write),
        /^INSERT INTO \w+ \(realm_id, .* FROM realms CROSS JOIN .*WHERE realms\.realm_id = \$1/s,
      );
    }
    const deletion = textOf(deleteFrom(table) as RowWrite<never>);
    assert.match(deletion, /^DELETE FROM \w+ old USING .* WHERE old\.realm_id = \$1 AND /s);
    assert.doesNotMatch(deletion, /ctid/);
  });
}

test('a realm and its keys are inserted as they are, and a realm is updated by its id', () => {
  for (const table of [realms, keyDirectory] as Table<never>[]) {
    assert.match(textOf(insertInto(table)), /SELECT \$1, .* FROM unnest\(/s);
  }
  assert.match(textOf(updateIn(realms as Table<never>)), /WHERE realms\.realm_id = \$1$/);
});
