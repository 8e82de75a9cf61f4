import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { add, capture, done, give, hold, newKind, reverse } from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** The fields, filters and settings that are there for programs of the older interface. */
const service = await serviceForFile();

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

const get = async (realm: TestRealm, path: string): Promise<Reply['json']> =>
  (await realm.expect(200, 'GET', path)).json;

async function twoKinds(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 70, { username: 'ann' });
  await newKind(realm, 'gems');
  await done(add(realm, '1', 5, { realmPointId: 'gems' }));
  return realm;
}

test('export_logs has every movement once, newest first, in the old form', async () => {
  const realm = await twoKinds('logs');
  await realm.member('2');
  await done(give(realm, '1', '2', 20, { description: 'Thanks' }));
  const { holdId } = await done(hold(realm, '1', 5));
  await done(capture(realm, holdId));
  const spent = await done(add(realm, '2', -3));
  await done(reverse(realm, spent.transactionId));
  const all = await get(realm, '/export_logs');
  const { items } = await get(realm, '/transactions?limit=500');
  // Of the only movement with two sides.
  const balanceOf = ({ counterpartyId }: Reply['json']) => (counterpartyId === '2' ? 20 : null);
  assert.deepEqual(
    all,
    items.map((row: Reply['json']) => ({
      id: row.transactionId,
      timestamp: new Date(row.at).toUTCString(),
      type: row.type,
      realm_id: 'logs',
      guild_id: 'logs',
      receiver: row.tokens < 0 ? row.counterpartyId : row.memberId,
      sender: row.tokens < 0 ? row.memberId : row.counterpartyId,
      data: {
        activity: row.type,
        amount: Math.abs(row.tokens),
        receiverBalance: row.tokens < 0 ? balanceOf(row) : row.balance,
        senderBalance: row.tokens < 0 ? row.balance : null,
      },
      member_id: row.memberId,
      tokens: row.tokens,
      balance: row.balance,
      counterparty_id: row.counterpartyId,
      description: row.description,
      realm_point_id: row.realmPointId,
    })),
  );
  assert.equal(all.length, 6);
  assert.match(all[0].timestamp, /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/);
  const walked: unknown[] = [];
  for (let before = ''; ; ) {
    const page = await get(realm, `/export_logs?limit=4${before}`);
    if (page.length === 0) break;
    walked.push(...page);
    before = `&before=${page.at(-1).id}`;
  }
  assert.deepEqual(walked, all);
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'before=0', 'before=x', 'before=']) {
    const reply = await realm.send('GET', `/export_logs?${query}`);
    assertFaults(reply, `/query/${query.split('=')[0]}`);
  }
  for (const filter of ['', '?users=one', '?types=tips']) {
    const nowhere = await service.send('GET', `/api/v4/realms/nowhere/export_logs${filter}`);
    assertProblem(nowhere, 'realm-not-found');
  }
});

test('export_logs keeps to its filters, and what is unknown has no rows', async () => {
  const realm = await service.realm('filters');
  for (const id of ['1', '2', '3']) await realm.member(id, 100);
  await done(give(realm, '1', '2', 20));
  await done(add(realm, '3', -1));
  const idsOf = async (query: string): Promise<number[]> =>
    (await get(realm, `/export_logs?${query}`)).map(({ id }: Reply['json']) => id);
  const all = await get(realm, '/export_logs');
  const of = (...ids: string[]) =>
    all
      .filter((row: Reply['json']) => ids.includes(row.sender) || ids.includes(row.receiver))
      .map(({ id }: Reply['json']) => id);
  assert.deepEqual(await idsOf('users=1'), of('1'));
  assert.deepEqual(await idsOf('users=3,2'), of('2', '3'));
  assert.deepEqual(await idsOf('users=1,2'), of('1', '2'), 'a transfer between them comes once');
  assert.deepEqual(await idsOf('users=1,99'), of('1'));
  for (const nobody of ['users=99', 'users=one', 'types=tips', 'users=1&types=tips']) {
    assert.deepEqual(await idsOf(nobody), [], nobody);
  }
  const [spent, given] = all;
  assert.deepEqual(await idsOf('types=points.subtracted,points.transferred'), [spent.id, given.id]);
  assert.deepEqual(await idsOf('users=1&types=points.transferred,points.subtracted'), [given.id]);
  assert.deepEqual(await idsOf('count=2'), [spent.id, given.id]);
  assert.deepEqual(await idsOf(`users=1,2&count=1&before=${given.id}`), of('1', '2').slice(1, 2));
  assert.equal((await idsOf('days=1')).length, all.length);
  for (const wrong of ['days=0', 'count=1001', 'users=', `users=${'1,'.repeat(10)}1`]) {
    assertFaults(await realm.send('GET', `/export_logs?${wrong}`), `/query/${wrong.split('=')[0]}`);
  }
});

test('a member also has the names that older programs read', async () => {
  const realm = await service.realm('names');
  const account = { provider: 'discord', id: '80351110224678912', username: 'ann' };
  await realm.member('42', 70, { accounts: [account], wallets: [WALLET] });
  const member = await get(realm, '/members/42');
  assert.deepEqual(
    [member.memberId, member.tokens, member.dripId],
    ['42', 70, '000000000000000000000042'],
  );
  assert.deepEqual(member.credentials, [
    {
      format: 'oauth',
      publicIdentifier: account.id,
      oauthProvider: 'discord',
      oauthAccountId: account.id,
      oauthUsername: 'ann',
      chain: null,
    },
    {
      format: 'blockchain',
      publicIdentifier: WALLET,
      oauthProvider: null,
      oauthAccountId: null,
      oauthUsername: null,
      chain: 'eip155',
    },
  ]);
});

test('a realm may answer for members that there are not', async () => {
  const realm = await twoKinds('unknown');
  assertProblem(await realm.send('GET', '/members/99'), 'member-not-found');
  const settings = { unknownMembers: 'zero' };
  await realm.expect(200, 'PATCH', '', { body: { settings } });
  const nobody = await get(realm, '/members/99');
  assert.deepEqual(
    [nobody.id, nobody.status, nobody.tokens, nobody.credentials],
    ['99', 'unknown', 0, []],
  );
  assert.deepEqual(nobody.balances, { points: 0, gems: 0 });
  const { items } = await get(realm, '/members');
  assert.equal(items.length, 1, 'it was not enrolled');
  assertProblem(await add(realm, '99', 5), 'member-not-found');
  const wrong = { settings: { unknownMembers: 'none' } };
  assertFaults(await realm.send('PATCH', '', { body: wrong }), '/settings/unknownMembers');
});

test('a key may be the user name of Basic', async () => {
  const realm = await service.realm('basic');
  await realm.member('1', 5);
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const read = (authorization: string) =>
    fetch(`${service.url}/api/v4/realms/basic/members/1`, { headers: { authorization } });
  for (const text of [`${realm.key}:`, `${realm.key}:anything`, realm.key]) {
    assert.equal((await read(basic(text))).status, 200, text);
  }
  for (const text of ['', ':', 'someone:secret', `:${realm.key}`]) {
    assert.equal((await read(basic(text))).status, 401, text);
  }
});

test('a leaderboard of 1,000 rows is one call', async () => {
  const realm = await service.realm('long');
  await realm.member('1', 5);
  assert.equal((await get(realm, '/leaderboard?limit=1000')).members.length, 1);
  assertFaults(await realm.send('GET', '/leaderboard?limit=1001'), '/query/limit');
});
