import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem } from '../support/checks.ts';
import {
  add,
  capture,
  done,
  give,
  hold,
  instant,
  newKind,
  release,
  walk,
} from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Holds in lists, and what they leave of a balance. */
const service = await serviceForFile();

const get = async (realm: TestRealm, path: string): Promise<Reply['json']> =>
  (await realm.expect(200, 'GET', path)).json;

const idsIn = async (realm: TestRealm, path: string): Promise<number[]> =>
  (await walk(realm, path)).map(({ holdId }) => holdId);

test('held and available are in the record, the list and the balance of now', async () => {
  const realm = await service.realm('shown');
  await realm.member('1', 100, { username: 'ann' });
  await newKind(realm, 'karma', { minimumBalance: -20 });
  await done(hold(realm, '1', 30));
  const { holdId } = await done(hold(realm, '1', 5));
  await done(capture(realm, holdId, { tokens: 2 }));
  await done(hold(realm, '1', 4, { realmPointId: 'karma' }));
  const expected = {
    balances: { points: 98, karma: 0 },
    held: { points: 33, karma: 4 },
    available: { points: 65, karma: 16 },
  };
  const places = [
    await get(realm, '/members/1'),
    (await get(realm, '/members')).items[0],
    (await get(realm, '/members?search=ann')).items[0],
    await get(realm, '/members/1/balance'),
    (await realm.expect(200, 'PATCH', '/members/1', { body: { displayName: 'A' } })).json,
  ];
  for (const { balances, held, available } of places) {
    assert.deepEqual({ balances, held, available }, expected);
  }
  const past = await get(realm, '/members/1/balance?at=2999-01-01T00:00:00Z');
  assert.deepEqual(Object.keys(past), ['memberId', 'at', 'tokenBalance', 'balances']);
});

test('a debit of what is available passes, of one more it is refused', async () => {
  const realm = await service.realm('available');
  await realm.member('1', 50);
  await realm.member('2');
  await newKind(realm, 'credit', { minimumBalance: -1_000 });
  await newKind(realm, 'deposit');
  await done(add(realm, '1', 40, { realmPointId: 'deposit' }));
  await realm.expect(200, 'PATCH', '/points/deposit', { body: { minimumBalance: 60 } });
  for (const [kind, free] of Object.entries({ points: 40, credit: 990 })) {
    const more = { realmPointId: kind };
    const { holdId } = await done(hold(realm, '1', 10, more));
    assert.equal((await get(realm, '/members/1')).available[kind], free);
    assertProblem(await add(realm, '1', -free - 1, more), 'insufficient-points');
    assertProblem(await give(realm, '1', '2', free + 1, more), 'insufficient-points');
    assertProblem(await hold(realm, '1', free + 1, more), 'insufficient-points');
    await done(add(realm, '1', -free, more));
    assert.equal((await get(realm, '/members/1')).available[kind], 0);
    await done(release(realm, holdId));
    assert.equal((await get(realm, '/members/1')).available[kind], 10);
  }
  const raised = (await get(realm, '/members/1')).available;
  assert.equal(raised.deposit, 0, 'below a raised floor nothing can be spent');
  assertProblem(await add(realm, '1', -1, { realmPointId: 'deposit' }), 'insufficient-points');
  await realm.expect(200, 'PATCH', '/members/1', { body: { status: 'frozen' } });
  const frozen = await get(realm, '/members/1');
  assert.deepEqual([frozen.available.points, frozen.held.points], [0, 0]);
  assertProblem(await add(realm, '1', -1), 'member-frozen');
});

test('holds are listed newest first, by member and by status, page by page', async () => {
  const realm = await service.realm('lists');
  const made: { id: number; member: string; status: string }[] = [];
  for (const member of ['1', '2', '3']) await realm.member(member, 1_000);
  for (let index = 0; index < 24; index++) {
    const member = String((index % 2) + 1);
    const { holdId } = await done(hold(realm, member, 5, { description: `Order ${index}` }));
    const status = ['open', 'captured', 'released'][index % 3] ?? '';
    if (status === 'captured') await done(capture(realm, holdId));
    if (status === 'released') await done(release(realm, holdId));
    made.unshift({ id: holdId, member, status });
  }
  for (const status of ['', 'open', 'captured', 'released', 'expired']) {
    const filter = status && `&status=${status}`;
    const of = (member: string | null) =>
      made
        .filter((one) => status === '' || one.status === status)
        .filter((one) => member === null || one.member === member)
        .map(({ id }) => id);
    assert.deepEqual(await idsIn(realm, `/holds?limit=5${filter}`), of(null));
    for (const member of ['1', '2', '3']) {
      const path = `/members/${member}/holds?limit=3${filter}`;
      assert.deepEqual(await idsIn(realm, path), of(member));
    }
  }
  const [newest] = (await get(realm, '/holds')).items;
  assert.deepEqual(newest, await get(realm, `/holds/${newest.holdId}`));
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true');
  const left = made.filter(({ member }) => member === '1').map(({ id }) => id);
  assert.deepEqual(await idsIn(realm, '/holds'), left);
  assertProblem(await realm.send('GET', '/members/2/holds'), 'member-not-found');
  for (const list of ['/holds', '/members/1/holds']) {
    assertFaults(await realm.send('GET', `${list}?status=closed`), '/query/status');
  }
  const nowhere = '/api/v4/realms/nowhere';
  assertProblem(await service.send('GET', `${nowhere}/holds`), 'realm-not-found');
  assertProblem(await service.send('GET', `${nowhere}/members/1/holds`), 'realm-not-found');
});

test('a hold past its instant is expired in every list, recorded or not', async () => {
  const realm = await service.realm('expiring');
  await realm.member('1', 100);
  const lasting = await done(hold(realm, '1', 10));
  const brief = await done(hold(realm, '1', 30, { expiresInSeconds: 1 }));
  assert.equal((await get(realm, '/members/1')).held.points, 40);
  await instant(Date.parse(brief.expiresAt));
  // Reads before and after the service records the expiry, which takes it a second or so.
  for (let isRecorded = false, last = false; !last; last = isRecorded) {
    const { items: events } = await get(realm, '/events?after=0&limit=500');
    isRecorded = events.at(-1).type === 'points.released';
    for (const list of ['/holds', '/members/1/holds']) {
      assert.deepEqual(await idsIn(realm, `${list}?status=open`), [lasting.holdId]);
      const [expired, ...others] = (await get(realm, `${list}?status=expired`)).items;
      assert.deepEqual([expired.holdId, expired.remaining, others], [brief.holdId, 0, []]);
      const all = (await get(realm, list)).items.map(({ status }: Reply['json']) => status);
      assert.deepEqual(all, ['expired', 'open']);
    }
    const { held, available } = await get(realm, '/members/1');
    assert.deepEqual([held.points, available.points], [10, 90]);
  }
});
