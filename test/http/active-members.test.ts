import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults } from '../support/checks.ts';
import { add, done, give, reverse, verdict } from '../support/points.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Members by day. That it adds up over weeks is shown in domain/projections.test.ts. */
const service = await serviceForFile();
const DAY_MS = 86_400_000;

const activity = async (realm: TestRealm, query = '') =>
  (await realm.expect(200, 'GET', `/activity${query}`)).json;

test('the days of a realm of today', async () => {
  const realm = await service.realm('today');
  const members = [
    { id: 1, balances: { points: 500 } },
    { id: 2, balances: { points: 40 } },
    { id: 3 },
    { id: 4 },
  ];
  await realm.expect(200, 'POST', '/members/batch', { body: { members } });
  await done(add(realm, '1', 60));
  await done(give(realm, '1', '2', 30));
  await done(add(realm, '2', -25));
  await realm.expect(204, 'DELETE', '/members/4');
  const { activeMembers, days } = await activity(realm);
  assert.deepEqual([activeMembers, days.length], [2, 30]);
  const { day: _, records: __, ...today } = days.at(-1);
  const sums = { issued: 60, spent: 25, circulation: 575, members: 3 };
  assert.deepEqual(today, { ...sums, activeMembers: 2, newMembers: 2, returningMembers: 0 });
  const { members: before, circulation } = days.at(-3);
  assert.deepEqual([before, circulation], [0, 0]);
  assert.equal((await verdict(realm)).ok, true);
});

test('only those are active who do something', async () => {
  const realm = await service.realm('passive');
  await realm.member('1');
  await realm.member('2');
  const active = async () => (await activity(realm)).activeMembers;
  const opening = { members: [{ id: 3, balances: { points: 70 } }] };
  await realm.expect(200, 'POST', '/members/batch', { body: opening });
  const { items } = (await realm.expect(200, 'GET', '/transactions')).json;
  await done(reverse(realm, items[0].transactionId, { tokens: 20 }));
  assert.equal(await active(), 0, 'an opening balance, and its reversal');
  await realm.expect(204, 'DELETE', '/members/3?forfeit=true');
  assert.equal(await active(), 0, 'what is forfeited');
  await done(add(realm, '1', 10));
  const { transactionId } = await done(add(realm, '1', 10));
  assert.equal(await active(), 1);
  await done(reverse(realm, transactionId));
  await done(give(realm, '1', '2', 5));
  assert.equal(await active(), 2, 'who gets points');
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true');
  await realm.member('2', 5);
  assert.equal(await active(), 3, 'somebody new');
  assert.equal((await verdict(realm)).ok, true);
});

test('an earlier period ends in the day that is named', async () => {
  const realm = await service.realm('earlier');
  await realm.member('1', 70);
  const now = await activity(realm, '?days=2');
  const today = now.days.at(-1).day;
  const at = (ms: number) => new Date(Date.parse(today) + ms).toISOString();
  const yesterday = await activity(realm, `?days=3&to=${at(-1)}`);
  assert.equal(yesterday.activeMembers, 0);
  assert.deepEqual(yesterday.days.at(-1), now.days[0]);
  assert.equal(yesterday.days.length, 3);
  assert.equal((await activity(realm, `?to=${at(900 * DAY_MS)}`)).days.at(-1).day, today);
  assert.equal((await activity(realm, '?days=2&to=1999-01-01T00:00:00Z')).days[1].members, 0);
  assertFaults(await realm.send('GET', '/activity?to=yesterday'), '/query/to');
});
