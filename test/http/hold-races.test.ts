import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/checks.ts';
import {
  add,
  capture,
  counters,
  done,
  give,
  hold,
  instant,
  release,
  times,
  verdict,
} from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Expiring holds, and many calls at once. */
const service = await serviceForFile();

async function pair(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 100);
  await realm.member('2');
  return realm;
}

const look = async (realm: TestRealm, id: number) =>
  (await realm.expect(200, 'GET', `/holds/${id}`)).json;

/** The first matching event, as soon as it is in the journal. */
async function event(realm: TestRealm, fits: (item: Reply['json']) => boolean) {
  const end = Date.now() + 10_000;
  for (let after = 0; Date.now() < end; ) {
    const { items, lastSeq } = (await realm.expect(200, 'GET', `/events?after=${after}`)).json;
    const found = items.find(fits);
    if (found) return found;
    after = lastSeq;
    if (items.length === 0) await instant(Date.now() + 20);
  }
  throw new Error('no such event came');
}

test('a hold expires at its instant, before the expiry is recorded', async () => {
  const realm = await pair('instant');
  const { holdId, expiresAt } = await done(hold(realm, '1', 60, { expiresInSeconds: 1 }));
  assertProblem(await add(realm, '1', -50), 'insufficient-points', { held: 60 });
  await done(capture(realm, holdId, { tokens: 10 }));
  await instant(Date.parse(expiresAt));
  const expired = await look(realm, holdId);
  assert.deepEqual([expired.status, expired.captured, expired.remaining], ['expired', 10, 0]);
  assertProblem(await capture(realm, holdId), 'hold-closed', { holdStatus: 'expired' });
  assertProblem(await release(realm, holdId), 'hold-closed', { holdStatus: 'expired' });
  await done(add(realm, '1', -90));
  const noted = await event(realm, ({ type }) => type === 'points.released');
  assert.deepEqual(noted.data, {
    holdId,
    memberId: '1',
    tokens: 50,
    realmPointId: 'points',
    expiredAt: expiresAt,
  });
  assert.equal(noted.actor, 'service');
  assert.ok(noted.at >= expiresAt);
  assert.equal((await look(realm, holdId)).status, 'expired');
  assertProblem(await capture(realm, holdId), 'hold-closed', { holdStatus: 'expired' });
  // It is recorded once.
  const { items } = (await realm.expect(200, 'GET', '/events?limit=500')).json;
  assert.equal(items.filter((item: Reply['json']) => item.type === 'points.released').length, 1);
  assert.equal((await verdict(realm)).ok, true);
});

test('a member removed after the expiry leaves an expired hold, not a released one', async () => {
  const realm = await pair('late');
  const { holdId, expiresAt } = await done(hold(realm, '1', 60, { expiresInSeconds: 1 }));
  await instant(Date.parse(expiresAt));
  await realm.expect(204, 'DELETE', '/members/1?forfeit=true');
  const noted = await event(realm, ({ type }) => type === 'points.released');
  assert.deepEqual([noted.data.holdId, noted.data.expiredAt], [holdId, expiresAt]);
});

test('100 concurrent captures never take more than the hold has', async () => {
  const realm = await pair('captures');
  const { holdId } = await done(hold(realm, '1', 50));
  const replies = await times(100, (index) =>
    capture(realm, holdId, { tokens: 1 + (index % 2), ...(index % 3 === 0 && { recipientId: 2 }) }),
  );
  const taken = replies.filter((r) => r.status === 200).reduce((sum, r) => sum + r.json.tokens, 0);
  const after = await look(realm, holdId);
  assert.equal(taken, 50);
  assert.deepEqual([after.captured, after.remaining, after.status], [50, 0, 'captured']);
  assert.equal(await realm.balance('1'), 50);
  const codes = ['200', 'hold-closed', 'hold-exceeded'];
  assert.ok(Object.keys(counters(replies)).every((code) => codes.includes(code)));
  const whole = await done(hold(realm, '1', 50));
  const all = await times(100, () => capture(realm, whole.holdId));
  assert.deepEqual(counters(all), { 200: 1, 'hold-closed': 99 });
  assert.equal((await verdict(realm)).ok, true);
});

test('100 concurrent holds never hold more than the balance', async () => {
  const realm = await pair('holds');
  const replies = await times(100, () => hold(realm, '1', 3));
  assert.deepEqual(counters(replies), { 201: 33, 'insufficient-points': 67 });
  assertProblem(await add(realm, '1', -2), 'insufficient-points', { held: 99 });
});

test('concurrent captures, releases and debits spend each point once', async () => {
  const realm = await pair('mixed');
  const { holdId } = await done(hold(realm, '1', 60));
  const replies = await times(120, (index) => {
    if (index % 4 === 0) return capture(realm, holdId, { tokens: 1 });
    if (index === 61) return release(realm, holdId);
    return index % 2 === 0 ? add(realm, '1', -1) : give(realm, '1', '2', 1);
  });
  const gone = replies.filter((reply) => reply.status === 200).length - 1;
  const [one, two] = [await realm.balance('1'), await realm.balance('2')];
  assert.equal(one, 100 - gone);
  assert.ok(one >= 0 && two >= 0);
  assert.equal((await look(realm, holdId)).status, 'released');
  assert.equal((await verdict(realm)).ok, true);
});

test('captures around the expiry succeed only before it', async () => {
  const realm = await pair('expiry');
  const { holdId, expiresAt } = await done(hold(realm, '1', 100, { expiresInSeconds: 1 }));
  const end = Date.parse(expiresAt);
  await instant(end - 60);
  const replies: Reply[] = [];
  // Those sent before the end may be answered long after it.
  for (let sentAt = 0; sentAt < end + 60; ) {
    sentAt = Date.now();
    replies.push(...(await times(2, () => capture(realm, holdId, { tokens: 1 }))));
  }
  const counts = counters(replies);
  assert.ok((counts['hold-closed'] ?? 0) > 0, JSON.stringify(counts));
  const taken = counts[200] ?? 0;
  assert.equal(await realm.balance('1'), 100 - taken);
  const path = '/transactions?type=points.captured&limit=500';
  const { items } = (await realm.expect(200, 'GET', path)).json;
  assert.equal(items.length, taken);
  for (const { at } of items) assert.ok(at < expiresAt, `${at} is not before ${expiresAt}`);
  await done(add(realm, '1', taken - 100));
  assert.equal((await verdict(realm)).ok, true);
});
