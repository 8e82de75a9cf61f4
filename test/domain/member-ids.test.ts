import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreeIds } from '../../src/domain/rules/member-ids.ts';

const MAX_ID = 2n ** 63n - 1n;

/** Searches with the given ids used, and counts the look-ups. */
function search(isUsed: (id: bigint) => boolean, first: string, count: number) {
  const searching = findFreeIds(first, count);
  let lookUps = 0;
  let step = searching.next();
  while (!step.done) {
    lookUps += step.value.length;
    step = searching.next(new Set(step.value.filter((id) => isUsed(BigInt(id)))));
  }
  return { ids: step.value, lookUps };
}

test('the first unused ids are found among some used ones', () => {
  const used = new Set([2n, 3n, 5n]);
  const { ids } = search((id) => used.has(id), '1', 4);
  assert.deepEqual(ids, ['1', '4', '6', '7']);
});

test('a number of members costs no more than its logarithm', () => {
  for (const members of [1_000n, 600_000n, 10n ** 9n]) {
    const { ids, lookUps } = search((id) => id <= members, '1', 2);
    assert.deepEqual(ids, [String(members + 1n), String(members + 2n)]);
    assert.ok(lookUps < 250, `${lookUps} look-ups`);
  }
});

test('the look-ups grow with the ids wanted', () => {
  const isUsed = (id: bigint) => id < 95_000n && (id % 2n === 0n || (id > 500n && id < 90_000n));
  const [few, many] = [1_000, 2_000].map((count) => search(isUsed, '1', count));
  assert.equal(new Set(many?.ids).size, 2_000);
  assert.ok((many?.lookUps ?? 0) < 2.2 * (few?.lookUps ?? 0));
});

test('ids end at 2^63-1, and so does the search', () => {
  assert.deepEqual(search(() => false, String(MAX_ID - 1n), 5).ids, [
    String(MAX_ID - 1n),
    String(MAX_ID),
  ]);
  assert.deepEqual(search(() => true, '1', 5).ids, []);
});
