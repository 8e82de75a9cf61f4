import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counters, give, times } from '../support/points.ts';
import { serviceForFile } from '../support/service.ts';

/** Many credits, debits and transfers at once. */
const service = await serviceForFile();

test('of 1,000 concurrent debits of 1 from 100, exactly 100 succeed', async () => {
  const realm = await service.realm('spenders');
  await realm.member('42', 100);
  const spend = () => realm.send('PATCH', '/members/42/tokenBalance', { body: { tokens: -1 } });
  const replies = await Promise.all(Array.from({ length: 1_000 }, spend));
  const balances = replies.filter((reply) => reply.status === 200).map((r) => r.json.newBalance);
  assert.deepEqual(
    balances.toSorted((a, b) => a - b),
    Array.from({ length: 100 }, (_, index) => index),
  );
  const refused = replies.filter((reply) => reply.json.code === 'insufficient-points');
  assert.equal(refused.length, 900);
  assert.equal(await realm.balance('42'), 0);
});

test('transfers both ways over 64 connections: no 5xx, and the sum stays the same', async () => {
  const realm = await service.realm('swappers');
  await realm.member('1', 500);
  await realm.member('2', 500);
  const statuses = new Map<number, number>();
  const swap = async (index: number): Promise<void> => {
    const [from, to] = index % 2 === 0 ? ['1', '2'] : ['2', '1'];
    for (let sent = 0; sent < 40; sent++) {
      const body = { recipientId: to, tokens: 1 + (index % 7) };
      const { status } = await realm.send('PATCH', `/members/${from}/transfer`, { body });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 64 }, (_, index) => swap(index)));
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status !== 200 && status !== 422),
    [],
  );
  assert.ok((statuses.get(200) ?? 0) > 0);
  assert.equal((await realm.balance('1')) + (await realm.balance('2')), 1_000);
});

test('concurrent first credits enrol a member once, and none is lost', async () => {
  const realm = await service.realm('firsts', { autoEnroll: true });
  const credit = () => realm.send('PATCH', '/members/1/tokenBalance', { body: { tokens: 2 } });
  assert.deepEqual(counters(await times(100, credit)), { 200: 100 });
  assert.equal(await realm.balance('1'), 200);
  await realm.member('2', 10);
  const pay = () => give(realm, '2', '3', 1);
  assert.deepEqual(counters(await times(40, pay)), { 200: 10, 'insufficient-points': 30 });
  assert.deepEqual([await realm.balance('2'), await realm.balance('3')], [0, 10]);
});

test('a member removed among transfers receives nothing afterwards', async () => {
  const realm = await service.realm('removal');
  await realm.member('1', 100);
  await realm.member('2');
  const moves = times(100, (index) =>
    index === 50 ? realm.send('DELETE', '/members/2?forfeit=true') : give(realm, '1', '2', 1),
  );
  const counts = counters(await moves);
  assert.equal(counts[204], 1);
  assert.equal((counts[200] ?? 0) + (counts['recipient-not-found'] ?? 0), 99);
  assert.equal(await realm.balance('1'), 100 - (counts[200] ?? 0));
});

test('a member frozen among transfers sends nothing once the freeze is answered', async () => {
  const realm = await service.realm('freeze');
  await realm.member('1', 100);
  await realm.member('2');
  const moves = times(60, () => give(realm, '1', '2', 1));
  await realm.expect(200, 'PATCH', '/members/1', { body: { status: 'frozen' } });
  const after = await times(20, () => give(realm, '1', '2', 1));
  assert.deepEqual(counters(after), { 'member-frozen': 20 });
  const counts = counters(await moves);
  assert.equal((counts[200] ?? 0) + (counts['member-frozen'] ?? 0), 60);
  assert.equal(await realm.balance('2'), counts[200] ?? 0);
});

test('transaction ids are unique and have no gaps', async () => {
  const realm = await service.realm('places');
  await realm.member('1', 1);
  const replies = await times(120, (index) => {
    const tokens = index % 4 === 3 ? -1_000_000 : 1;
    return realm.send('PATCH', '/members/1/tokenBalance', { body: { tokens } });
  });
  const done = replies.filter((reply) => reply.status === 200).map((reply) => reply.json);
  const ids = done.map((reply) => reply.transactionId).sort((a, b) => a - b);
  assert.equal(ids.length, 90);
  assert.deepEqual(
    ids,
    Array.from({ length: 90 }, (_, index) => ids[0] + index),
  );
  // In the order of their ids, every balance follows from the one before.
  for (const { transactionId, newBalance } of done) {
    assert.equal(newBalance, 2 + transactionId - ids[0]);
  }
});
