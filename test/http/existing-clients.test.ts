import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/checks.ts';
import { add, done, give, hold, newKind } from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** What programs rely on that were written for these paths before Realmkeep. */
const service = await serviceForFile();

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

const get = async (realm: TestRealm, path: string): Promise<Reply['json']> =>
  (await realm.expect(200, 'GET', path)).json;

/** A realm whose default kind, `points`, is neither the first nor the last by id. */
async function threeKinds(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 70, { username: 'ann' });
  for (const kind of ['zeal', 'gems', 'x-2', '2x']) await newKind(realm, kind);
  await done(add(realm, '1', 5, { realmPointId: 'gems' }));
  return realm;
}

/** The kinds of every map by kind that the API answers, in order. */
async function orders(realm: TestRealm): Promise<string[]> {
  const member = await get(realm, '/members/1');
  const changed = await realm.expect(200, 'PATCH', '/members/1', { body: { username: 'ann' } });
  const enrolled = await realm.expect(201, 'POST', '/members', { body: {} });
  const records = [
    member,
    changed.json,
    enrolled.json,
    (await get(realm, '/members?limit=1')).items[0],
    (await get(realm, '/members?search=ann')).items[0],
    await get(realm, '/members/1/balance'),
  ];
  const past = await get(realm, '/members/1/balance?at=2999-01-01T00:00:00Z');
  const maps = [
    ...records.flatMap((one) => [one.balances, one.held, one.available]),
    past.balances,
  ];
  for (const one of [...records, past]) {
    assert.equal(Object.values(one.balances)[0], one.tokenBalance);
  }
  return [...new Set(maps.map((map) => Object.keys(map).join()))];
}

test('balances start with the default kind, then follow by id', async () => {
  const realm = await threeKinds('first');
  assert.deepEqual(await orders(realm), ['points,2x,gems,x-2,zeal']);
  await realm.expect(200, 'PATCH', '/points/zeal', { body: { isDefault: true } });
  assert.deepEqual(await orders(realm), ['zeal,2x,gems,points,x-2']);
  await newKind(realm, 'aaa', { isDefault: true });
  assert.deepEqual(await orders(realm), ['aaa,2x,gems,points,x-2,zeal']);
});

test('an empty or null realmPointId means the default kind', async () => {
  const realm = await threeKinds('empty');
  await realm.member('2');
  await realm.expect(200, 'PATCH', '/points/gems', { body: { isDefault: true } });
  for (const realmPointId of ['', null]) {
    const kind = { realmPointId };
    assert.equal((await done(add(realm, '1', 5, kind))).realmPointId, 'gems');
    assert.equal((await done(give(realm, '1', '2', 1, kind))).realmPointId, 'gems');
    assert.equal((await done(hold(realm, '1', 1, kind))).realmPointId, 'gems');
    const entries = [{ memberId: 1, tokens: 1, ...kind }];
    await realm.expect(200, 'PATCH', '/members/tokenBalance', { body: { entries } });
  }
  const { balances } = await get(realm, '/members/1');
  assert.deepEqual([balances.gems, balances.points], [15, 70]);
  const ranking = await get(realm, '/leaderboard?realmPointId=');
  assert.deepEqual(
    ranking.members.map(({ tokens }: Reply['json']) => tokens),
    [15, 2],
  );
  assert.equal((await get(realm, '/leaderboard/1?realmPointId=')).tokens, 15);
  for (const list of ['/members/1/transactions', '/transactions']) {
    const shown = await get(realm, `${list}?realmPointId=&limit=2`);
    const more = await get(realm, `${list}?realmPointId=&cursor=${shown.nextCursor}`);
    const kinds = [...shown.items, ...more.items].map((row: Reply['json']) => row.realmPointId);
    assert.deepEqual([...new Set(kinds)], ['gems']);
    assert.equal(kinds.length, 7);
  }
  // The same request in other words is another request.
  const headers = { 'idempotency-key': 'once' };
  const send = (body: object) =>
    realm.send('PATCH', '/members/1/tokenBalance', { body: { tokens: 1, ...body }, headers });
  assert.equal((await send({ realmPointId: '' })).status, 200);
  assert.equal((await send({ realmPointId: '' })).headers['idempotent-replayed'], 'true');
  assertProblem(await send({}), 'idempotency-key-reused');
});

test('rows of a leaderboard have tokens, wallet and last_updated', async () => {
  const realm = await service.realm('rows');
  await realm.member('1', 0, { wallets: [WALLET, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'] });
  await realm.member('2');
  await newKind(realm, 'gems');
  await done(add(realm, '1', 30));
  await done(add(realm, '2', 10));
  const spent = await done(add(realm, '1', -5));
  await done(add(realm, '1', 1, { realmPointId: 'gems' }));
  const { at } = await get(realm, `/transactions/${spent.transactionId}`);
  const { createdAt } = await get(realm, '/members/2');
  const rowsIn = async (query: string): Promise<unknown[][]> => {
    const { members } = await get(realm, `/leaderboard${query}`);
    for (const row of members) {
      const { asOf: _, total: __, ...own } = await get(realm, `/leaderboard/${row.id}${query}`);
      assert.deepEqual(own, row);
    }
    return members.map((row: Reply['json']) => [row.id, row.tokens, row.wallet, row.last_updated]);
  };
  const second = (await get(realm, '/members/2/transactions')).items[0].at;
  assert.deepEqual(await rowsIn(''), [
    ['1', 25, WALLET, at],
    ['2', 10, null, second],
  ]);
  assert.deepEqual(await rowsIn('?window=month'), [
    ['1', 30, WALLET, at],
    ['2', 10, null, second],
  ]);
  const inGems = await rowsIn('?realmPointId=gems');
  assert.deepEqual(inGems[1], ['2', 0, null, createdAt], 'its points of this kind never moved');
  await realm.expect(204, 'DELETE', `/members/1/wallets/${WALLET}`);
  assert.equal((await rowsIn(''))[0]?.[2], '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2');
  const unranked = await get(realm, '/leaderboard/2?realmPointId=gems&window=day');
  assert.deepEqual([unranked.rank, unranked.tokens, unranked.last_updated], [null, 0, createdAt]);
});

test('a problem says in one sentence what is wrong, also as message', async () => {
  const realm = await service.realm('words');
  await realm.member('1', 10);
  const sentence = async (method: string, path: string, body?: unknown) => {
    const reply = await realm.send(method, path, { body });
    assertProblem(reply, 'invalid-request');
    return reply.json.message;
  };
  const integer = 'must be a JSON integer from 1 to 9007199254740991.';
  assert.deepEqual(
    [
      await sentence('PATCH', '/members/1/transfer', { recipientId: 2, tokens: '5' }),
      await sentence('PATCH', '/members/1/transfer', { tokens: '5' }),
      await sentence('PATCH', '/members/abc/transfer', { tokens: '5' }),
      await sentence('PATCH', '/members/tokenBalance', { entries: [{ memberId: 1 }, 5] }),
      await sentence('GET', '/members?limit=0'),
      await sentence('PATCH', '', { settings: { rateLimit: { perSecond: 1, burst: 0 } } }),
      await sentence('POST', '/members', []),
    ],
    [
      `tokens ${integer}`,
      'recipientId is required. There is 1 more fault.',
      'memberID must be an integer from 1 to 9223372036854775807, without leading zeros. ' +
        'There are 2 more faults.',
      'entries[0].tokens is required. There is 1 more fault.',
      'limit must be an integer from 1 to 500.',
      'settings.rateLimit.burst must be a JSON integer from 1 to 1000000.',
      'The request must be an object.',
    ],
  );
  const many = { entries: Array.from({ length: 200 }, () => ({ memberId: 1, tokens: 0 })) };
  const all = await sentence('PATCH', '/members/tokenBalance', many);
  assert.match(all, /^entries\[0\]\.tokens must be .*\. There are at least 99 more faults\.$/);
  const short = await realm.send('PATCH', '/members/1/tokenBalance', { body: { tokens: -50 } });
  assertProblem(short, 'insufficient-points', {
    detail: 'Member 1 has 10 points; 50 were requested.',
    message: 'Member 1 has 10 points and needs 50.',
  });
  const batch = { atomic: false, entries: [{ memberId: 1, tokens: -50 }] };
  const { results } = (await realm.expect(200, 'PATCH', '/members/tokenBalance', { body: batch }))
    .json;
  assert.equal(results[0].problem.message, short.json.message);
  assert.equal(results[0].problem.detail, short.json.detail);
});
