import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done } from '../support/points.ts';
import { serviceForFile } from '../support/service.ts';
import { ALICE, BOB, type ProgramCall, programs, WALLET } from './replay-shapes.ts';

/** Programs that were written for these paths work unchanged. */
const service = await serviceForFile();
const kinds = [
  { id: 'badges', name: 'Badges' },
  { id: 'points', name: 'Points', isDefault: true },
];
await done(
  service.send('POST', '/api/v4/realms', { body: { id: 'replay', name: 'Replay', points: kinds } }),
);
const path = '/api/v4/realms/replay';
const { key } = await done(
  service.send('POST', `${path}/keys`, { body: { name: 'old', scopes: ['write'] } }),
);
for (const body of [
  { id: ALICE, username: 'alice', wallets: [WALLET] },
  { id: BOB, username: 'bob' },
]) {
  await done(service.send('POST', `${path}/members`, { body }));
}
const entries = [
  { memberId: ALICE, tokens: 1_000 },
  { memberId: ALICE, tokens: 3, realmPointId: 'badges' },
];
await done(service.send('PATCH', `${path}/members/tokenBalance`, { body: { entries } }));

/** The value at a path of names and indexes, as `ProgramCall` describes it. */
function valueAt(json: unknown, place: string): unknown {
  let value = json;
  for (const name of place.split('.')) {
    const fields = (value ?? {}) as Record<string, unknown>;
    value = name === 'first' ? Object.values(fields)[0] : fields[name];
  }
  return value;
}

/** What the program would not find in the answer. */
async function replay(call: ProgramCall, headers: Record<string, string>): Promise<string[]> {
  const { method, body, status, reads } = call;
  const sent = { key: null, headers, ...(body !== undefined && { raw: body }) };
  const reply = await service.send(method, path + call.path, sent);
  const wanted: ProgramCall['reads'] = { status, ...reads };
  const found = Object.entries(wanted).map(([place, expected]) => {
    const value = valueAt({ ...reply.json, status: reply.status }, place);
    const isFound = expected instanceof RegExp ? expected.test(String(value)) : value === expected;
    return isFound ? '' : `${method} ${call.path}: ${place} is ${value} instead of ${expected}`;
  });
  return found.filter((fault) => fault !== '');
}

// Each continues from where the one before has left the realm.
for (const { name, headers, calls } of programs) {
  const own = Object.entries(headers).map(([field, value]) => [field, value.replace('{key}', key)]);
  test(name, async () => {
    const faults: string[] = [];
    for (const call of calls) faults.push(...(await replay(call, Object.fromEntries(own))));
    assert.deepEqual(faults, []);
  });
}
