import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { done, times, verdict } from '../support/points.ts';
import { ROOT_KEY, serviceForFile, TestRealm } from '../support/service.ts';

/** What realms start with. */
const service = await serviceForFile();

const create = (id: string, more: object = {}, headers: Record<string, string> = {}) =>
  service.send('POST', '/api/v4/realms', { body: { id, name: id, ...more }, headers });

const kindsOf = async (id: string) =>
  (await service.expect(200, 'GET', `/api/v4/realms/${id}/points`)).json.items;

test('a realm starts with the kinds that it is given, all in its first record', async () => {
  const gold = { id: 'gold', name: 'Gold', symbol: 'G', minimumBalance: -5, isTransferable: false };
  const gems = { id: 'gems', name: 'Gems', isDefault: true };
  await done(create('two', { points: [gold, gems] }));
  const kinds = await kindsOf('two');
  const rest = { archived: false, maximumBalance: Number.MAX_SAFE_INTEGER };
  assert.deepEqual(kinds, [
    { ...gems, symbol: null, isTransferable: true, minimumBalance: 0, ...rest },
    { ...gold, isDefault: false, ...rest },
  ]);
  const events = (await service.expect(200, 'GET', '/api/v4/realms/two/events')).json.items;
  assert.deepEqual(
    events.map(({ type }: { type: string }) => type),
    ['realm.created'],
  );
  assert.deepEqual(events[0].data.points, kinds.toReversed());
  const realm = new TestRealm(service, 'two');
  realm.key = ROOT_KEY;
  await realm.member('1', 7);
  const member = (await realm.expect(200, 'GET', '/members/1')).json;
  assert.equal(member.tokenBalance, 7);
  assert.deepEqual(member.balances, { gems: 7, gold: 0 });
  const standings = (await realm.expect(200, 'GET', '/leaderboard?realmPointId=gold')).json;
  assert.equal(standings.total, 1, 'members are on the leaderboard of every kind');
  assert.equal((await verdict(realm)).ok, true);
});

test('the only kind of a new realm is its default, and not said to be none', async () => {
  for (const [id, isDefault] of Object.entries({ absent: undefined, yes: true })) {
    await done(create(id, { points: [{ id: 'gold', name: 'Gold', isDefault }] }));
    const kinds = await kindsOf(id);
    assert.deepEqual(
      kinds.map((kind: { id: string; isDefault: boolean }) => [kind.id, kind.isDefault]),
      [['gold', true]],
    );
  }
  const none = await create('bad', { points: [{ id: 'gold', name: 'Gold', isDefault: false }] });
  assertFaults(none, '/points/0/isDefault');
});

test('kinds that do not fit together are refused, and no realm is created', async () => {
  const [a, b] = [
    { id: 'a', name: 'A' },
    { id: 'b', name: 'B' },
  ];
  const chosen = { isDefault: true };
  const many = Array.from({ length: 51 }, (_, n) => ({ id: `k${n}`, name: 'K', isDefault: !n }));
  assertFaults(await create('bad', { points: [a, b] }), '/points');
  assertFaults(
    await create('bad', {
      points: [
        { ...a, ...chosen },
        { ...b, ...chosen },
      ],
    }),
    '/points',
  );
  assertFaults(await create('bad', { points: [{ ...a, ...chosen }, a] }), '/points/1/id');
  assertFaults(await create('bad', { points: [] }), '/points');
  assertFaults(await create('bad', { points: many }), '/points');
  assertFaults(await create('bad', { points: 'gold' }), '/points');
  assertFaults(await create('bad', { points: [null] }), '/points/0');
  assertFaults(await create('bad', { points: [{ name: 'A' }] }), '/points/0/id');
  const crossed = [
    { ...a, ...chosen },
    { ...b, minimumBalance: 5, maximumBalance: 4 },
  ];
  const extra = { realmPointId: 'b', minimumBalance: 5, maximumBalance: 4 };
  assertProblem(await create('bad', { points: crossed }), 'bounds-crossed', extra);
  assertProblem(await service.send('GET', '/api/v4/realms/bad'), 'realm-not-found');
});

test('a repeated creation with kinds is answered once more, by its key', async () => {
  const headers = { 'idempotency-key': 'create-1' };
  const points = [{ id: 'gold', name: 'Gold' }];
  const replies = await times(20, () => create('once', { points }, headers));
  assert.deepEqual(new Set(replies.map(({ text }) => text)).size, 1);
  assert.equal(replies.filter((reply) => reply.headers['idempotent-replayed']).length, 19);
  const other = await create('once', { points: [{ id: 'gems', name: 'Gems' }] }, headers);
  assertProblem(other, 'idempotency-key-reused');
});
