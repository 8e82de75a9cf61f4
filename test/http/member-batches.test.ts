import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing, recordsOf } from '../support/checks.ts';
import { counters, newKind, times, verdict, walk } from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Many members enrolled by one call. */
const service = await serviceForFile();
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

const enrol = (realm: TestRealm, members: object[], more: object = {}, headers = {}) =>
  realm.send('POST', '/members/batch', { body: { members, ...more }, headers });
const read = async (realm: TestRealm, id: string) =>
  (await realm.expect(200, 'GET', `/members/${id}`)).json;
/** The id or the code of each result. */
const summary = ({ json }: Reply): string[] =>
  json.results.map((one: Reply['json']) => one.problem?.code ?? one.memberId);

test('members are enrolled in order, with everything that belongs to them', async () => {
  const realm = await service.realm('many');
  await newKind(realm, 'gems');
  const alice = {
    id: 80351110224678912n.toString(),
    username: 'alice',
    displayName: 'Alice',
    accounts: [{ provider: 'discord', id: '42', username: 'alice' }],
    wallets: [WALLET],
    metadata: { tier: 'gold' },
  };
  const members = [{ ...alice, balances: { points: 50, gems: 7 } }, {}, { id: 2 }, {}];
  const reply = await enrol(realm, members);
  assert.equal(reply.status, 200, reply.text);
  const [first, ...others] = reply.json.results;
  const [points, gems] = first.opened;
  assert.deepEqual(first, {
    memberId: alice.id,
    opened: [
      { realmPointId: 'points', newBalance: 50, transactionId: points.transactionId },
      { realmPointId: 'gems', newBalance: 7, transactionId: points.transactionId + 1 },
    ],
  });
  assert.equal(gems.transactionId, points.transactionId + 1);
  assert.deepEqual(
    others,
    ['1', '2', '3'].map((memberId) => ({ memberId, opened: [] })),
  );
  const { createdAt: _, updatedAt: __, ...found } = await read(realm, alice.id);
  const balances = { tokenBalance: 50, balances: { points: 50, gems: 7 } };
  assert.deepEqual({ ...found, ...alice, ...balances, status: 'active' }, found);
  const { ok, members: count } = await verdict(realm);
  assert.deepEqual([ok, count], [true, 4]);
});

test('an atomic batch is refused as a whole, and names the member', async () => {
  const realm = await service.realm('atomic', { maxTokensPerRequest: 100 });
  await newKind(realm, 'debt', { minimumBalance: -10, maximumBalance: 20 });
  const accounts = [{ provider: 'discord', id: '1' }];
  await realm.member('1', 0, { accounts, wallets: [WALLET] });
  const refused: [member: object, code: Parameters<typeof assertProblem>[1], extra: object][] = [
    [{ id: 1 }, 'member-exists', { memberId: '1' }],
    [{ id: 9, accounts }, 'account-taken', { account: 'discord:1', memberId: '1' }],
    [{ wallets: [WALLET.toLowerCase()] }, 'wallet-taken', { wallet: WALLET, memberId: '1' }],
    [{ balances: { none: 0 } }, 'realm-point-not-found', { realmPointId: 'none' }],
    [{ balances: { points: 101 } }, 'too-many-tokens', { limit: 100, requested: 101 }],
    [{ id: 9, balances: { points: -1 } }, 'insufficient-points', { memberId: '9', requested: 1 }],
    [{ id: 9, balances: { debt: -11 } }, 'insufficient-points', { minimumBalance: -10 }],
    [{ id: 9, balances: { debt: 21 } }, 'balance-limit', { memberId: '9', limit: 20 }],
  ];
  for (const [member, code, extra] of refused) {
    const send = () => enrol(realm, [{ id: 5, balances: { points: 5 } }, {}, member, { id: 7 }]);
    const reply = await changesNothing(realm, send);
    assertProblem(reply, code, extra);
    assert.deepEqual(
      reply.json.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/members/2'],
    );
  }
});

test('with atomic false, each has its own result, as if enrolled one after another', async () => {
  const realm = await service.realm('each');
  const accounts = [{ provider: 'discord', id: '1' }];
  const members = [
    { id: 2, accounts, wallets: [WALLET], balances: { points: 3 } },
    { id: 2 },
    { id: 3, accounts },
    { wallets: [WALLET] },
    {},
    { id: 3, balances: { points: 1, none: 1 } },
    { id: 3, balances: { points: 4 } },
    { id: 1 },
    {},
  ];
  const reply = await enrol(realm, members, { atomic: false });
  assert.deepEqual(summary(reply), [
    '2',
    'member-exists',
    'account-taken',
    'wallet-taken',
    '1',
    'realm-point-not-found',
    '3',
    'member-exists',
    '4',
  ]);
  const [, exists, , noId] = reply.json.results;
  assert.deepEqual([exists.memberId, exists.problem.status], ['2', 409]);
  assert.deepEqual([noId.memberId, noId.problem.memberId], [null, '2']);
  assert.deepEqual([await realm.balance('2'), await realm.balance('3')], [3, 4]);
  const single = await service.realm('single');
  const codes: string[] = [];
  for (const { balances: _, ...body } of members.filter(({ balances }) => !balances?.none)) {
    const { json } = await single.send('POST', '/members', { body });
    codes.push(json.code ?? json.id);
  }
  assert.deepEqual(
    codes,
    summary(reply).filter((code) => code !== 'realm-point-not-found'),
  );
});

test('a removed member comes back with nothing but its opening balance', async () => {
  const realm = await service.realm('back');
  await realm.member('1', 30, { username: 'old', wallets: [WALLET] });
  await realm.expect(204, 'DELETE', '/members/1?forfeit=true');
  const reply = await enrol(realm, [{ id: 1, balances: { points: 5 } }]);
  assert.deepEqual(summary(reply), ['1']);
  const { username, wallets, tokenBalance } = await read(realm, '1');
  assert.deepEqual([username, wallets, tokenBalance], [null, [], 5]);
  assert.equal((await verdict(realm)).ok, true);
});

/** With three accounts and a balance each, they bring as much along as a batch may. */
const largestBatch = () =>
  Array.from({ length: 1_000 }, (_, index) => ({
    id: String(9007199254740993n + BigInt(index)),
    username: `member ${index}`,
    accounts: ['a', 'b', 'c'].map((provider) => ({ provider, id: String(index) })),
    metadata: { index } as object,
    balances: { points: index },
  }));

test('1,000 members in one call: all are there, once, also after a retry', async () => {
  const realm = await service.realm('large');
  const members = largestBatch();
  const send = () => enrol(realm, members, { description: 'Moved' }, { 'idempotency-key': 'move' });
  const first = await send();
  assert.equal(first.status, 200, first.text.slice(0, 500));
  // Each has a record, and all but the first, who has 0, one of its opening balance.
  const again = await changesNothing(realm, send);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(again.json, first.json);
  assert.deepEqual(
    first.json.results.map(({ memberId }: { memberId: string }) => memberId),
    members.map(({ id }) => id),
  );
  assert.equal(await realm.balance('9007199254741992'), 999);
  const rows = await walk(realm, '/leaderboard?limit=500');
  assert.equal(rows.filter(({ balance }) => balance > 0).length >= 999, true);
  const { ok, members: count } = await verdict(realm);
  assert.deepEqual([ok, count], [true, 1_000]);
});

test('members who bring too much along are refused, and are told what counts', async () => {
  const realm = await service.realm('too-much');
  const [first, ...others] = largestBatch();
  assert.ok(first);
  const more = [
    { accounts: [...first.accounts, { provider: 'discord', id: 'another' }] },
    { wallets: [WALLET] },
    { balances: { points: 1, gems: 1 } },
  ];
  const detail =
    'must have at most 5000 members, accounts, wallets and balances in all; split them over ' +
    'several calls';
  for (const one of more) {
    const members: object[] = [...others, { ...first, ...one }];
    const reply = await changesNothing(realm, () => enrol(realm, members, { atomic: false }));
    assertFaults(reply, '/members');
    assert.equal(reply.json.errors[0].detail, detail);
  }
});

test('of concurrent batches with the same members, one enrols them', async () => {
  const realm = await service.realm('race');
  const members = Array.from({ length: 50 }, (_, index) => ({
    id: index + 1,
    balances: { points: 2 },
  }));
  const replies = await times(20, () => enrol(realm, members));
  assert.deepEqual(counters(replies), { 200: 1, 'member-exists': 19 });
  const mixed = await times(20, (index) =>
    index % 2 === 0
      ? enrol(realm, [{}, { id: 1 }, {}], { atomic: false })
      : realm.send('POST', '/members', { body: {} }),
  );
  assert.deepEqual(counters(mixed), { 200: 10, 201: 10 });
  const ids = mixed.flatMap(({ json }) => json.id ?? json.results.map(idOf).filter(Boolean));
  assert.equal(new Set(ids).size, 30);
  assert.equal((await verdict(realm)).ok, true);
});

const idOf = ({ memberId, problem }: Reply['json']): string | null => (problem ? null : memberId);

test('each member leaves one record, and each opening balance another', async () => {
  const realm = await service.realm('records');
  await newKind(realm, 'gems');
  const members = [{ balances: { points: 1, gems: 0 } }, { balances: { points: 0 } }, {}];
  assert.equal(await recordsOf(realm, () => enrol(realm, members)), 4);
});
