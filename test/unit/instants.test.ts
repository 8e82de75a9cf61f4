import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { iso } from '../../src/contract/instants.ts';

test('an instant is written as Date writes it', () => {
  const instant = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
  const ordinary = fc.integer({ min: 0, max: 4_102_444_800_000 });
  fc.assert(
    fc.property(fc.oneof(ordinary, instant), (at) => {
      assert.equal(iso(at), new Date(at).toISOString());
    }),
    { numRuns: 2_000 },
  );
});
