import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { FreshCache } from '../../src/http/fresh-cache.ts';

const MAX_ENTRIES = 10_000;

/** A cache that counts look-ups, at a time that the test sets. */
function setUp(context: TestContext) {
  const clock = { now: 10_000 };
  context.mock.method(performance, 'now', () => clock.now);
  const lookUps: string[] = [];
  const cache = new FreshCache(async (id: string) => {
    lookUps.push(id);
    return { id };
  });
  const use = async (id: string) => cache.find(id);
  return { clock, cache, lookUps, use };
}

test('one key too many drops the one that has not been used for longest', async (context) => {
  const { clock, cache, use } = setUp(context);
  for (let key = 0; key < MAX_ENTRIES; key++) await use(`${key}`);
  // The first one is in use, and so is looked up again.
  clock.now += 1_000;
  await use('0');
  await new Promise((next) => setImmediate(next));
  await use('one more');
  assert.equal(cache.last('1'), undefined);
  for (let key = 2; key < MAX_ENTRIES; key++) assert.ok(cache.last(`${key}`), `${key}`);
  assert.ok(cache.last('0') && cache.last('one more'));
});

test('callers share a look-up, and however many there are, nobody is refused', async (context) => {
  const { cache, lookUps } = setUp(context);
  const keys = Array.from({ length: 3_000 }, (_, key) => `${key % 1_500}`);
  const found = await Promise.all(keys.map((key) => cache.find(key)));
  assert.deepEqual(
    found.map((entry) => entry?.id),
    keys,
  );
  assert.equal(lookUps.length, 1_500);
});
