import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BATCH, Batches, MAX_ROWS } from '../../src/cli/import/batches.ts';

/** Rows of an import, as the batches that they are sent in. */
const rowOf = (memberId: string, walletKey?: string, length = 100) => {
  const wallet = { chain: 'eip155' as const, key: walletKey ?? '', address: '' };
  const wallets = walletKey === undefined ? [] : [wallet];
  return { row: { length }, enrolment: { memberId, fields: {}, wallets, balances: [] } };
};

function batchesOf(rows: ReturnType<typeof rowOf>[]): string[][] {
  const batches = new Batches<ReturnType<typeof rowOf>>();
  const sent = rows.flatMap((row) => batches.add(row));
  return [...sent, ...batches.rest()].map((batch) =>
    batch.map(({ enrolment }) => enrolment.memberId),
  );
}

const backwards = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(count - index));

const sorted = (ids: string[]): string[] => ids.toSorted((a, b) => Number(a) - Number(b));

test('every row is in one batch, which has the neighbours of a window', () => {
  const ids = backwards(70 * BATCH + 7);
  const batches = batchesOf(ids.map((id) => rowOf(id)));
  assert.ok(batches.every(({ length }, index) => length === (index < 70 ? BATCH : 7)));
  assert.deepEqual(sorted(batches.flat()), sorted(ids));
  for (const batch of batches) assert.deepEqual(batch, sorted(batch));
  // The first batch is sent at once, and the windows double, up to 32 batches.
  let from = 0;
  for (const size of [1, 2, 4, 8, 16, 32]) {
    const window = ids.slice(from * BATCH, (from + size) * BATCH);
    assert.deepEqual(batches.slice(from, from + size).flat(), sorted(window));
    from += size;
  }
});

test('rows that have the same wallet stay in the order of the file', () => {
  const ids = backwards(5);
  const same = ids.map((id) => rowOf(id, id === '5' || id === '2' ? 'same' : id));
  assert.deepEqual(batchesOf(same), [ids]);
  assert.deepEqual(batchesOf(ids.map((id) => rowOf(id, id))), [sorted(ids)]);
});

test('long rows are not gathered until memory is full', () => {
  const batches = new Batches<ReturnType<typeof rowOf>>();
  let waiting = 0;
  for (const id of backwards(200)) {
    waiting += 1;
    for (const batch of batches.add(rowOf(id, undefined, 1_000_000))) waiting -= batch.length;
    assert.ok(waiting < 50, `${waiting} MB are waiting`);
  }
});

test('members with many wallets are in smaller batches', () => {
  const ids = backwards(3 * BATCH);
  const batches = new Batches<ReturnType<typeof rowOf>>();
  const rows = ids.map((id) => {
    const { row, enrolment } = rowOf(id);
    const wallets = Array.from({ length: 50 }, (_, index) => {
      return { chain: 'eip155' as const, key: `${id} ${index}`, address: '' };
    });
    return { row, enrolment: { ...enrolment, wallets } };
  });
  const all = [...rows.flatMap((row) => batches.add(row)), ...batches.rest()];
  const found = all.flatMap((batch) => batch.map(({ enrolment }) => enrolment.memberId));
  assert.deepEqual(sorted(found), sorted(ids));
  for (const batch of all) {
    const count = batch.reduce((sum, { enrolment }) => sum + 1 + enrolment.wallets.length, 0);
    assert.ok(count > 0 && count <= MAX_ROWS, `a batch has ${count} rows`);
  }
});
