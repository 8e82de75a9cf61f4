import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from '../../src/http/shared.ts';

test('many calls at once, and soon after, share one result', async () => {
  let loads = 0;
  const probe = shared(async () => {
    loads += 1;
    await new Promise((next) => setImmediate(next));
    return loads;
  }, 50);
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 100 }, probe))), new Set([1]));
  assert.equal(await probe(), 1);
  await new Promise((next) => setTimeout(next, 60));
  assert.deepEqual(await Promise.all([probe(), probe()]), [2, 2]);
});
