import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue, type Waiting } from '../../src/ledger/fair-queue.ts';

const UNLIMITED = { perRealm: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY };

interface Item extends Waiting {
  id: number;
}

let lastId = 0;
const item = (realmId: string, cost = 1): Item => ({ realmId, cost, id: ++lastId });

const addMany = (queue: FairQueue<Item>, realmId: string, count: number, cost = 1): Item[] =>
  Array.from({ length: count }, () => {
    const one = item(realmId, cost);
    queue.add(one);
    return one;
  });

function takeMany(queue: FairQueue<Item>, count: number): Item[] {
  const taken: Item[] = [];
  for (let one = queue.take(); one; one = queue.take()) {
    taken.push(one);
    if (taken.length === count) break;
  }
  return taken;
}

test('a realm that asks for little is next, whatever waits of others', () => {
  const queue = new FairQueue<Item>(UNLIMITED);
  for (const realmId of ['h1', 'h2', 'h3']) addMany(queue, realmId, 5, 1_000);
  addMany(queue, 'many', 5_000);
  takeMany(queue, 300);
  for (let round = 0; round < 100; round++) {
    const light = item('light');
    queue.add(light);
    // Of a realm that also has small items, the one whose turn it was may come first.
    assert.ok(takeMany(queue, 2).includes(light));
  }
});

test('realms with much to do get equal shares by cost', () => {
  const queue = new FairQueue<Item>(UNLIMITED);
  addMany(queue, 'small', 10_000, 1);
  addMany(queue, 'medium', 1_000, 10);
  addMany(queue, 'large', 10, 1_000);
  const served = new Map<string, number>();
  for (let one = queue.take(); one; one = queue.take()) {
    served.set(one.realmId, (served.get(one.realmId) ?? 0) + one.cost);
    const [least, most] = [served.get('large') ?? 0, served.get('small') ?? 0];
    assert.ok(Math.abs(most - least) <= 1_000, `${most} and ${least}`);
  }
  assert.deepEqual([...served.values()], [10_000, 10_000, 10_000]);
});

test('a realm that was idle has saved up nothing', () => {
  const queue = new FairQueue<Item>(UNLIMITED);
  addMany(queue, 'busy', 2_000);
  takeMany(queue, 1_000);
  addMany(queue, 'idle', 1_000);
  const next = takeMany(queue, 100).filter(({ realmId }) => realmId === 'idle').length;
  assert.ok(next >= 49 && next <= 51, String(next));
});

test('whoever asks again at once does not overtake those who wait', () => {
  const queue = new FairQueue<Item>(UNLIMITED);
  const burst = addMany(queue, 'burst', 10);
  for (let one = 0; one < 100; one++) addMany(queue, `steady ${one}`, 1);
  const waiting = new Set(burst);
  for (let taken = 0; taken < 1_100; taken++) {
    const one = queue.take();
    if (!one || waiting.delete(one)) continue;
    addMany(queue, one.realmId, 1);
  }
  assert.equal(waiting.size, 0);
});

test('a realm beyond its limit is refused, and no other', () => {
  const queue = new FairQueue<Item>({ perRealm: 20, inAll: 1_000 });
  assert.ok(queue.add(item('a', 15)));
  assert.equal(queue.add(item('a', 6)), false);
  assert.ok(queue.add(item('a', 5)));
  assert.equal(queue.add(item('a')), false);
  assert.ok(queue.add(item('b')));
});

test('a single item is admitted, however large', () => {
  const queue = new FairQueue<Item>({ perRealm: 20, inAll: 30 });
  for (const realmId of ['a', 'b', 'c']) assert.ok(queue.add(item(realmId, 100)));
});

test('when all is full, only realms with more than their share are refused', () => {
  const queue = new FairQueue<Item>({ perRealm: 100, inAll: 100 });
  addMany(queue, 'greedy', 100);
  assert.ok(queue.add(item('light')));
  assert.equal(queue.add(item('greedy')), false);
  for (let waiting = 1; waiting < 50; waiting++) assert.ok(queue.add(item('light')));
  assert.equal(queue.add(item('light')), false);
  takeMany(queue, 60);
  assert.ok(queue.add(item('greedy')));
});

const realm = fc.integer({ min: 0, max: 4 }).map((number) => `r${number}`);
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ add: realm, cost: fc.integer({ min: 1, max: 10 }) }),
    },
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ takeFrom: realm }) },
  ),
  { maxLength: 300 },
);

test('each realm in order, nothing lost, nothing twice, within limits', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const queue = new FairQueue<Item>({ perRealm: 60, inAll: 150 });
      const waiting = new Map<string, Item[]>();
      const of = (realmId: string) => waiting.getOrInsertComputed(realmId, () => []);
      const add = (one: Item): void => {
        const before = of(one.realmId).reduce((sum, { cost }) => sum + cost, 0);
        const isAdmitted = queue.add(one);
        assert.ok(before === 0 ? isAdmitted : !isAdmitted || before + one.cost <= 60);
        if (isAdmitted) of(one.realmId).push(one);
      };
      for (const step of all) {
        if (step && 'add' in step) add(item(step.add, step.cost));
        else if (step) assert.equal(queue.takeFrom(step.takeFrom), of(step.takeFrom).shift());
        else {
          const one = queue.take();
          if (one) assert.equal(one, of(one.realmId).shift());
        }
        assert.equal(queue.length, [...waiting.values()].flat().length);
      }
      for (const one of queue.takeAll()) assert.equal(one, of(one.realmId).shift());
      assert.deepEqual([...waiting.values()].flat(), []);
    }),
    { numRuns: 500 },
  );
});

test('a light realm waits for at most one item of each other realm', () => {
  const arrivals = fc.array(fc.record({ realm, cost: fc.integer({ min: 2, max: 501 }) }), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 100 }), (heavy, served) => {
      const queue = new FairQueue<Item>({ perRealm: 2_000, inAll: 5_000 });
      for (const { realm: realmId, cost } of heavy) queue.add(item(realmId, cost));
      takeMany(queue, served);
      const light = item('light');
      assert.ok(queue.add(light));
      const before: Item[] = [];
      for (let one = queue.take(); one && one !== light; one = queue.take()) before.push(one);
      assert.equal(new Set(before.map(({ realmId }) => realmId)).size, before.length);
    }),
  );
});
