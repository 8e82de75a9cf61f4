import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InDoubt, Unavailable } from '../../src/ledger/errors.ts';
import { Outage } from '../../src/ledger/outage.ts';

const full = new Unavailable('storage-full', 'no space');
const unavailable = new Unavailable('storage-unavailable', 'disk I/O error');
const overloaded = new Unavailable('overloaded', 'too much to do');

/** An outage whose probes fail with the given error, and what it reported. */
function watched() {
  const state = { probe: null as Error | null, probes: 0, reported: [] as string[] };
  const outage = new Outage(async () => {
    state.probes += 1;
    if (state.probe) throw state.probe;
  });
  outage.onChange((cause) => state.reported.push(cause?.reason ?? 'available'));
  return { outage, state };
}

test('a failure is an outage only if a probe fails, too', async () => {
  const { outage, state } = watched();
  await outage.examine(full);
  assert.deepEqual([state.probes, outage.cause], [1, null]);
  for (const other of [overloaded, new Error('a bug')]) await outage.examine(other);
  assert.equal(state.probes, 1);
  state.probe = overloaded;
  await outage.examine(full);
  assert.deepEqual([state.probes, outage.cause], [2, null]);
  state.probe = full;
  await outage.examine(new InDoubt('the disk failed'));
  assert.equal(outage.cause, full);
  outage.close();
});

test('many failures share a probe, and an outage is reported once for each reason', async () => {
  const { outage, state } = watched();
  state.probe = full;
  await Promise.all(Array.from({ length: 50 }, () => outage.examine(full)));
  assert.equal(state.probes, 1);
  await outage.check();
  state.probe = unavailable;
  await outage.check();
  await outage.check();
  assert.equal(outage.cause, unavailable);
  state.probe = null;
  await outage.check();
  await outage.check();
  assert.equal(outage.cause, null);
  assert.deepEqual(state.reported, ['storage-full', 'storage-unavailable', 'available']);
  outage.close();
});

test('probes go on by themselves until one succeeds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { outage, state } = watched();
  state.probe = full;
  outage.begin(full);
  const tick = async () => {
    t.mock.timers.tick(250);
    await new Promise((next) => setImmediate(next));
  };
  await tick();
  await tick();
  assert.equal(state.probes, 2);
  state.probe = null;
  await tick();
  assert.deepEqual(state.reported, ['storage-full', 'available']);
  const { probes } = state;
  t.mock.timers.tick(10_000);
  assert.equal(state.probes, probes);
  outage.close();
});
