import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Turns, type Waiting } from '../../src/engine/turns.ts';

const UNLIMITED = { perLine: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY };

interface Item extends Waiting {
  id: number;
}

let lastId = 0;
const item = (line: string, cost = 1): Item => ({ line, cost, arrival: 0, id: ++lastId });

const addMany = (turns: Turns<Item>, realmId: string, count: number, cost = 1): Item[] =>
  Array.from({ length: count }, () => {
    const one = item(realmId, cost);
    turns.add(one);
    return one;
  });

function takeMany(turns: Turns<Item>, count = Number.POSITIVE_INFINITY): Item[] {
  const taken: Item[] = [];
  for (let one = turns.take(); one; one = turns.take()) {
    taken.push(one);
    if (taken.length === count) break;
  }
  return taken;
}

test('a realm that asks for little is next, whatever waits of others', () => {
  const turns = new Turns<Item>(UNLIMITED);
  for (const realmId of ['h1', 'h2', 'h3']) addMany(turns, realmId, 5, 10_000);
  addMany(turns, 'many', 5_000);
  takeMany(turns, 300);
  for (let round = 0; round < 100; round++) {
    const light = item('light');
    turns.add(light);
    // Of a realm that also has small items, the one whose turn it was may come first.
    assert.ok(takeMany(turns, 2).includes(light));
  }
});

test('realms with much to do get equal shares by cost', () => {
  const turns = new Turns<Item>(UNLIMITED);
  addMany(turns, 'small', 10_000, 1);
  addMany(turns, 'medium', 1_000, 10);
  addMany(turns, 'large', 10, 1_000);
  const served = new Map<string, number>();
  for (let one = turns.take(); one; one = turns.take()) {
    served.set(one.line, (served.get(one.line) ?? 0) + one.cost);
    const [least, most] = [served.get('large') ?? 0, served.get('small') ?? 0];
    assert.ok(Math.abs(most - least) <= 1_000, `${most} and ${least}`);
  }
  assert.deepEqual([...served.values()], [10_000, 10_000, 10_000]);
});

test('a realm that was idle has saved up nothing', () => {
  const turns = new Turns<Item>(UNLIMITED);
  addMany(turns, 'busy', 2_000);
  takeMany(turns, 1_000);
  addMany(turns, 'idle', 1_000);
  const next = takeMany(turns, 100).filter(({ line }) => line === 'idle').length;
  assert.ok(next >= 49 && next <= 51, String(next));
});

test('whoever asks again at once does not overtake those who wait', () => {
  const turns = new Turns<Item>(UNLIMITED);
  const burst = addMany(turns, 'burst', 10);
  for (let one = 0; one < 100; one++) addMany(turns, `steady ${one}`, 1);
  const waiting = new Set(burst);
  for (let taken = 0; taken < 1_100; taken++) {
    const one = turns.take();
    if (!one || waiting.delete(one)) continue;
    addMany(turns, one.line, 1);
  }
  assert.equal(waiting.size, 0);
});

test('a realm beyond its limit is refused, and no other', () => {
  const turns = new Turns<Item>({ perLine: 20, inAll: 1_000 });
  assert.ok(turns.add(item('a', 15)));
  assert.equal(turns.add(item('a', 6)), false);
  assert.ok(turns.add(item('a', 5)));
  assert.equal(turns.add(item('a')), false);
  assert.ok(turns.add(item('b')));
});

test('a single item is admitted, however large', () => {
  const turns = new Turns<Item>({ perLine: 20, inAll: 30 });
  for (const realmId of ['a', 'b', 'c']) assert.ok(turns.add(item(realmId, 100)));
});

test('when all is full, only realms with more than their share are refused', () => {
  const turns = new Turns<Item>({ perLine: 100, inAll: 100 });
  addMany(turns, 'greedy', 100);
  assert.ok(turns.add(item('light')));
  assert.equal(turns.add(item('greedy')), false);
  for (let waiting = 1; waiting < 50; waiting++) assert.ok(turns.add(item('light')));
  assert.equal(turns.add(item('light')), false);
  takeMany(turns, 60);
  assert.ok(turns.add(item('greedy')));
});

type Step =
  | { do: 'add'; realm: number; cost: number }
  | { do: 'take' | 'takeAll' }
  | { do: 'takeFrom' | 'pause' | 'resume' | 'putBack'; realm: number };

const realm = fc.integer({ min: 0, max: 4 });
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('add' as const), realm, cost: fc.nat(9) }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'takeFrom' as const,
          'pause' as const,
          'resume' as const,
          'putBack' as const,
        ),
        realm,
      }),
    },
  ),
  { maxLength: 300 },
);

/** What must wait in each realm, in order; and the realms that are paused. */
class Model {
  readonly lines = new Map<string, Item[]>();
  readonly paused = new Set<string>();
  readonly lastTaken = new Map<string, Item>();

  line(realmId: string): Item[] {
    return this.lines.getOrInsertComputed(realmId, () => []);
  }

  cost(realmId: string): number {
    return this.line(realmId).reduce((sum, one) => sum + one.cost, 0);
  }

  taken(one: Item | undefined, realmId: string | undefined = one?.line): void {
    if (realmId === undefined) return;
    const expected = this.line(realmId).shift();
    assert.equal(one?.id, expected?.id, 'in order of arrival, nothing lost, nothing twice');
    if (one) this.lastTaken.set(realmId, one);
  }
}

function apply(turns: Turns<Item>, model: Model, step: Step): void {
  const realmId = 'realm' in step ? `r${step.realm}` : '';
  switch (step.do) {
    case 'add': {
      const one = item(realmId, step.cost + 1);
      const before = model.cost(realmId);
      const isAdmitted = turns.add(one);
      if (before === 0) assert.ok(isAdmitted);
      if (isAdmitted && before > 0) assert.ok(before + one.cost <= 60);
      if (isAdmitted) model.line(realmId).push(one);
      break;
    }
    case 'take': {
      const one = turns.take();
      const waiting = [...model.lines].some(
        ([id, line]) => line.length > 0 && !model.paused.has(id),
      );
      assert.equal(one !== undefined, waiting);
      if (one) assert.ok(!model.paused.has(one.line));
      model.taken(one);
      break;
    }
    case 'takeFrom':
      model.taken(turns.takeFrom(realmId), realmId);
      break;
    case 'pause':
      turns.pause(realmId);
      model.paused.add(realmId);
      break;
    case 'resume':
      turns.resume(realmId);
      model.paused.delete(realmId);
      break;
    case 'putBack': {
      const last = model.lastTaken.get(realmId);
      if (!last || !model.paused.has(realmId)) break;
      turns.putBack(realmId, [last]);
      model.line(realmId).unshift(last);
      model.lastTaken.delete(realmId);
      break;
    }
  }
  let length = 0;
  for (const [id, line] of model.lines) if (!model.paused.has(id)) length += line.length;
  assert.equal(turns.length, length);
}

test('each realm in order, nothing lost, nothing twice, within limits', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const turns = new Turns<Item>({ perLine: 60, inAll: 150 });
      const model = new Model();
      for (const step of all as Step[]) apply(turns, model, step);
      const left = [...model.lines.values()].flat().map(({ id }) => id);
      const taken = turns.takeAll().map(({ id }) => id);
      assert.deepEqual(taken.sort(), left.sort());
    }),
    { numRuns: 500 },
  );
});

test('a light realm waits for at most one item of each other realm', () => {
  const arrivals = fc.array(fc.record({ realm, cost: fc.integer({ min: 1, max: 500 }) }), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(arrivals, fc.nat(100), (heavy, served) => {
      const turns = new Turns<Item>({ perLine: 2_000, inAll: 5_000 });
      for (const { realm: id, cost } of heavy) turns.add(item(`r${id}`, cost + 1));
      takeMany(turns, served);
      const light = item('light');
      assert.ok(turns.add(light));
      const before: Item[] = [];
      for (let one = turns.take(); one && one !== light; one = turns.take()) before.push(one);
      assert.equal(new Set(before.map(({ line }) => line)).size, before.length);
    }),
  );
});
