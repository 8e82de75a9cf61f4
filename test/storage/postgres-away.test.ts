import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { query } from '../support/cluster.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type Reply, TestService } from '../support/service.ts';
import { CuttingProxy } from './cutting-proxy.ts';

/** The database goes away and comes back; the service stays, and loses and doubles nothing. */
const server = await PostgresServer.start();
const database = await newPostgresDatabase(server.url);
const service = await TestService.start({}, {}, database);
after(async () => {
  await service.stop();
  await server.stop();
});

const pause = (ms: number): Promise<void> => new Promise((next) => setTimeout(next, ms));

async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work;
  const took = performance.now() - start;
  assert.ok(took < ms, `${what} took ${Math.round(took)} ms`);
  return result;
}

async function untilReady(on = service): Promise<void> {
  while ((await on.send('GET', '/readyz')).status !== 200) await pause(50);
}

test('killed under load, again and again: what was acknowledged is there, once', async () => {
  const realm = await service.realm('load', { autoEnroll: true });
  const acknowledged = new Map<string, number>();
  const statuses = new Map<number, number>();
  let isOver = false;
  const credit = async (key: string, id: string): Promise<void> => {
    for (;;) {
      const headers = { 'idempotency-key': key };
      const body = { tokens: 1, description: key };
      const reply = await realm.send('PATCH', `/members/${id}/tokenBalance`, { body, headers });
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      if (reply.status === 200) return void acknowledged.set(key, reply.json.transactionId);
      assert.equal(reply.status, 503, reply.text);
      assert.equal(reply.headers['retry-after'], '1');
      await pause(50);
    }
  };
  const clients = Array.from({ length: 24 }, async (_, client) => {
    for (let round = 0; !isOver; round++) await credit(`${client}-${round}`, String(1 + client));
  });
  for (const signal of ['SIGKILL', 'SIGINT', 'SIGKILL'] as const) {
    await pause(700);
    await server.signal(signal);
    await pause(400);
    await server.up();
    await within(5_000, 'the return', untilReady());
  }
  await pause(300);
  isOver = true;
  await Promise.all(clients);
  const rows = await query(
    database.url,
    `SELECT seq::int, data::json->>'description' AS key FROM journal
     WHERE realm_id = 'load' AND type = 'points.added'`,
  );
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length, 'nothing is there twice');
  const written = new Map(rows.map(({ key, seq }) => [key as string, seq as number]));
  assert.deepEqual(written, acknowledged);
  assert.ok(acknowledged.size > 100 && (statuses.get(503) ?? 0) > 0, JSON.stringify([...statuses]));
  const verdict = await realm.expect(200, 'GET', '/verify');
  assert.equal(verdict.json.ok, true);
  assert.deepEqual(service.errors(), []);
});

test('while it is away every call is turned away at once, and readyz says so', async () => {
  const realm = await service.realm('away');
  await realm.member('1', 5);
  await server.signal('SIGINT');
  const calls: (() => Promise<Reply>)[] = [
    () => realm.send('GET', '/members/1'),
    () => realm.send('GET', '/leaderboard'),
    () => realm.send('GET', '/members/1/transactions'),
    () => realm.send('GET', '/verify'),
    () => realm.send('PATCH', '/members/1/tokenBalance', { body: { tokens: 1 } }),
    () => service.send('POST', '/api/v4/realms', { body: { id: 'new', name: 'New' } }),
  ];
  for (let round = 0; round < 3; round++) {
    for (const call of calls) {
      const reply = await within(3_000, 'a refusal', call());
      assert.equal(reply.status, 503, reply.text);
      assert.equal(reply.json.code, 'overloaded');
      assert.equal(reply.headers['retry-after'], '1');
    }
    assert.equal((await within(3_000, 'readyz', service.send('GET', '/readyz'))).status, 503);
    assert.equal((await service.send('GET', '/healthz')).status, 200);
  }
  await server.up();
  await within(5_000, 'the return', untilReady());
  assert.equal(await realm.balance('1'), 5);
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 1 } });
  assert.deepEqual(service.errors(), []);
});

test('a server that says nothing any more holds nobody up for ever', async () => {
  const proxy = await CuttingProxy.start(database.url);
  const own = await TestService.start({}, {}, { ...database, url: proxy.url });
  after(() => own.stop());
  const realm = await own.realm('silent');
  await realm.member('1', 5);
  proxy.silence();
  const credit = { body: { tokens: 1 } };
  const calls = [
    realm.send('GET', '/members/1'),
    realm.send('PATCH', '/members/1/tokenBalance', credit),
  ];
  for (const reply of await within(15_000, 'the refusal', Promise.all(calls))) {
    assert.equal(reply.status, 503, reply.text);
  }
  const later = realm.send('PATCH', '/members/1/tokenBalance', credit);
  assert.equal((await within(3_000, 'a later refusal', later)).status, 503);
  const ready = await within(3_000, 'readyz', own.send('GET', '/readyz'));
  assert.equal(ready.status, 503);
  await proxy.stop();
});
