import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, changesNothing, recordsOf } from '../support/checks.ts';
import { counters, newKind, times } from '../support/points.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** PUT enrols a member or changes it, in one call. */
const service = await serviceForFile();
const WALLETS = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
] as const;

const put = (realm: TestRealm, id: string, body: object, headers = {}) =>
  realm.send('PUT', `/members/${id}`, { body, headers });
const read = async (realm: TestRealm, id: string) =>
  (await realm.expect(200, 'GET', `/members/${id}`)).json;

const fields = {
  username: 'alice',
  displayName: 'Alice',
  accounts: [{ provider: 'discord', id: '42', username: 'alice' }],
  metadata: { tier: 'gold' },
};

test('the first PUT enrols the member, and says where it is', async () => {
  const realm = await service.realm('first');
  const sent = { id: 80351110224678912n.toString(), ...fields, wallets: [WALLETS[0]] };
  const reply = await put(realm, sent.id, sent);
  assert.equal(reply.status, 201);
  assert.equal(reply.headers.location, `/api/v4/realms/first/members/${sent.id}`);
  const { json: found } = await realm.service.expect(200, 'GET', String(reply.headers.location));
  assert.deepEqual(reply.json, found);
  const { createdAt: _, updatedAt: __, ...rest } = found;
  const balances = { tokenBalance: 0, balances: { points: 0 } };
  assert.deepEqual({ ...rest, ...sent, ...balances, realmId: 'first', status: 'active' }, rest);
  const raw = '{"id":9223372036854775807}';
  await realm.expect(201, 'PUT', '/members/9223372036854775807', { raw });
});

test('a later PUT changes the fields that are sent, and no others', async () => {
  const realm = await service.realm('later');
  await put(realm, '1', fields);
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 7 } });
  await realm.expect(200, 'PATCH', '/members/1', { body: { status: 'frozen' } });
  let expected = await read(realm, '1');
  const steps: [body: object, change: object][] = [
    [{ username: 'al' }, { username: 'al' }],
    [{ id: '1', displayName: null }, { displayName: null }],
    [{ metadata: { level: 2 } }, { metadata: { level: 2 } }],
    [{ accounts: [] }, { accounts: [] }],
    [{ wallets: [WALLETS[1]] }, { wallets: [WALLETS[1]] }],
    [{ wallets: [WALLETS[0]] }, { wallets: [WALLETS[1], WALLETS[0]] }],
    [
      { username: 'b', wallets: [WALLETS[2], WALLETS[0]] },
      { username: 'b', wallets: [WALLETS[1], WALLETS[0], WALLETS[2]] },
    ],
  ];
  for (const [body, change] of steps) {
    const reply = await put(realm, '1', body);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.headers.location, undefined);
    const { updatedAt, credentials } = reply.json;
    expected = { ...expected, ...change, updatedAt, credentials };
    expected.wallets = expected.wallets.toSorted(byPlace(reply.json.wallets));
    assert.deepEqual(reply.json, expected);
    assert.deepEqual(await read(realm, '1'), expected);
  }
  assert.deepEqual([expected.status, expected.tokenBalance], ['frozen', 7]);
  assert.equal(expected.wallets[0], WALLETS[1], 'the primary wallet stays');
});

/** Wallets linked in the same millisecond have no particular order, except for the first. */
const byPlace = (shown: string[]) => (one: string, other: string) =>
  shown.indexOf(one) - shown.indexOf(other);

test('a PUT that changes nothing leaves no record', async () => {
  const realm = await service.realm('same');
  const whole = { ...fields, wallets: WALLETS.slice(0, 2) };
  await put(realm, '1', whole);
  const bodies = [{}, whole, { id: 1 }, { metadata: { tier: 'gold' } }, { wallets: [WALLETS[1]] }];
  const puts = async () => {
    for (const body of bodies) assert.equal((await put(realm, '1', body)).status, 200);
  };
  assert.equal(await recordsOf(realm, puts), 0);
  assert.equal(await recordsOf(realm, () => put(realm, '1', { username: 'b' })), 1);
  assert.equal(await recordsOf(realm, () => put(realm, '1', { wallets: WALLETS })), 1);
});

test('a removed member is enrolled anew, as by POST', async () => {
  const realm = await service.realm('removed');
  await newKind(realm, 'gems');
  await put(realm, '1', { ...fields, wallets: [WALLETS[0]] });
  await realm.expect(204, 'DELETE', '/members/1');
  const reply = await put(realm, '1', { username: 'new' });
  assert.equal(reply.status, 201);
  const { username, displayName, accounts, wallets, metadata, balances } = await read(realm, '1');
  assert.deepEqual([username, displayName, accounts, wallets, metadata], ['new', null, [], [], {}]);
  assert.deepEqual(balances, { points: 0, gems: 0 });
});

test('what belongs to another member is refused, and nothing changes', async () => {
  const realm = await service.realm('taken');
  await realm.member('1', 0, { accounts: fields.accounts, wallets: [WALLETS[0]] });
  await realm.member('2');
  await changesNothing(realm, async () => {
    for (const id of ['2', '3']) {
      const account = await put(realm, id, { username: 'x', accounts: fields.accounts });
      assertProblem(account, 'account-taken', { account: 'discord:42', memberId: '1' });
      const wallet = await put(realm, id, { username: 'x', wallets: [WALLETS[1], WALLETS[0]] });
      assertProblem(wallet, 'wallet-taken', { wallet: WALLETS[0], memberId: '1' });
    }
  });
});

test('of 100 concurrent PUTs one enrols the member, and all see it', async () => {
  const realm = await service.realm('race');
  const replies = await times(100, () => put(realm, '7', { ...fields, wallets: [WALLETS[0]] }));
  assert.deepEqual(counters(replies), { 200: 99, 201: 1 });
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  const names = await times(50, (index) => put(realm, '8', { username: `n${index}` }));
  assert.deepEqual(counters(names), { 200: 49, 201: 1 });
  const list = await realm.expect(200, 'GET', '/members');
  assert.deepEqual(
    list.json.items.map(({ id }: { id: string }) => id),
    ['7', '8'],
  );
});

test('an Idempotency-Key replays the first answer, status and location included', async () => {
  const realm = await service.realm('keyed');
  const keyed = (key: string, body: object) => put(realm, '1', body, { 'idempotency-key': key });
  const created = await keyed('a', { username: 'a' });
  const changed = await keyed('b', { username: 'b' });
  await put(realm, '1', { username: 'c' });
  const again = await keyed('a', { username: 'a' });
  assert.deepEqual([again.status, again.text], [201, created.text]);
  assert.equal(again.headers.location, created.headers.location);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  const second = await keyed('b', { username: 'b' });
  assert.deepEqual([second.status, second.text], [200, changed.text]);
  assertProblem(await keyed('a', { username: 'b' }), 'idempotency-key-reused');
  assert.equal((await read(realm, '1')).username, 'c');
});
