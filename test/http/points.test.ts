import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing, recordsOf } from '../support/checks.ts';
import {
  MAX,
  type PointCode,
  type Refusing,
  refusingRealm,
  testRefusals,
} from '../support/refusing.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Credits, debits and transfers, one at a time; points-races.test.ts has many at once. */
const service = await serviceForFile();

const change = (realm: TestRealm, id: string, body: object) =>
  realm.send('PATCH', `/members/${id}/tokenBalance`, { body });
const give = (realm: TestRealm, id: string, body: object) =>
  realm.send('PATCH', `/members/${id}/transfer`, { body });
const set = (realm: TestRealm, settings: object) =>
  realm.expect(200, 'PATCH', '', { body: { settings } });

/** A realm with member 1 (1,000 points) and member 2 (none). */
async function pair(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 1_000);
  await realm.member('2');
  return realm;
}

test('a credit and a debit change one balance, and leave one record each', async () => {
  const realm = await pair('changes');
  for (const [tokens, newBalance] of [
    [50, 1_050],
    [-1_050, 0],
  ]) {
    const { json } = await change(realm, '1', { tokens, description: 'why' });
    const { transactionId } = json;
    const answer = { newBalance, transactionId, memberId: '1', realmPointId: 'points' };
    assert.deepEqual(json, answer);
    assert.equal(await realm.balance('1'), newBalance);
    const { json: record } = await realm.expect(200, 'GET', `/transactions/${transactionId}`);
    assert.deepEqual([record.tokens, record.description], [tokens, 'why']);
  }
  assert.equal(await recordsOf(realm, () => change(realm, '1', { tokens: 1 })), 1);
});

test('a transfer changes both balances, and leaves one record', async () => {
  const realm = await pair('transfer');
  const { json } = await give(realm, '1', { recipientId: 2, tokens: 300 });
  assert.deepEqual(json, {
    message: 'Ok',
    transactionId: json.transactionId,
    memberId: '1',
    recipientId: '2',
    tokens: 300,
    senderBalance: 700,
    recipientBalance: 300,
    realmPointId: 'points',
  });
  assert.deepEqual([await realm.balance('1'), await realm.balance('2')], [700, 300]);
  const back = () => give(realm, '2', { recipientId: '1', tokens: 300 });
  assert.equal(await recordsOf(realm, back), 1);
  assert.deepEqual([await realm.balance('1'), await realm.balance('2')], [1_000, 0]);
});

/** Every refusal of these calls, with its extension members. */
const refusals: Record<PointCode | 'member-not-found', Refusing[]> = {
  'member-not-found': [
    { ask: (realm) => change(realm, '9', { tokens: 5 }), extra: { memberId: '9' } },
    { ask: (realm) => change(realm, '9', { tokens: -5 }) },
    { ask: (realm) => give(realm, '9', { recipientId: 1, tokens: 5 }), extra: { memberId: '9' } },
  ],
  'recipient-not-found': [
    {
      ask: (realm) => give(realm, '1', { recipientId: '9', tokens: 5 }),
      extra: { recipientId: '9' },
    },
  ],
  'realm-point-not-found': [
    {
      ask: (realm) => change(realm, '1', { tokens: 5, realmPointId: 'gems' }),
      extra: { realmPointId: 'gems' },
    },
    { ask: (realm) => give(realm, '1', { recipientId: 3, tokens: 5, realmPointId: 'gems' }) },
  ],
  'self-transfer': [
    { ask: (realm) => give(realm, '1', { recipientId: 1, tokens: 5 }), extra: { memberId: '1' } },
    { ask: (realm) => give(realm, '1', { recipientId: '1', tokens: 1_000 }) },
  ],
  'transfers-disabled': [
    {
      given: (realm) => set(realm, { transfers: false }),
      ask: (realm) => give(realm, '1', { recipientId: 2, tokens: 5 }),
    },
  ],
  'not-transferable': [
    {
      given: (realm) =>
        realm.expect(200, 'PATCH', '/points/points', { body: { isTransferable: false } }),
      ask: (realm) => give(realm, '1', { recipientId: 2, tokens: 5 }),
      extra: { realmPointId: 'points' },
    },
  ],
  'too-many-tokens': [
    {
      given: (realm) => set(realm, { maxTokensPerRequest: 50 }),
      ask: (realm) => change(realm, '1', { tokens: -51 }),
      extra: { limit: 50, requested: 51 },
    },
    {
      given: (realm) => set(realm, { maxTokensPerRequest: 50 }),
      ask: (realm) => give(realm, '1', { recipientId: 2, tokens: 51 }),
    },
  ],
  'member-frozen': [
    { ask: (realm) => change(realm, '3', { tokens: 5 }), extra: { memberId: '3' } },
    { ask: (realm) => change(realm, '3', { tokens: -5 }), extra: { memberId: '3' } },
    { ask: (realm) => give(realm, '3', { recipientId: 1, tokens: 5 }), extra: { memberId: '3' } },
    { ask: (realm) => give(realm, '1', { recipientId: 3, tokens: 5 }), extra: { memberId: '3' } },
  ],
  'insufficient-points': [
    {
      ask: (realm) => change(realm, '1', { tokens: -101 }),
      extra: { memberId: '1', balance: 100, requested: 101 },
    },
    {
      ask: (realm) => give(realm, '1', { recipientId: 2, tokens: 101 }),
      extra: { memberId: '1', balance: 100, requested: 101 },
    },
    {
      given: (realm) => set(realm, { autoEnroll: true }),
      ask: (realm) => give(realm, '1', { recipientId: 9, tokens: 101 }),
    },
  ],
  'balance-limit': [
    {
      ask: (realm) => change(realm, '2', { tokens: 1 }),
      extra: { memberId: '2', balance: MAX, limit: MAX },
    },
    {
      ask: (realm) => give(realm, '1', { recipientId: 2, tokens: 1 }),
      extra: { memberId: '2', balance: MAX, limit: MAX },
    },
  ],
};

testRefusals(service, refusals);

test('a batch is refused as a whole, naming the entry, or entry by entry', async () => {
  const realm = await refusingRealm(service, 'batch');
  const entries = [
    { memberId: 1, tokens: -40 },
    { memberId: 1, tokens: -61 },
    { memberId: 3, tokens: 1 },
  ];
  const path = '/members/tokenBalance';
  const atomic = () => realm.send('PATCH', path, { body: { entries } });
  const refused = await changesNothing(realm, atomic);
  assertProblem(refused, 'insufficient-points', { memberId: '1', balance: 60, requested: 61 });
  assert.equal(refused.json.errors[0].pointer, '/entries/1');
  const reply = await realm.expect(200, 'PATCH', path, { body: { entries, atomic: false } });
  const [first, second, third] = reply.json.results;
  assert.equal(first.newBalance, 60);
  assert.deepEqual([second.memberId, second.problem.code], ['1', 'insufficient-points']);
  assert.deepEqual([third.memberId, third.problem.code], ['3', 'member-frozen']);
  assert.deepEqual([second.problem.status, second.problem.balance], [422, 60]);
});

test('a balance never exceeds 2^53-1', async () => {
  const realm = await pair('limits');
  const credit = (tokens: number) => change(realm, '2', { tokens });
  assert.equal((await credit(MAX)).json.newBalance, MAX);
  await changesNothing(realm, async () => {
    for (const tokens of [1, 2, MAX]) assertProblem(await credit(tokens), 'balance-limit');
    assertProblem(await give(realm, '1', { recipientId: 2, tokens: 1 }), 'balance-limit');
  });
  assert.equal((await credit(-MAX)).json.newBalance, 0);
  assertProblem(await credit(-MAX), 'insufficient-points');
});

test('a recipient above 2^53 is read exactly, as a number and as a string', async () => {
  const realm = await pair('digits');
  const ids = ['9007199254740992', '9007199254740993', '9223372036854775807'];
  for (const id of ids) await realm.member(id);
  const send = (recipient: string) =>
    realm.send('PATCH', '/members/1/transfer', { raw: `{"recipientId":${recipient},"tokens":1}` });
  for (const id of ids) {
    for (const spelling of [id, `"${id}"`]) {
      const reply = await send(spelling);
      assert.equal(reply.json.recipientId, id, reply.text);
      assert.match(reply.text, new RegExp(`"recipientId":"${id}"`));
    }
  }
  for (const id of ids) assert.equal(await realm.balance(id), 2, id);
  const batch = `{"entries":[{"memberId":9007199254740993,"tokens":5}]}`;
  await realm.expect(200, 'PATCH', '/members/tokenBalance', { raw: batch });
  assert.equal(await realm.balance('9007199254740993'), 7);
  assert.equal(await realm.balance('9007199254740992'), 2);
  await changesNothing(realm, async () => {
    const wrong = [
      '0',
      '-1',
      '1.5',
      '"007"',
      '"abc"',
      '""',
      'null',
      'true',
      '[2]',
      '"2 "',
      '1e400',
    ];
    wrong.push('9223372036854775808', '"9223372036854775808"', '9007199254740993.0', '"２"');
    wrong.push('9'.repeat(5_000), `"${'9'.repeat(5_000)}"`, '9007199254740993e0', '"0x2"', '"1e1"');
    for (const id of wrong) assertFaults(await send(id), '/recipientId');
  });
});

test('autoEnroll: points for an unknown id enrol a member, if the realm allows it', async () => {
  const realm = await service.realm('auto');
  await realm.member('1', 100);
  const read = async (id: string) => (await realm.expect(200, 'GET', `/members/${id}`)).json;
  const credit = (id: string, tokens = 5) => change(realm, id, { tokens });
  const pay = (id: string, tokens = 5) => give(realm, '1', { tokens, recipientId: id });
  await changesNothing(realm, async () => {
    assertProblem(await credit('2'), 'member-not-found');
    assertProblem(await pay('2'), 'recipient-not-found');
  });
  await set(realm, { autoEnroll: true });
  assert.equal(await recordsOf(realm, () => credit('2')), 2);
  assert.equal(await recordsOf(realm, () => pay('9223372036854775806')), 2);
  assert.equal((await credit('2')).json.newBalance, 10);
  assert.equal((await read('9223372036854775806')).tokenBalance, 5);
  const { status, username, accounts } = await read('2');
  assert.deepEqual([status, username, accounts], ['active', null, []]);
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true');
  await changesNothing(realm, async () => {
    assertProblem(await credit('3', -5), 'member-not-found');
    assertProblem(await pay('3', 500), 'insufficient-points');
    // A removed member is not enrolled again by points.
    assertProblem(await credit('2'), 'member-not-found');
    assertProblem(await pay('2'), 'recipient-not-found');
    assertProblem(await give(realm, '3', { tokens: 5, recipientId: 1 }), 'member-not-found');
  });
});
