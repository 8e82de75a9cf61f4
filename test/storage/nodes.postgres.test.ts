import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Connection } from '../../src/store/postgres/connection.ts';
import { migrate, migrations } from '../../src/store/postgres/migrate.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { TestRealm, TestService } from '../support/service.ts';

/** Several nodes on one database act as one service; soak.postgres.test.ts runs them under load. */
const database = await newPostgresDatabase();
const nodes = await Promise.all([1, 2, 3].map(() => TestService.start({}, {}, database)));
const [first, second] = nodes as [TestService, TestService];
after(async () => {
  for (const node of nodes) await node.stop();
  await database.drop();
  for (const node of nodes) assert.deepEqual(node.errors(), []);
});

/** One realm, with a client for each node. */
async function realmOnAll(id: string, settings = {}): Promise<[TestRealm, TestRealm, TestRealm]> {
  const { key } = await first.realm(id, settings);
  return nodes.map((node) => Object.assign(new TestRealm(node, id), { key })) as never;
}

const of = <T>(all: readonly T[], index: number): T => all[index % all.length] as T;

test('nodes that start at once on an empty database migrate it once', async () => {
  const empty = await newPostgresDatabase(undefined, true);
  try {
    const opened = await Promise.all(Array.from({ length: 8 }, () => openPostgresStore(empty.url)));
    for (const store of opened) assert.deepEqual(await store.reader.ready(null), []);
    const steps = await empty.rows('SELECT version FROM schema_migrations');
    assert.equal(steps.length, migrations.length);
    await Promise.all(opened.map((store) => store.close()));
    await empty.exec('INSERT INTO schema_migrations VALUES (1000)');
    await assert.rejects(openPostgresStore(empty.url), { reason: 'database-newer' });
  } finally {
    await empty.drop();
  }
});

test('each migration is applied in its own transaction', async (t) => {
  const database = await newPostgresDatabase();
  const connection = await Connection.open({ url: database.url, purpose: 'migrate' });
  t.after(async () => {
    await connection.close();
    await database.drop();
  });
  const version = () => database.rows('SELECT max(version) AS version FROM schema_migrations');
  const later = [...migrations, 'ALTER TABLE realms ADD COLUMN motto text'];
  const broken = 'ALTER TABLE realms ADD COLUMN crest text;\nnot SQL';
  await assert.rejects(migrate(connection, [...later, broken]), /syntax error/);
  assert.deepEqual(await version(), [{ version: later.length }]);
  assert.equal(await migrate(connection, later), 0);
  await assert.rejects(migrate(connection), { reason: 'database-newer' });
  assert.equal(
    await migrate(connection, [...later, 'ALTER TABLE realms ADD COLUMN crest text']),
    1,
  );
});

test('one idempotency key on all nodes at once has one effect and one answer', async () => {
  const realms = await realmOnAll('same', { autoEnroll: true });
  const headers = { 'idempotency-key': 'once' };
  const replies = await Promise.all(
    Array.from({ length: 90 }, (_, index) =>
      of(realms, index).send('PATCH', '/members/1/tokenBalance', { body: { tokens: 7 }, headers }),
    ),
  );
  assert.deepEqual([...new Set(replies.map(({ status, text }) => `${status} ${text}`))].length, 1);
  assert.equal(replies.filter((reply) => !reply.headers['idempotent-replayed']).length, 1);
  assert.equal(await realms[1].balance('1'), 7);
});

test('nodes create a realm once', async () => {
  const body = { id: 'raced', name: 'Raced' };
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      of(nodes, index).send('POST', '/api/v4/realms', { body }),
    ),
  );
  const statuses = replies.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [201, ...Array(23).fill(409)]);
});

test('batches of many realms on many nodes do not deadlock', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `many-${index}`);
  const realms = await Promise.all(ids.map((id) => realmOnAll(id, { autoEnroll: true })));
  const replies = await Promise.all(
    Array.from({ length: 720 }, (_, index) =>
      of(of(realms, index), Math.floor(index / 12)).send('PATCH', '/members/1/tokenBalance', {
        body: { tokens: 1 },
      }),
    ),
  );
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  for (const realm of realms) assert.equal(await realm[0].balance('1'), 60);
});

test('a node reads what another wrote: members, statements, leaderboards', async () => {
  const realms = await realmOnAll('reads');
  for (let round = 1; round <= 20; round++) {
    const [writer, reader] = [of(realms, round), of(realms, round + 1)];
    if (round === 1) await writer.member('1');
    await writer.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 1 } });
    assert.equal(await reader.balance('1'), round);
    const [entry] = (await reader.expect(200, 'GET', '/members/1/transactions')).json.items;
    assert.equal(entry.balance, round);
    const board = (await reader.expect(200, 'GET', '/leaderboard?window=day')).json;
    assert.deepEqual([board.total, board.members[0].earned], [1, round]);
  }
});

test('a node knows a key of another realm that it has never seen', async () => {
  const [, there] = await realmOnAll('here');
  const other = await second.realm('elsewhere');
  assert.equal((await there.send('GET', '', { key: other.key })).json.code, 'forbidden');
});

test('jobs of all nodes release each hold once', async () => {
  const realms = await realmOnAll('jobs');
  await realms[0].member('1', 10);
  const hold = { body: { tokens: 5, expiresInSeconds: 1 } };
  for (const realm of realms.slice(1)) await realm.expect(201, 'POST', '/members/1/holds', hold);
  const typesOf = async (): Promise<string[]> => {
    const { items } = (await realms[2].expect(200, 'GET', '/events?limit=500')).json;
    return items.map(({ type }: { type: string }) => type);
  };
  const released = (types: string[]) => types.filter((type) => type === 'points.released').length;
  await eventually(typesOf, (types) => released(types) >= 2);
  // A second release of a hold would follow with the next run of the jobs.
  await new Promise((next) => setTimeout(next, 1_500));
  assert.equal(released(await typesOf()), 2);
});
