import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '../../src/store/postgres/pages.ts';

/** Rows by number, of `bytes` each, and the statements that read them. */
function statementsOn(total: number, bytes: number) {
  const counts: number[] = [];
  const next = async (last: { id: number } | undefined, count: number) => {
    counts.push(count);
    const from = last?.id ?? 0;
    return Array.from({ length: Math.min(count, total - from) }, (_, index) => ({
      id: from + index + 1,
      text: 'x'.repeat(bytes),
    }));
  };
  return { counts, next };
}

const asIs = <Row>(row: Row): Row => row;

test('an ordinary page is one statement', async () => {
  for (const total of [0, 1, 49, 50, 51, 500]) {
    const { counts, next } = statementsOn(total, 100);
    const { rows, hasMore } = await readPage({ realmId: 'r', limit: 50 }, next, asIs);
    assert.deepEqual(counts, [51]);
    assert.equal(rows.length, Math.min(50, total));
    assert.equal(hasMore, total > 50);
  }
});

test('few rows are read beyond the end of a page', async () => {
  const large = statementsOn(1_000, 30_000);
  const page = await readPage({ realmId: 'r', limit: 500 }, large.next, asIs);
  assert.equal(page.rows.length, 34);
  assert.equal(page.hasMore, true);
  assert.deepEqual(large.counts, [51]);
  for (const total of [499, 500, 501]) {
    const small = statementsOn(total, 100);
    const { rows, hasMore } = await readPage({ realmId: 'r', limit: 500 }, small.next, asIs);
    assert.deepEqual(
      rows.map(({ id }) => id),
      Array.from({ length: Math.min(500, total) }, (_, index) => index + 1),
    );
    assert.equal(hasMore, total > 500);
    assert.ok(small.counts.length <= 10, String(small.counts));
  }
});
