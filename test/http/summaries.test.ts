import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

const service = await serviceForFile();
const DAY_MS = 86_400_000;

interface Day {
  day: string;
  issued: number;
  spent: number;
  records: number;
}

const activity = async (realm: TestRealm, query = ''): Promise<Day[]> =>
  (await realm.expect(200, 'GET', `/activity${query}`)).json.days;

const summary = async (realm: TestRealm) => (await realm.expect(200, 'GET', '/summary')).json;

/** The days up to the current one, which may change between two calls. */
function lastDates(count: number, last: string): string[] {
  const end = Date.parse(last);
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

const post = (realm: TestRealm, path: string, body: object) =>
  realm.expect(201, 'POST', path, { body });
const patch = (realm: TestRealm, path: string, body: object) =>
  realm.expect(200, 'PATCH', path, { body });

test('a summary adds up what every member has', async () => {
  const realm = await service.realm('sums');
  await post(realm, '/points', { id: 'gems', name: 'Gems' });
  const members = [
    { id: 1, balances: { points: 500 } },
    { id: 2, balances: { points: 40, gems: 7 } },
  ];
  await realm.expect(200, 'POST', '/members/batch', { body: { members } });
  await realm.member('3', 100);
  const { transactionId: added } = (await patch(realm, '/members/1/tokenBalance', { tokens: 60 }))
    .json;
  const { transactionId: taken } = (await patch(realm, '/members/1/tokenBalance', { tokens: -25 }))
    .json;
  await patch(realm, '/members/1/transfer', { recipientId: 2, tokens: 30 });
  await post(realm, `/transactions/${added}/reversal`, { tokens: 10 });
  await post(realm, `/transactions/${taken}/reversal`, { tokens: 5 });
  const hold = async (tokens: number) =>
    (await post(realm, '/members/1/holds', { tokens })).json.holdId;
  const [spent, paid, released] = [await hold(20), await hold(8), await hold(9)];
  await post(realm, '/members/2/holds', { tokens: 4, realmPointId: 'gems' });
  await realm.expect(200, 'POST', `/holds/${spent}/capture`, { body: { tokens: 15 } });
  await realm.expect(200, 'POST', `/holds/${paid}/capture`, { body: { recipientId: 2 } });
  await realm.expect(200, 'POST', `/holds/${released}/release`);
  await realm.expect(204, 'DELETE', '/members/3?forfeit=true');

  const { items } = (await realm.expect(200, 'GET', '/members')).json;
  const sumOf = (map: string, kind: string) =>
    items.reduce(
      (sum: number, member: Record<string, Record<string, number>>) =>
        sum + (member[map]?.[kind] ?? 0),
      0,
    );
  const found = await summary(realm);
  const { lastSeq } = (await realm.expect(200, 'GET', '/events?limit=500')).json;
  assert.equal(found.realmId, 'sums');
  assert.equal(found.members, 2);
  assert.equal(found.records, lastSeq);
  assert.deepEqual(found.circulation, {
    points: sumOf('balances', 'points'),
    gems: sumOf('balances', 'gems'),
  });
  assert.deepEqual(found.held, { points: 5, gems: 4 });
  assert.deepEqual(Object.keys(found.circulation), ['points', 'gems']);
  assert.ok(Math.abs(Date.parse(found.lastActivityAt) - Date.now()) < 60_000);

  // 100 and 60 added less 10; 25 less 5, 15 captured and 100 forfeited.
  const today = (await activity(realm)).at(-1) as Day;
  assert.deepEqual([today.issued, today.spent], [150, 135]);
  const gems = (await activity(realm, '?realmPointId=gems&days=1')).at(-1) as Day;
  assert.deepEqual([gems.issued, gems.spent, gems.records], [0, 0, 2]);
  assert.equal((await realm.expect(200, 'GET', '/verify')).json.ok, true);
});

test('every day has a row, and the records of all days are counted', async () => {
  const realm = await service.realm('days');
  const { activity: days, records } = await summary(realm);
  assert.equal(days.length, 30);
  assert.deepEqual(
    days.map(({ day }: Day) => day),
    lastDates(30, days.at(-1).day),
  );
  assert.equal(
    days.reduce((sum: number, day: Day) => sum + day.records, 0),
    records,
  );
  for (const count of [1, 90, 366]) {
    const rows = await activity(realm, `?days=${count}`);
    assert.deepEqual(
      rows.map(({ day }) => day),
      lastDates(count, rows.at(-1)?.day ?? ''),
    );
    assert.ok(rows.every(({ issued, spent, records: own }) => !issued && !spent && !own));
  }
});

test('a new kind of points appears at once, and its record counts', async () => {
  const realm = await service.realm('new-kind');
  await realm.member('1', 5);
  await summary(realm);
  await post(realm, '/points', { id: 'aaa', name: 'A', isDefault: true });
  const found = await summary(realm);
  assert.deepEqual(found.circulation, { aaa: 0, points: 5 });
  assert.equal(found.members, 1);
  assert.equal(found.activity.at(-1).records + found.activity.at(-2).records, found.records);
});

test('sums beyond 2^53 have all their digits', async () => {
  const realm = await service.realm('large');
  const most = Number.MAX_SAFE_INTEGER;
  await realm.member('1', most);
  await realm.member('2', most);
  const hold = { tokens: most };
  for (const id of ['1', '2']) await post(realm, `/members/${id}/holds`, hold);
  const sum = String(2n * BigInt(most));
  const { text } = await realm.expect(200, 'GET', '/summary');
  assert.match(text, new RegExp(`"circulation":{"points":${sum}},"held":{"points":${sum}}`));
  assert.match((await realm.expect(200, 'GET', '/activity')).text, new RegExp(`"issued":${sum},`));
  for (const { holdId } of (await realm.expect(200, 'GET', '/holds')).json.items) {
    await realm.expect(200, 'POST', `/holds/${holdId}/release`);
  }
  await patch(realm, '/members/1/tokenBalance', { tokens: -most });
  await patch(realm, '/members/2/tokenBalance', { tokens: -most + 7 });
  assert.deepEqual((await summary(realm)).circulation, { points: 7 });
});

test('a member has a balance on every day', async () => {
  const realm = await service.realm('history');
  await realm.member('1', 70);
  await patch(realm, '/members/1/tokenBalance', { tokens: -20 });
  const history = async (query = '') =>
    (await realm.expect(200, 'GET', `/members/1/balance/history${query}`)).json;
  const { memberId, days } = await history('?days=92');
  assert.equal(memberId, '1');
  const dates = days.map(({ day }: { day: string }) => day);
  assert.deepEqual(dates, lastDates(92, dates.at(-1)));
  assert.deepEqual(days[0].balances, { points: 0 });
  assert.deepEqual(days.at(-1).balances, { points: 50 });
  assert.equal((await history()).days.length, 30);
  const unknown = await realm.send('GET', '/members/9/balance/history');
  assertProblem(unknown, 'member-not-found', { memberId: '9' });
  assertFaults(await realm.send('GET', '/members/1/balance/history?days=93'), '/query/days');
});

test('bad parameters are refused', async () => {
  const realm = await service.realm('bad');
  for (const days of ['0', '367', '1000', '-1', '1.5', '']) {
    assertFaults(await realm.send('GET', `/activity?days=${days}`), '/query/days');
  }
  const unknown = await realm.send('GET', '/activity?realmPointId=nothing');
  assertProblem(unknown, 'realm-point-not-found', { realmPointId: 'nothing' });
});
