import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { StorageFault } from '../../src/domain/queries.ts';
import { readinessOf } from '../../src/http/pages.ts';
import type { Services } from '../../src/http/services.ts';
import { serviceForFile } from '../support/service.ts';

/** Readiness has reasons in words, and a flood of probes asks the storage once. */
const service = await serviceForFile();

test('readyz lists its checks', async () => {
  const { json } = await service.expect(200, 'GET', '/readyz');
  assert.deepEqual(json, { status: 'ready', checks: { storage: 'ok' } });
});

interface Fake {
  services: Services;
  calls: number;
  faults: StorageFault[] | Error;
}

function fake(): Fake {
  const state: Fake = { calls: 0, faults: [], services: {} as Services };
  const query = async () => {
    state.calls += 1;
    if (state.faults instanceof Error) throw state.faults;
    return state.faults;
  };
  const none = { outage: null, damage: null, checkedAt: null, backup: null };
  const status = { ...none, isStopping: false, faults: new Map() };
  state.services = { ledger: { query }, status } as unknown as Services;
  return state;
}

const reasons = (faults: StorageFault[]) => faults.map(({ reason }) => reason);

test('probes share an answer for a second, and changes are logged once', async (t) => {
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const state = fake();
  const ready = readinessOf(state.services, logger);
  let elapsed = 0;
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + elapsed);
  await Promise.all(Array.from({ length: 1_000 }, () => ready()));
  assert.equal(state.calls, 1);
  state.faults = [{ check: 'clock', reason: 'The clock is wrong.' }];
  for (let probe = 0; probe < 3; probe++) {
    elapsed += 1_001;
    assert.deepEqual(reasons(await ready()), ['The clock is wrong.']);
  }
  state.faults = new Error('gone');
  elapsed += 1_001;
  assert.deepEqual(reasons(await ready()), ['The database cannot be reached.']);
  state.faults = [];
  elapsed += 1_001;
  assert.deepEqual(await ready(), []);
  assert.equal(state.calls, 6);
  assert.deepEqual(lines, ['not ready', 'not ready', 'ready again']);
});

test('damage and a stop are reported at once', async () => {
  const state = fake();
  const ready = readinessOf(state.services, pino({ enabled: false }));
  assert.deepEqual(await ready(), []);
  state.services.status.damage = 'page 7 is malformed';
  assert.match(reasons(await ready())[0] ?? '', /damaged: page 7 is malformed/);
  state.services.status.isStopping = true;
  assert.deepEqual(reasons(await ready()), ['The service is stopping.']);
});
