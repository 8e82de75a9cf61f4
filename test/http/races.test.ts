import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { serviceForFile } from '../support/service.ts';

const service = await serviceForFile();

test('of 1,000 simultaneous subtractions of 1 from 100, exactly 100 succeed', async () => {
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

test('64 connections of transfers both ways for 10 s: no 5xx, the sum unchanged', async () => {
  const realm = await service.realm('swappers');
  await realm.member('1', 500);
  await realm.member('2', 500);
  const end = Date.now() + 10_000;
  const statuses = new Map<number, number>();
  const swap = async (index: number): Promise<void> => {
    const [from, to] = index % 2 === 0 ? ['1', '2'] : ['2', '1'];
    while (Date.now() < end) {
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

test('200 simultaneous requests with one idempotency key: one effect, equal answers', async () => {
  const realm = await service.realm('retriers');
  await realm.member('1', 1_000);
  await realm.member('2');
  const headers = { 'idempotency-key': randomUUID() };
  const body = { recipientId: '2', tokens: 7 };
  const give = () => realm.send('PATCH', '/members/1/transfer', { body, headers });
  const replies = await Promise.all(Array.from({ length: 200 }, give));
  assert.equal(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size, 1);
  assert.equal(replies[0]?.status, 200);
  const fresh = replies.filter((reply) => reply.headers['idempotent-replayed'] === undefined);
  assert.equal(fresh.length, 1);
  assert.equal(await realm.balance('2'), 7);
});

test('simultaneous enrolments without an id get different ids', async () => {
  const realm = await service.realm('newcomers');
  const enrol = () => realm.send('POST', '/members', { body: {} });
  const replies = await Promise.all(Array.from({ length: 100 }, enrol));
  assert.equal(new Set(replies.map((reply) => reply.json.id)).size, 100);
});

test('one wallet linked by many at once goes to one of them', async () => {
  const realm = await service.realm('claimers');
  const wallet = { address: '0x52908400098527886e0f7030069857d2e4169ee7' };
  const ids = Array.from({ length: 20 }, (_, index) => String(index + 1));
  await Promise.all(ids.map((id) => realm.member(id)));
  const link = (id: string) => realm.send('POST', `/members/${id}/wallets`, { body: wallet });
  const replies = await Promise.all(ids.map(link));
  assert.equal(replies.filter((reply) => reply.status === 201).length, 1);
  assert.equal(replies.filter((reply) => reply.json.code === 'wallet-taken').length, 19);
});
