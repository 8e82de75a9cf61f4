import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BATCH, batchesOf, MAX_ROWS } from '../../src/cli/import/batches.ts';
import { IN_FLIGHT } from '../../src/cli/import/importer.ts';
import { PENDING_LIMITS } from '../../src/ledger/commit-queue.ts';

/** Rows of an import, as the batches that they are sent in. */
const rowOf = (memberId: string, walletKeys: string[] = []) => {
  const wallets = walletKeys.map((key) => ({ chain: 'eip155' as const, key, address: '' }));
  return { enrolment: { memberId, fields: {}, wallets, balances: [] } };
};

const idsOf = (batches: ReturnType<typeof rowOf>[][]): string[][] =>
  batches.map((batch) => batch.map(({ enrolment }) => enrolment.memberId));

const backwards = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(count - index));

const sorted = (ids: string[]): string[] => ids.toSorted((a, b) => Number(a) - Number(b));

test('every row is in one batch, which has neighbours', () => {
  const ids = backwards(7 * BATCH + 7);
  const batches = idsOf(batchesOf(ids.map((id) => rowOf(id))));
  assert.deepEqual(
    batches.map(({ length }) => length),
    [...Array(7).fill(BATCH), 7],
  );
  assert.deepEqual(batches.flat(), sorted(ids));
});

test('rows that have the same wallet stay in the order of the file', () => {
  const ids = backwards(5);
  const same = ids.map((id) => rowOf(id, [id === '5' || id === '2' ? 'same' : id]));
  assert.deepEqual(idsOf(batchesOf(same)), [ids]);
  assert.deepEqual(idsOf(batchesOf(ids.map((id) => rowOf(id, [id])))), [sorted(ids)]);
});

test('members with many wallets are in smaller batches', () => {
  const ids = backwards(3 * BATCH);
  const fifty = Array.from({ length: 50 }, (_, index) => index);
  const rows = ids.map((id) =>
    rowOf(
      id,
      fifty.map((index) => `${id} ${index}`),
    ),
  );
  const batches = batchesOf(rows);
  assert.deepEqual(idsOf(batches).flat(), sorted(ids));
  for (const batch of batches) {
    const count = batch.reduce((sum, { enrolment }) => sum + 1 + enrolment.wallets.length, 0);
    assert.ok(count > 0 && count <= MAX_ROWS, `a batch has ${count} rows`);
  }
});

test('the batches of an import that are under way are never too many for a realm', () => {
  assert.ok(IN_FLIGHT * MAX_ROWS <= PENDING_LIMITS.perRealm);
});
