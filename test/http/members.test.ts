import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, changesNothing, recordsOf } from '../support/checks.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Members from enrolment to removal and back. */
const service = await serviceForFile();
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const discord = (id: string, username: string | null = null) => ({
  provider: 'discord',
  id,
  username,
});

const read = async (realm: TestRealm, id: string) =>
  (await realm.expect(200, 'GET', `/members/${id}`)).json;
const patch = (realm: TestRealm, id: string, body: object) =>
  realm.expect(200, 'PATCH', `/members/${id}`, { body });
const gone = async (realm: TestRealm, id: string) => {
  for (const path of [`/members/${id}`, `/web3/members/${id}`]) {
    assertProblem(await realm.send('GET', path), 'member-not-found', { memberId: id });
  }
  const list = await realm.expect(200, 'GET', '/members?limit=500');
  assert.ok(!list.json.items.some((member: { id: string }) => member.id === id));
};

test('a member is enrolled with all fields, read and listed', async () => {
  const realm = await service.realm('enrolled');
  const fields = {
    username: 'zoë',
    displayName: 'Zoë 🐸',
    accounts: [discord('80351110224678912', 'zoe'), { provider: 'apple', id: 'A:b' }],
    wallets: [WALLET.toLowerCase(), '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    tags: ['vip', 'Early bird'],
    note: 'Met at the fair: "=1+1"',
    metadata: { tier: 'gold', n: [1, 0.5, -1e-7, null, true, { é: '\u2028' }] },
  };
  const body = { id: '80351110224678912', ...fields };
  const created = await realm.expect(201, 'POST', '/members', { body });
  const { createdAt, updatedAt, lastActiveAt, credentials, ...rest } = created.json;
  assert.equal(credentials.length, 4);
  assert.deepEqual(rest, {
    ...body,
    memberId: body.id,
    dripId: `0000000${body.id}`,
    tokens: 0,
    realmId: 'enrolled',
    status: 'active',
    tokenBalance: 0,
    balances: { points: 0 },
    held: { points: 0 },
    available: { points: 0 },
    accounts: [{ provider: 'apple', id: 'A:b', username: null }, fields.accounts[0]],
    wallets: [WALLET, fields.wallets[1]],
  });
  assert.equal(createdAt, updatedAt);
  assert.equal(lastActiveAt, createdAt);
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
  assert.deepEqual(await read(realm, body.id), created.json);
  const list = await realm.expect(200, 'GET', '/members');
  assert.deepEqual(list.json, { items: [created.json], nextCursor: null });
});

test('assigned ids were never used before', async () => {
  const realm = await service.realm('assigned');
  await realm.member('2');
  await realm.member('4');
  await realm.expect(204, 'DELETE', '/members/4');
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) {
    ids.push((await realm.expect(201, 'POST', '/members', { body: {} })).json.id);
  }
  assert.deepEqual(ids, ['1', '3', '5', '6']);
});

test('ids are assigned while credits enrol members: nobody is refused', async () => {
  const realm = await service.realm('meanwhile', { autoEnroll: true });
  const batch = (first: number) => ({ body: { entries: [{ memberId: first + 2, tokens: 1 }] } });
  for (let first = 1; first < 200; first += 10) {
    const path = (offset: number) => `/members/${first + offset}`;
    const replies = await Promise.all([
      realm.send('PATCH', `${path(0)}/tokenBalance`, { body: { tokens: 5 } }),
      realm.send('PATCH', `${path(1)}/tokenBalance`, { body: { tokens: 5 } }),
      realm.send('PATCH', '/members/tokenBalance', batch(first)),
      ...Array.from({ length: 4 }, () => realm.send('POST', '/members', { body: {} })),
    ]);
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [
      200,
      200,
      200,
      ...Array(4).fill(201),
    ]);
  }
});

test('PATCH changes only the fields that are present; null clears', async () => {
  const realm = await service.realm('changed');
  const accounts = [discord('1', 'a')];
  await realm.member('1', 5, { username: 'a', displayName: 'A', accounts, metadata: { a: 1 } });
  const before = await read(realm, '1');
  const steps: [body: object, change: object][] = [
    [{ username: 'b' }, { username: 'b' }],
    [{ displayName: null }, { displayName: null }],
    [{ metadata: { b: 2 } }, { metadata: { b: 2 } }],
    [{ accounts: [discord('2')] }, { accounts: [discord('2')] }],
    [{ accounts: [] }, { accounts: [] }],
    [
      { username: null, metadata: {} },
      { username: null, metadata: {} },
    ],
    [
      { status: 'frozen', username: 'c' },
      { status: 'frozen', username: 'c', available: { points: 0 } },
    ],
    [{ status: 'active' }, { status: 'active', available: { points: 5 } }],
  ];
  let expected = before;
  for (const [body, change] of steps) {
    const { json } = await patch(realm, '1', body);
    const { updatedAt, credentials } = json;
    expected = { ...expected, ...change, updatedAt, credentials };
    assert.deepEqual(json, expected);
    assert.deepEqual(await read(realm, '1'), expected);
    assert.ok(json.updatedAt >= before.updatedAt);
  }
});

test('a PATCH without effect leaves no record', async () => {
  const realm = await service.realm('unchanged');
  const accounts = [discord('2'), discord('1', 'a')];
  const fields = { username: 'a', displayName: null, accounts, metadata: { a: [1] } };
  await realm.member('1', 0, fields);
  await changesNothing(realm, async () => {
    for (const body of [{}, fields, { status: 'active' }, { accounts: accounts.toReversed() }]) {
      await patch(realm, '1', body);
    }
    await patch(realm, '1', { unknown: 5 });
    await patch(realm, '1', { accounts: [discord('1'), ...accounts] });
  });
  assert.equal(await recordsOf(realm, () => patch(realm, '1', { username: 'b' })), 1);
  assert.equal(await recordsOf(realm, () => patch(realm, '1', { status: 'frozen' })), 1);
  assert.equal(await recordsOf(realm, () => patch(realm, '1', { status: 'frozen' })), 0);
});

test('a frozen member’s points do not move until it is active again', async () => {
  const realm = await service.realm('frozen');
  await realm.member('1', 10);
  await realm.member('2', 10);
  await patch(realm, '1', { status: 'frozen' });
  const moves: [path: string, body: object][] = [
    ['/members/1/tokenBalance', { tokens: 1 }],
    ['/members/1/tokenBalance', { tokens: -1 }],
    ['/members/1/transfer', { tokens: 1, recipientId: 2 }],
    ['/members/2/transfer', { tokens: 1, recipientId: 1 }],
    [
      '/members/tokenBalance',
      {
        entries: [
          { memberId: 2, tokens: 1 },
          { memberId: 1, tokens: 1 },
        ],
      },
    ],
  ];
  await changesNothing(realm, async () => {
    for (const [path, body] of moves) {
      assertProblem(await realm.send('PATCH', path, { body }), 'member-frozen', { memberId: '1' });
    }
  });
  // Everything else still works.
  await patch(realm, '1', { username: 'cold' });
  await realm.expect(201, 'POST', '/members/1/wallets', { body: { address: WALLET } });
  await patch(realm, '1', { status: 'active' });
  for (const [path, body] of moves) await realm.expect(200, 'PATCH', path, { body });
});

test('a removed member is gone from every read, and can be enrolled again', async () => {
  const realm = await service.realm('removed');
  const fields = {
    username: 'ann',
    accounts: [discord('7')],
    wallets: [WALLET],
    metadata: { a: 1 },
  };
  await realm.member('1', 0, fields);
  await realm.member('2', 10);
  await realm.expect(204, 'DELETE', '/members/1');
  await gone(realm, '1');
  const { items } = (await realm.expect(200, 'GET', '/events?limit=500')).json;
  const { type, data } = items.at(-1);
  const freed = { wallets: [WALLET], accounts: [{ provider: 'discord', id: '7' }] };
  assert.deepEqual([type, data], ['member.removed', { memberId: '1', ...freed }]);
  for (const query of ['search=ann', 'account=discord:7', `wallet=${WALLET}`]) {
    const found = await realm.expect(200, 'GET', `/members?${query}`);
    assert.deepEqual(found.json.items, []);
  }
  const check = await realm.expect(200, 'GET', `/members/includes?wallets=${WALLET}`);
  assert.equal(check.json.any, false);
  assertProblem(await realm.send('DELETE', '/members/1'), 'member-not-found');
  const body = { tokens: 1, recipientId: 1 };
  assertProblem(await realm.send('PATCH', '/members/2/transfer', { body }), 'recipient-not-found');
  // Its accounts and wallets can be used by others.
  const { accounts, wallets } = fields;
  await realm.expect(201, 'POST', '/members', { body: { id: 3, accounts, wallets } });
  const back = await realm.expect(201, 'POST', '/members', { body: { id: 1, username: 'new' } });
  const { status, tokenBalance, metadata } = back.json;
  assert.deepEqual([status, tokenBalance, metadata], ['active', 0, {}]);
  assert.deepEqual([back.json.accounts, back.json.wallets], [[], []]);
});

test('a member with points is removed only with forfeit', async () => {
  const realm = await service.realm('forfeits');
  await realm.member('1', 10);
  const refused = () => realm.send('DELETE', '/members/1');
  assertProblem(await changesNothing(realm, refused), 'balance-not-zero', { balance: 10 });
  await patch(realm, '1', { status: 'frozen' });
  await realm.expect(204, 'DELETE', '/members/1?forfeit=true');
  await gone(realm, '1');
  await realm.member('1');
  assert.equal(await realm.balance('1'), 0);
});

test('an account belongs to one member of a realm', async () => {
  const realm = await service.realm('accounts');
  const other = await service.realm('accounts-too');
  await realm.member('1', 0, { accounts: [discord('1'), { provider: 'x', id: 'discord:1' }] });
  await realm.member('2');
  await other.member('1', 0, { accounts: [discord('1')] });
  await changesNothing(realm, async () => {
    const body = { accounts: [discord('5'), discord('1', 'mine')] };
    const problem = { account: 'discord:1', memberId: '1' };
    assertProblem(await realm.send('PATCH', '/members/2', { body }), 'account-taken', problem);
    assertProblem(await realm.send('POST', '/members', { body }), 'account-taken', problem);
  });
  // Once the first member gives it up, the other can have it.
  await patch(realm, '1', { accounts: [] });
  await patch(realm, '2', { accounts: [discord('1')] });
});
