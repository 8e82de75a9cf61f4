import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { RealmRemovals } from '../../src/ledger/realm-work.ts';

/** A ledger whose deleted realms take some steps to remove; counts the steps made at once. */
function setUp(steps: Record<string, number>) {
  const left = new Map(Object.entries(steps));
  const seen = { atOnce: 0, most: 0, order: [] as string[] };
  const step = async ({ realmId, from }: { realmId: string; from: number }) => {
    seen.most = Math.max(seen.most, ++seen.atOnce);
    await new Promise((next) => setImmediate(next));
    seen.atOnce -= 1;
    seen.order.push(realmId);
    if (realmId === 'broken') throw new Error('no space');
    const done = (left.get(realmId) ?? 0) - 1;
    left.set(realmId, done);
    return done > 0 ? from + 1 : null;
  };
  const removed: string[] = [];
  const housekeeping = {
    removeRealmRows: step,
    removeRealm: async (realmId: string) => void removed.push(realmId),
  };
  const query = async () => [...left.keys()];
  const removals = new RealmRemovals({ housekeeping, query } as unknown as Ledger);
  return { removals, seen, removed };
}

test('many removals make one step at a time, in turns', async () => {
  const { removals, seen, removed } = setUp({ large: 6, small: 2, middle: 3 });
  await removals.resume();
  assert.equal(seen.most, 1);
  assert.deepEqual(removed, ['small', 'middle', 'large']);
  assert.deepEqual(seen.order.slice(0, 3), ['large', 'small', 'middle']);
});

test('a removal that fails holds up no other', async () => {
  const { removals, removed } = setUp({ broken: 1, other: 3 });
  await assert.rejects(removals.resume(), /no space/);
  await removals.finished('other');
  assert.deepEqual(removed, ['other']);
});
