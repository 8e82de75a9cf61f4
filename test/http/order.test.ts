import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProblemCode } from '../../src/contract/problems.ts';
import { assertProblem, changesNothing } from '../support/checks.ts';
import { ROOT_KEY, type Sent, serviceForFile, type TestRealm } from '../support/service.ts';

/** Which of several faults is reported first: each test has them all and fixes one at a time. */
const service = await serviceForFile();

test('the order of checks: path, method, key, realm, scope, request, rules', async () => {
  const realm = await service.realm('steps');
  const other = await service.realm('other');
  await realm.member('2', 5);
  const reader = await realm.issueKey(['read']);
  const bad = { raw: '{"tokens":"5","recipientId":0}' };
  const good = { body: { tokens: 6, recipientId: 1 } };
  const path = '/api/v4/realms/steps/members/1/transfer';
  const steps: [ProblemCode, string, string, Sent][] = [
    ['not-found', 'PUT', `${path}/more`, { key: null, ...bad }],
    ['method-not-allowed', 'PUT', path, { key: null, ...bad }],
    ['unauthorized', 'PATCH', path, { key: null, ...bad }],
    ['unauthorized', 'PATCH', path, { key: null, raw: '{' }],
    ['unauthorized', 'PATCH', path, { key: null, raw: 'x'.repeat(2_000_000) }],
    ['unauthorized', 'PATCH', path, { key: null, headers: { 'content-type': 'text/plain' } }],
    ['forbidden', 'PATCH', path, { key: other.key, ...bad }],
    ['forbidden', 'PATCH', path.replace('steps', '%00'), { key: other.key, ...bad }],
    ['insufficient-scope', 'PATCH', path, { key: reader, ...bad }],
    ['insufficient-scope', 'PATCH', path, { key: reader, raw: '{' }],
    ['unsupported-media-type', 'PATCH', path, { ...bad, headers: { 'content-type': 'text/xml' } }],
    ['malformed-json', 'PATCH', path.replace('/1/', '/0/'), { raw: '{' }],
    ['invalid-request', 'PATCH', path, bad],
    ['invalid-request', 'PATCH', path.replace('steps', 'nowhere'), { key: ROOT_KEY, ...bad }],
    ['invalid-request', 'PATCH', path, { ...good, headers: { 'idempotency-key': 'a b' } }],
    ['realm-not-found', 'PATCH', path.replace('steps', 'nowhere'), { key: ROOT_KEY, ...good }],
    ['invalid-request', 'GET', '/api/v4/realms/nowhere/members?cursor=x', { key: ROOT_KEY }],
    ['invalid-request', 'GET', '/api/v4/realms/nowhere/members/includes', { key: ROOT_KEY }],
    ['realm-not-found', 'GET', '/api/v4/realms/nowhere/members', { key: ROOT_KEY }],
    ['member-not-found', 'PATCH', path, good],
    ['recipient-not-found', 'PATCH', path.replace('/1/', '/2/'), good],
  ];
  await changesNothing(realm, async () => {
    for (const [code, method, at, sent] of steps) {
      const reply = await service.send(method, at, { key: realm.key, ...sent });
      assertProblem(reply, code);
    }
  });
});

/** Expects the refusals in order, fixing the cause of each before the next. */
async function refuseInOrder(
  realm: TestRealm,
  steps: [code: ProblemCode, path: string, body: object, mend?: () => Promise<unknown>][],
): Promise<void> {
  for (const [code, path, body, mend] of steps) {
    const reply = await changesNothing(realm, () => realm.send('PATCH', path, { body }));
    assertProblem(reply, code);
    await mend?.();
  }
}

test('the order of refusals of a transfer', async () => {
  const realm = await service.realm('transfers');
  await realm.member('1', 5);
  await realm.member('2', Number.MAX_SAFE_INTEGER);
  const change = (path: string, body: object) => () => realm.expect(200, 'PATCH', path, { body });
  for (const id of ['1', '2']) await change(`/members/${id}`, { status: 'frozen' })();
  await change('', { settings: { transfers: false, maxTokensPerRequest: 10 } })();
  const to = (recipientId: number, tokens = 11) => ({ recipientId, tokens });
  const one = '/members/1/transfer';
  await refuseInOrder(realm, [
    ['member-not-found', '/members/8/transfer', { ...to(9), realmPointId: 'gems' }],
    ['member-not-found', '/members/9/transfer', { ...to(9), realmPointId: 'gems' }],
    ['recipient-not-found', one, { ...to(9), realmPointId: 'gems' }],
    ['realm-point-not-found', one, { ...to(1), realmPointId: 'gems' }],
    ['self-transfer', one, to(1)],
    ['transfers-disabled', one, to(2), change('', { settings: { transfers: true } })],
    ['too-many-tokens', one, to(2)],
    ['member-frozen', one, to(2, 10), change('/members/1', { status: 'active' })],
    ['member-frozen', one, to(2, 10), change('/members/2', { status: 'active' })],
    ['insufficient-points', one, to(2, 10), change('/members/1/tokenBalance', { tokens: 5 })],
    ['balance-limit', one, to(2, 10), change('/members/2/tokenBalance', { tokens: -10 })],
  ]);
  const done = await realm.expect(200, 'PATCH', one, { body: to(2, 10) });
  assert.equal(done.json.recipientBalance, Number.MAX_SAFE_INTEGER);
});

test('the order of refusals of a credit or debit', async () => {
  const realm = await service.realm('changes');
  await realm.member('1', 5);
  const change = (path: string, body: object) => () => realm.expect(200, 'PATCH', path, { body });
  await change('/members/1', { status: 'frozen' })();
  await change('', { settings: { maxTokensPerRequest: 10 } })();
  const one = '/members/1/tokenBalance';
  await refuseInOrder(realm, [
    ['member-not-found', '/members/9/tokenBalance', { tokens: -11, realmPointId: 'gems' }],
    ['realm-point-not-found', one, { tokens: -11, realmPointId: 'gems' }],
    ['too-many-tokens', one, { tokens: -11 }],
    ['member-frozen', one, { tokens: -10 }, change('/members/1', { status: 'active' })],
    ['insufficient-points', one, { tokens: -10 }],
  ]);
});

test('a reused idempotency key precedes every other refusal', async () => {
  const realm = await service.realm('reused');
  await realm.member('1', 5);
  const headers = { 'idempotency-key': 'used' };
  const sent = { body: { tokens: 1 }, headers };
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', sent);
  const reply = await realm.send('PATCH', '/members/9/tokenBalance', sent);
  assertProblem(reply, 'idempotency-key-reused');
});
