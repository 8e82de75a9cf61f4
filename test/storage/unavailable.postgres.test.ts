import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newPostgresDatabase } from '../support/database.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type Reply, ROOT_KEY, TestRealm, TestService } from '../support/service.ts';
import { CuttingProxy } from './cutting-proxy.ts';

/** While the database is unavailable, the service keeps running, and loses or repeats no write. */
const server = await PostgresServer.start();
const database = await newPostgresDatabase(server.url);
const METRICS_TOKEN = 'a-token-for-metrics';
const service = await TestService.start({ metricsToken: METRICS_TOKEN }, {}, database);
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

/** The metric of the database, read with each of the keys that may read metrics. */
async function databaseUp(): Promise<string[]> {
  const answers = [METRICS_TOKEN, ROOT_KEY].map((key) =>
    service.expect(200, 'GET', '/metrics', { key }),
  );
  return (await Promise.all(answers)).map(
    ({ text }) => /^realmkeep_database_up (.*)$/m.exec(text)?.[1] ?? 'missing',
  );
}

test('during an outage every call gets 503 at once, and readyz is not ready', async () => {
  const realm = await service.realm('outage');
  await realm.member('1', 5);
  assert.deepEqual(await databaseUp(), ['1', '1']);
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
      const reply = await within(15_000, 'a refusal', call());
      assert.equal(reply.status, 503, reply.text);
      assert.equal(reply.json.code, 'storage-unavailable');
      assert.match(reply.json.detail, /^The service cannot use its database now\. Nothing/);
      assert.equal(reply.headers['retry-after'], '1');
    }
    assert.equal((await within(15_000, 'readyz', service.send('GET', '/readyz'))).status, 503);
    assert.equal((await service.send('GET', '/healthz')).status, 200);
  }
  assert.deepEqual(await databaseUp(), ['0', '0']);
  await server.up();
  await within(15_000, 'the return', untilReady());
  assert.deepEqual(await databaseUp(), ['1', '1']);
  assert.equal(await realm.balance('1'), 5);
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 1 } });
  assert.deepEqual(service.errors(), []);
});

test('the start and the end of an outage are one log line each', () => {
  const logs = service.logs.map((line) => JSON.parse(line));
  const about = logs.filter(({ msg }) => /^database (un)?available/.test(msg));
  assert.deepEqual(
    about.map(({ level, msg }) => [level, msg]),
    [
      ['warn', 'database unavailable; requests that need it are answered with 503'],
      ['info', 'database available again'],
    ],
  );
  assert.match(about[0].reason, /\w/);
  assert.doesNotMatch(service.logs.join('\n'), /stack|\.ts:\d/);
  assert.deepEqual(
    logs.filter(({ msg }) => / failed; will retry$/.test(msg)),
    [],
  );
});

test('a write with an unknown outcome is reported in time, and done once', async () => {
  const proxy = await CuttingProxy.start(database.url);
  const own = await TestService.start({}, {}, { ...database, url: proxy.url });
  after(() => own.stop());
  const realm = await own.realm('in-doubt', { autoEnroll: true });
  const call = { body: { tokens: 5 }, headers: { 'idempotency-key': 'once' } };
  // The service also commits on its own, as when it projects the creation of the realm.
  proxy.onSent = (chunk) => {
    if (chunk.includes('once') && chunk.includes('COMMIT\0')) proxy.fate = 'gone after';
  };
  const path = '/members/1/tokenBalance';
  const reply = await within(15_000, 'the answer', realm.send('PATCH', path, call));
  assert.deepEqual([reply.status, reply.json.code], [503, 'outcome-unknown'], reply.text);
  assert.equal(reply.headers['retry-after'], '1');
  assert.equal(proxy.cuts, 1);
  const elsewhere = Object.assign(new TestRealm(service, 'in-doubt'), { key: realm.key });
  const again = await elsewhere.expect(200, 'PATCH', path, call);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal(await elsewhere.balance('1'), 5);
  await proxy.stop();
});

test('a server that stops answering makes no caller wait forever', async () => {
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
  assert.equal((await within(15_000, 'a later refusal', later)).status, 503);
  const ready = await within(15_000, 'readyz', own.send('GET', '/readyz'));
  assert.equal(ready.status, 503);
  await proxy.stop();
});
