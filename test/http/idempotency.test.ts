import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { storesIdempotencyKey } from '../../scripts/openapi/problem-answers.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { assertProblem, changesNothing, recordsOf } from '../support/checks.ts';
import { keyIdOf, prepare, sendGood, table } from '../support/requests.ts';
import { type Reply, type Sent, serviceForFile, type TestRealm } from '../support/service.ts';

/** Idempotency keys: retries, reuse, restarts. */
const service = await serviceForFile();

const keyed = (key: string, sent: Sent = {}): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'idempotency-key': key },
});

function assertReplay(again: Reply, first: Reply): void {
  assert.equal(first.headers['idempotent-replayed'], undefined);
  assert.equal(again.headers['idempotent-replayed'], 'true', again.text);
  assert.equal(again.status, first.status);
  assert.equal(again.text, first.text);
}

/** Owners have no journal: test/http/people.test.ts says what a retry does. */
const writes = table.filter(
  ([id, operation]) => storesIdempotencyKey(operation) && !id.endsWith('Owner'),
);

/** The fields of an answer that are shown once. */
const secrets: { [Id in OperationId]?: string[] } = {
  createKey: ['key'],
  rotateKey: ['key'],
  createWalletLink: ['url'],
  createWebhook: ['secret'],
  rotateWebhook: ['secret'],
  createPerson: ['invitation', 'invitationExpiresAt'],
  invitePerson: ['invitation', 'invitationExpiresAt'],
};

test('the list of writes that take a key', () => {
  const named =
    'archiveRealm captureHold challengeWallet changeManyPoints changePoints claimOffer ' +
    'createAsset createHold createKey createKind createMember createMembers createOffer ' +
    'createPerson createRealm createWalletLink createWebhook deliverClaim drawOffer invitePerson ' +
    'linkWallet putMember rejectClaim releaseHold replayWebhook reverseTransaction ' +
    'rotateKey rotateWebhook transferPoints unarchiveRealm updateKind updateMember ' +
    'updateOffer updatePerson updateRealm updateWebhook';
  assert.equal(
    writes
      .map(([id]) => id)
      .sort()
      .join(' '),
    named,
  );
});

for (const [id, operation] of writes) {
  const isNewRealm = id === 'createRealm';
  test(`${id}: a retry gets the same answer and has no second effect`, async () => {
    const prepared = await prepare(service, `retry-${id}`);
    const first = await sendGood(id, prepared, keyed('k'));
    assert.ok(first.status < 300, first.text);
    const retry = () => sendGood(id, prepared, keyed('k'));
    const again = await changesNothing(prepared.realm, retry);
    const hidden = secrets[id];
    if (hidden) {
      assert.match(first.json[hidden[0] ?? ''], /^(rk|whsec)_|#(code=|rk_)/);
      const shown = hidden.map((name) => [name, null]);
      assert.deepEqual(again.json, { ...first.json, ...Object.fromEntries(shown) });
      assert.equal(again.headers['idempotent-replayed'], 'true');
      assert.equal(again.status, 201);
      return;
    }
    assertReplay(again, first);
  });

  if (!operation.body) continue;
  test(`${id}: the key with another body is refused`, async () => {
    const prepared = await prepare(service, `reuse-${id}`);
    // The id of the new realm must be unused.
    const body = { ...(operation.example as object), ...(isNewRealm && { id: 'newest' }) };
    const first = await sendGood(id, prepared, keyed('k', { body }));
    assert.ok(first.status < 300, first.text);
    // An unknown field has no effect, where it is not refused, but makes a different request.
    const known = id === 'claimOffer' ? { quantity: 2 } : { name: 'Another' };
    const change = operation.isStrict ? known : { note: 'another' };
    const other = keyed('k', { body: { ...body, ...change } });
    const reply = await changesNothing(prepared.realm, () => sendGood(id, prepared, other));
    assertProblem(reply, 'idempotency-key-reused');
  });
}

test('white space, key order and number format do not matter', async () => {
  const realm = await service.realm('spelling');
  await realm.member('1', 100);
  await realm.member('2');
  const send = (raw: string) => realm.send('PATCH', '/members/1/transfer', keyed('k', { raw }));
  const first = await send('{"recipientId":"2","tokens":5,"description":"a","x":{"b":1,"a":[2]}}');
  const same = [
    '{"tokens":5.0,"x":{"a":[2.0],"b":1e0},"description":"a","recipientId":"2"}',
    ' {\n"description" : "\\u0061" , "recipientId":"2",\t"tokens":0.5e1,"x":{"b":1,"a":[2]} }\n',
  ];
  for (const raw of same) assertReplay(await send(raw), first);
  const others = [
    '{"recipientId":"2","tokens":6,"description":"a","x":{"b":1,"a":[2]}}',
    '{"recipientId":"2","tokens":5,"description":"A","x":{"b":1,"a":[2]}}',
    '{"recipientId":"2","tokens":5,"description":"a","x":{"b":1,"a":[2,2]}}',
    '{"recipientId":"2","tokens":5,"description":"a"}',
  ];
  for (const raw of others) assertProblem(await send(raw), 'idempotency-key-reused');
  assert.equal(await realm.balance('2'), 5);
});

test('a key belongs to one call: another operation, member or path is refused', async () => {
  const realm = await service.realm('one-call');
  for (const id of ['1', '2', '3']) await realm.member(id, 100);
  const sent = keyed('k', { body: { tokens: 5, recipientId: 3 } });
  await realm.expect(200, 'PATCH', '/members/1/transfer', sent);
  await changesNothing(realm, async () => {
    const others = ['/members/2/transfer', '/members/1/tokenBalance', '/members/1'];
    for (const path of others) {
      assertProblem(await realm.send('PATCH', path, sent), 'idempotency-key-reused');
    }
    assertProblem(await realm.send('POST', '/members', sent), 'idempotency-key-reused');
  });
});

test('idempotency keys of two realms are independent', async () => {
  const realms = [await service.realm('left'), await service.realm('right')];
  for (const realm of realms) {
    await realm.member('1');
    const sent = keyed('same', { body: { tokens: realm.id.length } });
    const reply = await realm.expect(200, 'PATCH', '/members/1/tokenBalance', sent);
    assert.equal(reply.headers['idempotent-replayed'], undefined);
    assert.equal(reply.json.newBalance, realm.id.length);
  }
});

test('a refused request does not use up its key', async () => {
  const realm = await service.realm('mended');
  const path = '/members/1/tokenBalance';
  const send = (tokens: unknown) => realm.send('PATCH', path, keyed('k', { body: { tokens } }));
  assertProblem(await send('5'), 'invalid-request');
  assertProblem(await send(-5), 'member-not-found');
  await realm.member('1');
  assertProblem(await send(-5), 'insufficient-points');
  await realm.expect(200, 'PATCH', '/members/1', { body: { status: 'frozen' } });
  assertProblem(await send(5), 'member-frozen');
  await realm.expect(200, 'PATCH', '/members/1', { body: { status: 'active' } });
  const reader = await realm.issueKey(['read']);
  const sent = keyed('k', { body: { tokens: 5 }, key: reader });
  assertProblem(await realm.send('PATCH', path, sent), 'insufficient-scope');
  const done = await send(5);
  assert.equal(done.json.newBalance, 5);
  assertReplay(await send(5), done);
});

test('after a refused retry a delayed copy takes effect once; a new key is another', async () => {
  const realm = await service.realm('delayed');
  await realm.member('1', 3);
  const buy = (key: string) =>
    realm.send('PATCH', '/members/1/tokenBalance', keyed(key, { body: { tokens: -5 } }));
  assertProblem(await buy('purchase'), 'insufficient-points');
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 10 } });
  const replies = [await buy('purchase'), await buy('purchase'), await buy('next-attempt')];
  assert.deepEqual(
    replies.map(({ json, headers }) => [json.newBalance, headers['idempotent-replayed']]),
    [
      [8, undefined],
      [8, 'true'],
      [3, undefined],
    ],
  );
});

test('a replay repeats the first answer, whatever has changed since', async () => {
  const realm = await service.realm('was');
  await realm.member('1', 10);
  const sent = keyed('k', { body: { tokens: -10 } });
  const spend = () => realm.send('PATCH', '/members/1/tokenBalance', sent);
  const first = await spend();
  assertReplay(await spend(), first);
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 7 } });
  await realm.expect(200, 'PATCH', '', { body: { settings: { maxTokensPerRequest: 1 } } });
  await realm.expect(204, 'DELETE', '/members/1?forfeit=true');
  assertReplay(await spend(), first);
  assertProblem(await realm.send('GET', '/members/1'), 'member-not-found');
});

test('an answer from before a field of the profile existed is replayed with it', async () => {
  const realm = await service.realm('upgraded');
  const sent = keyed('enrolled', { body: { id: '1', username: 'alice' } });
  const enrol = () => realm.send('POST', '/members', sent);
  const first = await enrol();
  const earlier = `replace(answer, '"note":null,', '')`;
  const where = `realm_id = 'upgraded' AND answer <> ${earlier}`;
  const change = `UPDATE idempotency_keys SET answer = ${earlier} WHERE ${where} RETURNING 1`;
  assert.equal((await service.database.rows(change)).length, 1);
  assertReplay(await enrol(), first);
});

test('a change without effect is replayed too, and leaves no record', async () => {
  const realm = await service.realm('nothing');
  await realm.member('1', 0, { username: 'ann' });
  const sent = keyed('k', { body: { username: 'ann' } });
  const send = () => realm.send('PATCH', '/members/1', sent);
  let first: Reply | undefined;
  const act = async () => {
    first = await send();
  };
  assert.equal(await recordsOf(realm, act), 0);
  await realm.expect(200, 'PATCH', '/members/1', { body: { username: 'bob' } });
  if (first) assertReplay(await send(), first);
});

test('a batch with refused entries is replayed unchanged', async () => {
  const realm = await service.realm('batches');
  await realm.member('1', 10);
  const entries = [
    { memberId: '1', tokens: -5 },
    { memberId: '9', tokens: 5 },
    { memberId: '1', tokens: -6 },
  ];
  const send = (atomic: boolean) =>
    realm.send('PATCH', '/members/tokenBalance', keyed('k', { body: { entries, atomic } }));
  assertProblem(await send(true), 'member-not-found');
  const first = await send(false);
  assert.equal(first.json.results[0].newBalance, 5);
  assert.equal(first.json.results[1].problem.code, 'member-not-found');
  assert.equal(first.json.results[2].problem.code, 'insufficient-points');
  await realm.member('9');
  assertReplay(await changesNothing(realm, () => send(false)), first);
  assertProblem(await send(true), 'idempotency-key-reused');
});

test('DELETE ignores the header', async () => {
  const realm = await service.realm('deletes');
  const remove = () => realm.send('DELETE', '/members/1?forfeit=true', keyed('k'));
  await realm.member('1');
  assert.equal((await remove()).status, 204);
  assertProblem(await remove(), 'member-not-found');
  await realm.member('1', 5);
  assert.equal((await remove()).status, 204);
  assertProblem(await realm.send('GET', '/members/1'), 'member-not-found');
  // Nor does a DELETE use it up.
  await realm.expect(201, 'POST', '/members', keyed('k', { body: { id: 1 } }));
});

/** Sends every write of a realm with an idempotency key. */
async function sendAll(realm: TestRealm, key: string): Promise<Reply[]> {
  const calls: [method: string, path: string, body: object][] = [
    ['PATCH', '/members/1/tokenBalance', { tokens: 5 }],
    ['PATCH', '/members/1/transfer', { tokens: 5, recipientId: 2 }],
    ['PATCH', '/members/tokenBalance', { entries: [{ memberId: 1, tokens: 1 }] }],
    ['POST', '/members', { username: 'zoë 🐸' }],
    ['POST', '/members/batch', { members: [{ balances: { points: 5 } }, { username: 'ben' }] }],
    ['PUT', '/members/7', { username: 'new' }],
    ['PUT', '/members/7', { username: 'changed' }],
    ['PATCH', '/members/1', { displayName: 'One' }],
    ['PATCH', '', { name: 'Renamed' }],
  ];
  const replies: Reply[] = [];
  for (const [index, [method, path, body]] of calls.entries()) {
    replies.push(await realm.send(method, path, keyed(`call-${index}`, { body, key })));
  }
  return replies;
}

test('keys survive a restart of the service and the rotation of the API key', async () => {
  const realm = await service.realm('outlived');
  await realm.member('1', 10);
  await realm.member('2');
  const old = await realm.issueKey(['admin']);
  const first = await sendAll(realm, old);
  const rotate = `/keys/${keyIdOf(old)}/rotate`;
  const rotated = await realm.expect(201, 'POST', rotate, { body: { overlapSeconds: 0 } });
  const compare = async (key: string) => {
    const again = await changesNothing(realm, () => sendAll(realm, key));
    for (const [index, reply] of again.entries()) assertReplay(reply, first[index] as Reply);
  };
  await compare(rotated.json.key);
  await service.restart();
  await compare(rotated.json.key);
});

test('200 concurrent requests with one key: one effect, equal answers', async () => {
  const realm = await service.realm('retriers');
  await realm.member('1', 1_000);
  await realm.member('2');
  const headers = { 'idempotency-key': randomUUID() };
  const body = { recipientId: '2', tokens: 7 };
  const give = () => realm.send('PATCH', '/members/1/transfer', { body, headers });
  const replies = await Promise.all(Array.from({ length: 200 }, give));
  assert.equal(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size, 1);
  assert.equal(replies[0]?.status, 200);
  const fresh = replies.filter((reply) => reply.headers['idempotent-replayed'] === undefined);
  assert.equal(fresh.length, 1);
  assert.equal(await realm.balance('2'), 7);
});
