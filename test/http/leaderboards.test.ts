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
  reverse,
  times,
  walk,
} from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Leaderboards: ranks right after a write, ties, pages and windows. */
const service = await serviceForFile();
const MAX = Number.MAX_SAFE_INTEGER;
const DAY_MS = 86_400_000;

/** A realm with members 1, 2, 3, … who have these points. */
async function realmWith(id: string, ...points: number[]): Promise<TestRealm> {
  // At midnight another leaderboard of the day starts.
  const tomorrow = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
  if (tomorrow - Date.now() < 15_000) await instant(tomorrow);
  const realm = await service.realm(id);
  for (const [index, tokens] of points.entries()) await realm.member(String(index + 1), tokens);
  return realm;
}

const leaderboard = async (realm: TestRealm, query = '') =>
  (await realm.expect(200, 'GET', `/leaderboard${query}`)).json;
const standing = async (realm: TestRealm, id: string, query = '') =>
  (await realm.expect(200, 'GET', `/leaderboard/${id}${query}`)).json;
const ranks = (rows: Reply['json'][]) => rows.map(({ rank, id }) => `${rank}:${id}`);
const ranksIn = async (realm: TestRealm, query = '') =>
  ranks((await leaderboard(realm, query)).members);

test('all time: by balance, ties share a rank, members without points are included', async () => {
  const realm = await realmWith('all', 50, 80, 80, 0, 50, 50, 0, 10);
  const before = Date.now();
  const { members, total, nextCursor, asOf } = await leaderboard(realm);
  assert.deepEqual(ranks(members), ['1:2', '1:3', '3:1', '3:5', '3:6', '6:8', '7:4', '7:7']);
  assert.deepEqual([total, nextCursor], [8, null]);
  assert.ok(Date.parse(asOf) >= before && Date.parse(asOf) <= Date.now());
  await realm.expect(200, 'PATCH', '/members/2', { body: { username: 'bo', displayName: 'Bo' } });
  const [{ last_updated: __, ...first }] = (await leaderboard(realm, '?window=all&limit=1'))
    .members;
  const points = { balance: 80, earned: null, tokens: 80, wallet: null };
  assert.deepEqual(first, { rank: 1, id: '2', username: 'bo', displayName: 'Bo', ...points });
  const { asOf: _, last_updated: ___, ...own } = await standing(realm, '6');
  const rest = { username: null, displayName: null, earned: null, wallet: null, total: 8 };
  assert.deepEqual(own, { rank: 3, id: '6', balance: 50, tokens: 50, ...rest });
});

test('the leaderboard includes every earlier write', async () => {
  const realm = await realmWith('at-once', 10, 20, 30);
  await done(add(realm, '1', 25));
  assert.deepEqual(await ranksIn(realm), ['1:1', '2:3', '3:2']);
  await done(give(realm, '1', '2', 20));
  assert.deepEqual(await ranksIn(realm), ['1:2', '2:3', '3:1']);
  const { transactionId } = await done(add(realm, '2', -15));
  assert.deepEqual(await ranksIn(realm), ['1:3', '2:2', '3:1']);
  await done(reverse(realm, transactionId));
  assert.equal((await standing(realm, '2')).rank, 1);
  const { holdId } = await done(hold(realm, '2', 40));
  assert.equal((await standing(realm, '2')).balance, 40, 'held points are still theirs');
  await done(capture(realm, holdId, { recipientId: 1 }));
  assert.deepEqual(await ranksIn(realm), ['1:1', '2:3', '3:2']);
  await realm.member('9007199254740993');
  assert.deepEqual(await ranksIn(realm, '?limit=500'), ['1:1', '2:3', '3:2', '3:9007199254740993']);
});

test('pages that split ties contain every member once, with the right rank', async () => {
  const points = Array.from({ length: 23 }, (_, index) => [7, 7, 7, 0, 3][index % 5] ?? 0);
  const realm = await realmWith('pages', ...points);
  const whole = await ranksIn(realm, '?limit=500');
  assert.equal(whole.length, 23);
  for (const limit of [1, 2, 3, 7, 22, 23]) {
    assert.deepEqual(ranks(await walk(realm, `/leaderboard?limit=${limit}`)), whole);
  }
  for (const row of whole) {
    const [rank, id = ''] = row.split(':');
    assert.equal((await standing(realm, id)).rank, Number(rank));
  }
});

test('removed members leave the leaderboard, and return without points', async () => {
  const realm = await realmWith('removed', 30, 20, 10);
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true');
  for (const window of ['all', 'day', 'week', 'month']) {
    const { members, total } = await leaderboard(realm, `?window=${window}`);
    assert.deepEqual([ranks(members), total], [['1:1', '2:3'], 2], window);
    assertProblem(await realm.send('GET', `/leaderboard/2?window=${window}`), 'member-not-found');
  }
  await realm.member('2');
  assert.deepEqual(await ranksIn(realm), ['1:1', '2:3', '3:2']);
  assert.equal((await standing(realm, '2', '?window=day')).rank, null);
  const { createdAt } = (await realm.expect(200, 'GET', '/members/2')).json;
  assert.equal((await standing(realm, '2')).last_updated, createdAt, 'the new enrolment');
  // Frozen members stay.
  await realm.expect(200, 'PATCH', '/members/1', { body: { status: 'frozen' } });
  assert.equal((await standing(realm, '1')).rank, 1);
});

for (const window of ['day', 'week', 'month']) {
  test(`${window}: by points earned, not counting transfers and spending`, async () => {
    const query = `?window=${window}`;
    const realm = await realmWith(window, 0, 40, 0, 0);
    const { transactionId } = await done(add(realm, '1', 50));
    await done(give(realm, '1', '3', 50));
    await done(add(realm, '2', -40));
    const { members, total } = await leaderboard(realm, query);
    const rows = members.map((row: Reply['json']) => [row.rank, row.id, row.earned, row.balance]);
    assert.deepEqual(rows, [
      [1, '1', 50, 0],
      [2, '2', 40, 0],
    ]);
    assert.equal(total, 2);
    for (const id of ['3', '4']) {
      const { rank, earned, total: of } = await standing(realm, id, query);
      assert.deepEqual([rank, earned, of], [null, 0, 2]);
    }
    await done(add(realm, '1', 20));
    await done(reverse(realm, transactionId, { tokens: 15 }));
    assert.equal((await standing(realm, '1', query)).earned, 55);
    await done(add(realm, '3', 55));
    assert.deepEqual(await ranksIn(realm, query), ['1:1', '1:3', '3:2']);
    assert.deepEqual(ranks(await walk(realm, `/leaderboard${query}&limit=1`)), [
      '1:1',
      '1:3',
      '3:2',
    ]);
  });
}

test('each point kind has its own leaderboard, below zero too', async () => {
  const realm = await realmWith('kinds', 30, 20);
  await newKind(realm, 'karma', { minimumBalance: -MAX });
  const query = '?realmPointId=karma';
  assert.deepEqual(await ranksIn(realm, query), ['1:1', '1:2']);
  const inKarma = { realmPointId: 'karma' };
  await done(add(realm, '1', -MAX, inKarma));
  await realm.member('3');
  await done(add(realm, '3', MAX, inKarma));
  assert.deepEqual(await ranksIn(realm, query), ['1:3', '2:2', '3:1']);
  assert.deepEqual(ranks(await walk(realm, `/leaderboard${query}&limit=1`)), ['1:3', '2:2', '3:1']);
  assert.deepEqual(await ranksIn(realm), ['1:1', '2:2', '3:3']);
  await realm.expect(200, 'PATCH', '/points/karma', { body: { isDefault: true } });
  assert.deepEqual(await ranksIn(realm), ['1:3', '2:2', '3:1']);
});

test('points earned may exceed the largest balance', async () => {
  const realm = await realmWith('huge', 0, 10);
  for (let round = 0; round < 3; round++) {
    await done(add(realm, '1', MAX));
    await done(add(realm, '1', -MAX));
  }
  for (const window of ['all', 'day', 'week', 'month']) {
    await realm.expect(200, 'GET', `/leaderboard/2?window=${window}`);
    await leaderboard(realm, `?window=${window}`);
  }
  const sum = String(3n * BigInt(MAX));
  const [, shown] = /"members":\[(.*?)\}/.exec(
    (await realm.expect(200, 'GET', '/leaderboard?window=day')).text,
  ) as unknown as [string, string];
  assert.match(shown, new RegExp(`^{"rank":1,"id":"1",.*"earned":${sum},"tokens":${sum},`));
  const own = await realm.expect(200, 'GET', '/leaderboard/1?window=month');
  assert.match(own.text, new RegExp(`"earned":${sum},"tokens":${sum},`));
  // The cursor is behind that score.
  assert.deepEqual(ranks(await walk(realm, '/leaderboard?window=week&limit=1')), ['1:1', '2:2']);
  await realm.expect(200, 'GET', '/members/1/transactions');
  await done(add(realm, '2', 5));
  assert.equal((await standing(realm, '2')).balance, 15);
});

test('a page shows one instant of the leaderboard while points move', async () => {
  const realm = await realmWith('moving', ...Array.from({ length: 20 }, () => 100));
  let isBusy = true;
  const moving = times(8, async (writer) => {
    for (let turn = 0; isBusy; turn++) {
      const from = 1 + ((writer * 7 + turn) % 20);
      await give(realm, String(from), String(1 + (from % 20)), 1 + (turn % 9));
    }
  });
  try {
    for (let reads = 0; reads < 60; reads++) {
      const { members, total } = await leaderboard(realm, '?limit=500');
      assert.deepEqual([total, members.length], [20, 20]);
      for (const { rank, balance } of members) {
        const above = members.filter((row: Reply['json']) => row.balance > balance).length;
        assert.equal(rank, above + 1);
      }
    }
  } finally {
    isBusy = false;
    await moving;
  }
});

test('a past week or month ends where it ends, and only those take an instant', async () => {
  const realm = await realmWith('past', 3, 5);
  const at = new Date().toISOString();
  for (const window of ['week', 'month']) {
    const { members, total, asOf } = await leaderboard(realm, `?window=${window}&at=${at}`);
    assert.deepEqual([ranks(members), total], [['1:2', '2:1'], 2]);
    assert.ok(Date.parse(asOf) >= Date.parse(at), 'it goes on');
    const past = `?window=${window}&at=2026-01-07T12:00:00Z`;
    const { asOf: end, ...none } = await leaderboard(realm, past);
    assert.deepEqual(none, { members: [], nextCursor: null, total: 0 });
    assert.equal(end, window === 'week' ? '2026-01-12T00:00:00.000Z' : '2026-02-01T00:00:00.000Z');
  }
  for (const query of ['', '&window=all', '&window=day', '&window=week&at=soon']) {
    assertFaults(await realm.send('GET', `/leaderboard?at=${at}${query}`), '/query/at');
  }
});

test('invalid input', async () => {
  const realm = await realmWith('invalid', 1, 2, 3);
  for (const path of ['/leaderboard', '/leaderboard/1']) {
    for (const window of ['', 'year', 'ALL', 'day&window=week', '%00']) {
      assertFaults(await realm.send('GET', `${path}?window=${window}`), '/query/window');
    }
    for (const id of ['Gems', 'a b', "a'--", '%00', 'x'.repeat(33), 'points@day:2026-01-01']) {
      const query = `?realmPointId=${encodeURI(id)}`;
      assertFaults(await realm.send('GET', path + query), '/query/realmPointId');
    }
    const unknown = await realm.send('GET', `${path}?realmPointId=gems`);
    assertProblem(unknown, 'realm-point-not-found', { realmPointId: 'gems' });
  }
  for (const id of ['0', '01', '-1', 'abc', '9223372036854775808']) {
    assertFaults(await realm.send('GET', `/leaderboard/${id}`), '/path/memberID');
  }
  for (const limit of ['0', '1001', 'x', '']) {
    assertFaults(await realm.send('GET', `/leaderboard?limit=${limit}`), '/query/limit');
  }
  const cursor = (await leaderboard(realm, '?limit=1')).nextCursor;
  const clash = [`window=day&cursor=${cursor}`, `realmPointId=gems&cursor=${cursor}`, 'cursor=x'];
  for (const query of clash) {
    assertFaults(await realm.send('GET', `/leaderboard?${query}`), '/query/cursor');
  }
  const forge = (after: unknown, filters: unknown = {}) =>
    Buffer.from(JSON.stringify(['getLeaderboard invalid', after, filters])).toString('base64url');
  const forged = [forge('1'), forge('x:1'), forge(5), forge('1:1', { window: 5 }), forge('1e5:1')];
  forged.push(forge('-9999999999999999999:1'), forge('1:9999999999999999999'), forge('-0:1'));
  forged.push(forge('1:1', { window: 'garbage' }), forge('01:1'), forge('1:0'));
  for (const text of forged) {
    assertFaults(await realm.send('GET', `/leaderboard?cursor=${text}`), '/query/cursor');
  }
});
