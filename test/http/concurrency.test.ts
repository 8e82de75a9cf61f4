import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counters, times } from '../support/points.ts';
import { serviceForFile } from '../support/service.ts';

/** Concurrent calls: bugs that other ledgers had. */
const service = await serviceForFile();

test('concurrent changes of names and settings lose no points', async () => {
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

test('of many that enrol one id or account at once, one succeeds', async () => {
  const realm = await service.realm('enrolments');
  const same = () => realm.send('POST', '/members', { body: { id: 7 } });
  assert.deepEqual(counters(await times(30, same)), { 201: 1, 'member-exists': 29 });
  const accounts = [{ provider: 'discord', id: '7' }];
  const claim = () => realm.send('POST', '/members', { body: { accounts } });
  assert.deepEqual(counters(await times(30, claim)), { 201: 1, 'account-taken': 29 });
  const realms = () => service.send('POST', '/api/v4/realms', { body: { id: 'one', name: 'One' } });
  assert.deepEqual(counters(await times(30, realms)), { 201: 1, 'realm-exists': 29 });
});

test('one idempotency key with many bodies at once: one takes effect', async () => {
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

test('one idempotency key, refused and accepted at once: one effect', async () => {
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

test('realms with the same members and idempotency keys do not mix', async () => {
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

test('concurrent enrolments without an id get different ids', async () => {
  const realm = await service.realm('newcomers');
  const enrol = () => realm.send('POST', '/members', { body: {} });
  const replies = await Promise.all(Array.from({ length: 100 }, enrol));
  assert.equal(new Set(replies.map((reply) => reply.json.id)).size, 100);
});

test('of many members that link one wallet at once, one gets it', async () => {
  const realm = await service.realm('claimers');
  const wallet = { address: '0x52908400098527886e0f7030069857d2e4169ee7' };
  const ids = Array.from({ length: 20 }, (_, index) => String(index + 1));
  await Promise.all(ids.map((id) => realm.member(id)));
  const link = (id: string) => realm.send('POST', `/members/${id}/wallets`, { body: wallet });
  const replies = await Promise.all(ids.map(link));
  assert.equal(replies.filter((reply) => reply.status === 201).length, 1);
  assert.equal(replies.filter((reply) => reply.json.code === 'wallet-taken').length, 19);
});
