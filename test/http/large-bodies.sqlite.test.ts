import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';
import { announce, dial } from '../support/sockets.ts';

/** Bodies that are read, checked and fingerprinted in slices. */
const service = await serviceForFile();
const BATCH = '/members/tokenBalance';
const LIMIT = 4 * 1024 * 1024;

const entriesFor = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ memberId: `${(index % 50) + 1}`, tokens: 1 }));

async function realmWithMembers(id: string): Promise<TestRealm> {
  const realm = await service.realm(id, { autoEnroll: true });
  await realm.expect(200, 'PATCH', BATCH, { body: { entries: entriesFor(50) } });
  return realm;
}

test('a large body has the effect of a small one, whatever else is in it', async () => {
  const realm = await realmWithMembers('effect');
  const nested = `${'['.repeat(60)}1${']'.repeat(60)},`.repeat(20_000).slice(0, -1);
  const entries = JSON.stringify([...entriesFor(1), { memberId: 2, tokens: 5, x: [{ y: 1 }] }]);
  const raw = `{"ignored":{"a":[${nested}]},"entries":${entries},"more":[{},[]]}`;
  const { json } = await realm.expect(200, 'PATCH', BATCH, { raw });
  assert.deepEqual(
    json.results.map(({ newBalance }: { newBalance: number }) => newBalance),
    [2, 6],
  );
  const all = await realm.expect(200, 'PATCH', BATCH, { body: { entries: entriesFor(10_000) } });
  assert.equal(all.json.results.length, 10_000);
  assert.equal(await realm.balance('3'), 201);
});

test('a fault in a large body is the one that a small body has', async () => {
  const realm = await realmWithMembers('faults');
  const padding = `"padding":"${'x'.repeat(40_000)}"`;
  await changesNothing(realm, async () => {
    const faults = ['{"a":1,"a":2}', '{"a":[1e999]}', '{"a":"\\u0000"}', '[', '[1}', '["\\x"]'];
    for (const fault of faults) {
      const small = await realm.send('PATCH', BATCH, { raw: `{"padding":"","x":${fault}}` });
      const large = await realm.send('PATCH', BATCH, { raw: `{${padding},"x":${fault}}` });
      assert.equal(large.status, 400);
      assert.equal(large.json.code, small.json.code);
      assert.deepEqual(
        large.json.errors?.map(({ pointer }: { pointer: string }) => pointer),
        small.json.errors?.map(({ pointer }: { pointer: string }) => pointer),
      );
    }
    const wrong = { memberId: 'x', tokens: 0 };
    const body = { entries: Array(10_000).fill(wrong), atomic: 5 };
    const reply = await realm.send('PATCH', BATCH, { body });
    const places = Array.from({ length: 50 }, (_, at) => [`/${at}/memberId`, `/${at}/tokens`]);
    const first = places.flat().map((place) => `/entries${place}`);
    assertFaults(reply, '/atomic', ...first.slice(0, 99));
  });
});

test('a large request is replayed, whatever its white space and order of keys', async () => {
  const realm = await realmWithMembers('replay');
  const headers = { 'idempotency-key': 'large' };
  const ignored = { b: [{ d: 1, c: '\u00e9' }], a: 1.5 };
  const sent = { entries: entriesFor(2_000), ignored };
  const first = await realm.expect(200, 'PATCH', BATCH, { body: sent, headers });
  const turned = { ignored: { a: 1.5, b: [{ c: '\u00e9', d: 1 }] }, entries: sent.entries };
  const raw = JSON.stringify(turned, null, 2).replaceAll('\u00e9', '\\u00e9');
  const again = await realm.expect(200, 'PATCH', BATCH, { raw, headers });
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(again.json, first.json);
  const other = { ...sent, ignored: { ...ignored, a: 2 } };
  const reused = await realm.send('PATCH', BATCH, { body: other, headers });
  assertProblem(reused, 'idempotency-key-reused');
});

test('a chunked body is read whatever its size', async () => {
  const realm = await realmWithMembers('chunked');
  const headers = { 'transfer-encoding': 'chunked' };
  for (const count of [1, 5_000]) {
    const body = { entries: entriesFor(count) };
    const { json } = await realm.expect(200, 'PATCH', BATCH, {
      raw: JSON.stringify(body),
      headers: { ...headers, 'content-length': [] },
    });
    assert.equal(json.results.length, count);
  }
});

test('large bodies under way take memory from their own realm, and from no other', async () => {
  const heavy = await realmWithMembers('heavy');
  const light = await realmWithMembers('light');
  const headers = {
    authorization: `Bearer ${heavy.key}`,
    'content-type': 'application/json',
    'content-length': LIMIT,
  };
  const stalled: Socket[] = [];
  for (let i = 0; i < 4; i++) {
    const socket = dial(service);
    stalled.push(socket);
    await announce(socket, 'PATCH', heavy.path(BATCH), headers);
    socket.write('{');
  }
  const large = { body: { entries: entriesFor(5_000) } };
  const waiting = heavy.send('PATCH', BATCH, large);
  await light.expect(200, 'PATCH', BATCH, large);
  await heavy.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 1 } });
  // A body beyond the limit is refused without waiting for memory.
  const beyond = await heavy.send('PATCH', BATCH, { raw: Buffer.alloc(LIMIT + 1, ' ') });
  assertProblem(beyond, 'body-too-large');
  const refused = await waiting;
  assertProblem(refused, 'overloaded');
  assert.equal(refused.headers['retry-after'], '1');
  const admitted = heavy.send('PATCH', BATCH, large);
  for (const socket of stalled) socket.destroy();
  assert.equal((await admitted).status, 200);
});
