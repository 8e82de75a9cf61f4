import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counters, times } from '../support/points.ts';
import { serviceForFile } from '../support/service.ts';

/** What happens at the same time: the bugs that other ledgers had. */
const service = await serviceForFile();

test('saving names and settings meanwhile loses no change of points', async () => {
  const realm = await service.realm('saving');
  await realm.member('1', 1_000);
  const replies = await times(150, (index) => {
    const name = { body: { username: `name ${index}`, metadata: { index } } };
    if (index % 3 === 0) return realm.send('PATCH', '/members/1', name);
    if (index % 3 === 1) return realm.send('PATCH', '', { body: { name: `name ${index}` } });
    return realm.send('PATCH', '/members/1/tokenBalance', { body: { tokens: -1 } });
  });
  assert.deepEqual(counters(replies), { 200: 150 });
  assert.equal(await realm.balance('1'), 950);
});

test('many first credits at once enrol a member once, and none is lost', async () => {
  const realm = await service.realm('firsts', { autoEnroll: true });
  const credit = () => realm.send('PATCH', '/members/1/tokenBalance', { body: { tokens: 2 } });
  assert.deepEqual(counters(await times(100, credit)), { 200: 100 });
  assert.equal(await realm.balance('1'), 200);
  await realm.member('2', 10);
  const give = () =>
    realm.send('PATCH', '/members/2/transfer', { body: { tokens: 1, recipientId: 3 } });
  assert.deepEqual(counters(await times(40, give)), { 200: 10, 'insufficient-points': 30 });
  assert.deepEqual([await realm.balance('2'), await realm.balance('3')], [0, 10]);
});

test('one id, one account enrolled by many at once goes to one of them', async () => {
  const realm = await service.realm('enrolments');
  const same = () => realm.send('POST', '/members', { body: { id: 7 } });
  assert.deepEqual(counters(await times(30, same)), { 201: 1, 'member-exists': 29 });
  const accounts = [{ provider: 'discord', id: '7' }];
  const claim = () => realm.send('POST', '/members', { body: { accounts } });
  assert.deepEqual(counters(await times(30, claim)), { 201: 1, 'account-taken': 29 });
  const realms = () => service.send('POST', '/api/v4/realms', { body: { id: 'one', name: 'One' } });
  assert.deepEqual(counters(await times(30, realms)), { 201: 1, 'realm-exists': 29 });
});

test('one idempotency key with many bodies at once: one of them has its effect', async () => {
  const realm = await service.realm('bodies');
  await realm.member('1');
  const headers = { 'idempotency-key': 'k' };
  const replies = await times(60, (index) => {
    const body = { tokens: 1 + (index % 20) };
    return realm.send('PATCH', '/members/1/tokenBalance', { body, headers });
  });
  assert.deepEqual(counters(replies), { 200: 3, 'idempotency-key-reused': 57 });
  const done = replies.filter((reply) => reply.status === 200);
  assert.equal(new Set(done.map((reply) => reply.text)).size, 1);
  assert.equal(await realm.balance('1'), done[0]?.json.newBalance);
});

test('one idempotency key, refused and good at once: the refused leaves it free', async () => {
  const realm = await service.realm('mixed');
  await realm.member('1', 5);
  const headers = { 'idempotency-key': 'k' };
  const replies = await times(40, (index) => {
    const body = { tokens: index % 2 === 0 ? -6 : -5 };
    return realm.send('PATCH', '/members/1/tokenBalance', { body, headers });
  });
  const counts = counters(replies);
  assert.equal(counts[200], 20);
  const refused = (counts['insufficient-points'] ?? 0) + (counts['idempotency-key-reused'] ?? 0);
  assert.equal(refused, 20);
  assert.equal(await realm.balance('1'), 0);
});

test('a removal among payments: nothing is paid to or by who is gone', async () => {
  const realm = await service.realm('removal');
  await realm.member('1', 100);
  await realm.member('2');
  const moves = times(100, (index) =>
    index === 50
      ? realm.send('DELETE', '/members/2?forfeit=true')
      : realm.send('PATCH', '/members/1/transfer', { body: { tokens: 1, recipientId: 2 } }),
  );
  const counts = counters(await moves);
  assert.equal(counts[204], 1);
  assert.equal((counts[200] ?? 0) + (counts['recipient-not-found'] ?? 0), 99);
  assert.equal(await realm.balance('1'), 100 - (counts[200] ?? 0));
});

test('realms do not mix: the same members and keys in each, all at once', async () => {
  const realms = await times(10, (index) => service.realm(`crowd-${index}`));
  await Promise.all(realms.map((realm) => realm.member('1', 100)));
  const replies = await times(200, (index) => {
    const realm = realms[index % 10];
    if (!realm) throw new Error('no realm');
    const headers = { 'idempotency-key': `k${Math.floor(index / 10)}` };
    const body = { tokens: -1 - (index % 10) };
    return realm.send('PATCH', '/members/1/tokenBalance', { body, headers });
  });
  for (const [index, realm] of realms.entries()) {
    const cost = 1 + index;
    const paid = Math.min(20, Math.floor(100 / cost));
    assert.equal(await realm.balance('1'), 100 - paid * cost);
  }
  assert.ok((counters(replies)[200] ?? 0) > 100);
});

test('transaction ids are the places in the journal: each once, without gaps', async () => {
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
  // In the order of their places, the balances tell one story.
  for (const { transactionId, newBalance } of done) {
    assert.equal(newBalance, 2 + transactionId - ids[0]);
  }
});
