import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import { query } from '../support/cluster.ts';
import { answerOf, create, credit as creditOf } from '../support/commands.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { type Reply, TestService } from '../support/service.ts';

/**
 * The server waits for a standby, and there is none. After a restart it shows what it had written
 * before; yet without the standby that is not durable and must not be acknowledged.
 */
const server = await PostgresServer.start();
const database = await newPostgresDatabase(server.url);
const service = await TestService.start({}, {}, database);
// A second node, whose writes do not queue behind those that wait for the standby.
const other = await TestService.start({}, {}, database);
// Not a service: it investigates an unknown outcome for longer than callers wait.
const patient = new InProcessLedger(await openPostgresStore(database.url));
after(async () => {
  await patient.close();
  await service.stop();
  await other.stop();
  await server.stop();
});

const pause = (ms: number): Promise<void> => new Promise((next) => setTimeout(next, ms));

async function waitForStandby(name: string): Promise<void> {
  await query(server.url, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await query(server.url, 'SELECT pg_reload_conf()');
  await pause(300);
}

/** A call that can be asked whether it has its answer. */
function watched<T = Reply>(call: Promise<T>): { reply: Promise<T>; isAnswered: () => boolean } {
  let answered = false;
  const reply = call.finally(() => {
    answered = true;
  });
  return { reply, isAnswered: () => answered };
}

test('nothing is acknowledged before the standby has it, even after a restart', async () => {
  const realm = await service.realm('acme');
  await realm.member('1', 5);
  answerOf(await patient.execute(create('patient')));
  const credit = { body: { tokens: 1 }, headers: { 'idempotency-key': 'once' } };
  const path = '/members/1/tokenBalance';
  await waitForStandby('nobody');
  const first = watched(realm.send('PATCH', path, credit));
  const created = watched(
    other.send('POST', '/api/v4/realms', { body: { id: 'new', name: 'New' } }),
  );
  const settled = watched(patient.execute(creditOf('patient')));
  await pause(500);
  assert.deepEqual([first.isAnswered(), created.isAnswered()], [false, false]);
  await server.signal('SIGINT');
  await server.up();
  const sql = `SELECT count(*)::int AS n FROM journal
    WHERE realm_id = 'new' OR type = 'points.added'`;
  assert.deepEqual(await query(database.url, sql), [{ n: 4 }], 'it is written there');
  for (const node of [service, other]) {
    while ((await node.send('GET', '/readyz')).status !== 200) await pause(50);
  }
  const retry = watched(realm.send('PATCH', path, credit));
  await pause(1_500);
  assert.deepEqual([settled.isAnswered(), retry.isAnswered()], [false, false]);
  const unknown = await Promise.all([first.reply, created.reply]);
  assert.deepEqual(
    unknown.map(({ json }) => json.code),
    ['outcome-unknown', 'outcome-unknown'],
  );
  await waitForStandby('');
  assert.equal(answerOf(await settled.reply).newBalance, 1);
  const { status, headers } = await retry.reply;
  assert.deepEqual([status, headers['idempotent-replayed']], [200, 'true']);
  assert.equal(await realm.balance('1'), 6);
  assert.deepEqual(await query(database.url, sql), [{ n: 4 }]);
  assert.deepEqual([...service.errors(), ...other.errors()], []);
});

test('a replayed answer waits for the standby, a refusal does not', async () => {
  const realm = await service.realm('again');
  await realm.member('1', 5);
  const credit = { body: { tokens: 1 }, headers: { 'idempotency-key': 'once' } };
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', credit);
  await waitForStandby('nobody');
  await realm.expect(422, 'PATCH', '/members/1/tokenBalance', { body: { tokens: -100 } });
  const retry = watched(realm.send('PATCH', '/members/1/tokenBalance', credit));
  await pause(1_000);
  assert.equal(retry.isAnswered(), false);
  await waitForStandby('');
  assert.equal((await retry.reply).headers['idempotent-replayed'], 'true');
  assert.equal(await realm.balance('1'), 6);
});
