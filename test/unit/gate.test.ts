import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../src/ledger/errors.ts';
import { Gate } from '../../src/ledger/gate.ts';

const LIMITS = { window: 10, perRealm: 100, inAll: 1_000 };

/** A gate that is full, since work of cost 5 is inside twice, until it is emptied. */
function fullGate() {
  const gate = new Gate(LIMITS);
  assert.equal(gate.enter('a', 5), null);
  assert.equal(gate.enter('a', 5), null);
  const empty = (): void => {
    gate.leave(5);
    gate.leave(5);
  };
  return { gate, empty };
}

/** The order in which work enters. */
function recorder(gate: Gate) {
  const entered: string[] = [];
  const enter = (realmId: string, cost: number, caller?: { destroyed: boolean }) => {
    const entry = gate.enter(realmId, cost, caller)?.then(() => {
      entered.push(realmId);
    });
    entry?.catch(() => {});
    return entry;
  };
  return { entered, enter };
}

const settled = (): Promise<void> => new Promise((next) => setImmediate(next));

test('work enters while the window has room, and the last of it may exceed the window', () => {
  const gate = new Gate(LIMITS);
  assert.equal(gate.enter('a', 5), null);
  assert.equal(gate.enter('a', 4), null);
  assert.equal(gate.enter('b', 500), null);
  assert.ok(recorder(gate).enter('c', 1));
});

test('the largest work takes half of the window, and lets others in', () => {
  const gate = new Gate(LIMITS);
  assert.equal(gate.enter('a', 500), null);
  assert.equal(gate.enter('b', 1), null);
  gate.leave(500);
  assert.equal(gate.enter('c', 9), null);
});

test('a light realm enters before the work that others have waiting', async () => {
  const { gate, empty } = fullGate();
  const { entered, enter } = recorder(gate);
  for (let count = 0; count < 4; count++) enter('heavy', 10);
  enter('light', 1);
  empty();
  await settled();
  assert.deepEqual(entered, ['light', 'heavy', 'heavy']);
  gate.leave(10);
  await settled();
  assert.deepEqual(entered, ['light', 'heavy', 'heavy', 'heavy']);
});

test('nobody overtakes those that wait, even if there is room', async () => {
  const { gate, empty } = fullGate();
  const { entered, enter } = recorder(gate);
  enter('b', 5);
  empty();
  assert.equal(gate.enter('c', 1), null, 'b is inside');
  await settled();
  assert.deepEqual(entered, ['b']);
});

test('the work of a caller that has gone is dropped when its turn comes', async () => {
  const { gate, empty } = fullGate();
  const { entered, enter } = recorder(gate);
  const caller = { destroyed: false };
  const dropped = assert.rejects(enter('b', 5, caller) as Promise<void>, Unavailable);
  enter('c', 5);
  caller.destroyed = true;
  empty();
  await dropped;
  assert.deepEqual(entered, ['c']);
  gate.leave(5);
  assert.equal(gate.enter('d', 1), null, 'what was dropped takes no room');
});

test('a realm that has too much waiting is refused, and no other', async () => {
  const { gate, empty } = fullGate();
  const { entered, enter } = recorder(gate);
  for (let count = 0; count < 10; count++) enter('b', 10);
  await assert.rejects(enter('b', 1) as Promise<void>, /too many requests/);
  enter('c', 1);
  empty();
  await settled();
  assert.ok(entered.includes('c'));
});

test('work whose turn comes after more than ten seconds is rejected', async (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const { gate, empty } = fullGate();
  const waiting = gate.enter('b', 1) as Promise<void>;
  now = 9_000;
  const later = gate.enter('c', 1);
  now = 10_001;
  empty();
  await assert.rejects(waiting, Unavailable);
  await later;
});
