import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonBytes, MAX_PAGE_BYTES, pageOf } from '../../src/domain/rules/pages.ts';

/** The number of rows that were read so far. */
function* counted<Row>(rows: Row[], count: { read: number }): Generator<Row> {
  for (const row of rows) {
    count.read += 1;
    yield row;
  }
}

const sizes = fc.array(
  fc.oneof(fc.nat(2_000), fc.nat(MAX_PAGE_BYTES), fc.constant(2 * MAX_PAGE_BYTES)),
  { maxLength: 80 },
);

test('a page ends at its limits, has at least one row, and reads one row beyond its end', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 60 }), (all, limit) => {
      const count = { read: 0 };
      const { rows, hasMore } = pageOf(counted(all, count), limit, (bytes) => bytes);
      assert.deepEqual(rows, all.slice(0, rows.length));
      assert.equal(hasMore, rows.length < all.length);
      assert.equal(count.read, hasMore ? rows.length + 1 : all.length);
      assert.ok(rows.length <= limit);
      assert.equal(rows.length === 0, all.length === 0);
      const sum = rows.reduce((a, b) => a + b, 0);
      assert.ok(sum <= MAX_PAGE_BYTES || rows.length === 1, String(sum));
      const next = all[rows.length] ?? 0;
      assert.ok(!hasMore || rows.length === limit || sum + next > MAX_PAGE_BYTES, 'ends too early');
    }),
  );
});

test('the size of a row is about that of its JSON', () => {
  const rows = fc.record({
    id: fc.string({ unit: 'grapheme' }),
    metadata: fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🐸'), maxLength: 8_000 }),
    wallets: fc.array(fc.record({ address: fc.string(), primary: fc.boolean() })),
    balances: fc.dictionary(fc.stringMatching(/^[a-z]{1,32}$/), fc.maxSafeInteger()),
    at: fc.maxSafeNat(),
    username: fc.option(fc.stringMatching(/^[a-z]{0,64}$/)),
  });
  fc.assert(
    fc.property(rows, (row) => {
      const real = Buffer.byteLength(JSON.stringify(row));
      const counted = jsonBytes(row);
      assert.ok(counted > real / 2 && counted < real * 2, `${counted} instead of ${real}`);
    }),
  );
});
