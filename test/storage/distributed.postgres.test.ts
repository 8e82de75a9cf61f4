import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import pg from 'pg';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import { CLUSTER_SESSION } from '../../src/store/postgres/citus/cluster.ts';
import { Connection, SESSION } from '../../src/store/postgres/connection.ts';
import { preparedLookUp, preparedOf } from '../../src/store/postgres/driver.ts';
import { migrate, migrations } from '../../src/store/postgres/migrate.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { Cli } from '../cli/cli.ts';
import { writeHistory } from '../cli/journal-history.ts';
import { clusterOf } from '../support/cluster.ts';
import { newPostgresDatabase, type TestDatabase } from '../support/database.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { lookUps, statements } from './every-statement.ts';

/** Tables distributed over a Citus cluster; most tests need TEST_DATABASE_URL to name one. */
const made: TestDatabase[] = [];
after(() => Promise.all(made.map((database) => database.drop())));

async function bare(): Promise<TestDatabase> {
  const database = await newPostgresDatabase(undefined, true);
  made.push(database);
  return database;
}

const first = await bare();
const isCluster = (await clusterOf(first.url)) !== null;
const onCluster = { skip: !isCluster && 'TEST_DATABASE_URL is not a Citus cluster' };

const distribute = (cli: Cli, { url }: { url: string }) =>
  cli.ask(['migrate', '--distribute'], { DATABASE_URL: url });

const distributed = ({ rows }: TestDatabase): Promise<Record<string, unknown>[]> =>
  rows('SELECT logicalrelid::text AS name, partmethod FROM pg_dist_partition');

const NOTHING = { steps: 0, servers: 2, byRealm: [], everywhere: [] };

test('a database without Citus is not changed', { skip: isCluster }, async (t) => {
  const cli = new Cli(t);
  const { error } = (await distribute(cli, first)) as { error: { code: string; detail: string } };
  assert.equal(error.code, 'cannot-distribute');
  assert.match(error.detail, /cannot be distributed: it has no extension "citus"\. Create it/);
  assert.deepEqual(await first.rows(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`), []);
});

test('tables are distributed once, with all of their rows', onCluster, async (t) => {
  const database = await bare();
  const cli = new Cli(t);
  await writeHistory({ database } as Cli);
  const heads = () => database.rows('SELECT realm_id, seq, head FROM realms ORDER BY realm_id');
  const before = await heads();
  const done = await distribute(cli, database);
  assert.equal(done.steps, 0);
  assert.deepEqual(done.everywhere, [
    ...['schema_migrations', 'service', 'key_directory', 'sessions'],
  ]);
  assert.equal((done.byRealm as string[])[0], 'realms');
  const tables = await database.rows(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
  assert.equal((await distributed(database)).length, tables.length, 'all tables');
  assert.deepEqual(await distribute(cli, database), NOTHING);
  assert.deepEqual(await heads(), before);
  const verdicts = await cli.run(['verify'], { DATABASE_URL: database.url });
  assert.equal(verdicts.code, 0, verdicts.stdout);
});

test('an interrupted distribution changes nothing and can be repeated', onCluster, async (t) => {
  const database = await bare();
  const cli = new Cli(t);
  const proxy = await CuttingProxy.start(database.url);
  proxy.fate = 'cut before';
  assert.ok('error' in (await distribute(cli, proxy)));
  await proxy.stop();
  assert.deepEqual(await distributed(database), []);
  // Of two at once, one distributes and the other finds nothing to do.
  const both = await Promise.all([distribute(cli, database), distribute(cli, database)]);
  assert.deepEqual(
    both.map(({ steps }) => steps),
    both[0]?.steps === 0 ? [0, migrations.length] : [migrations.length, 0],
  );
  assert.deepEqual(await distribute(cli, database), NOTHING);
});

test('a running service must be stopped first', onCluster, async (t) => {
  const database = await bare();
  const ledger = new InProcessLedger(await database.open());
  await ledger.query('lastSeq', { realmId: 'acme' });
  const cli = new Cli(t);
  const { error } = (await distribute(cli, database)) as { error: { detail: string } };
  assert.match(error.detail, /1 connection of Realmkeep is open\. Stop the service first/);
  await ledger.close();
  assert.equal((await distribute(cli, database)).servers, 2);
});

test('later migrations reach all servers and distribute new tables', onCluster, async () => {
  const database = await newPostgresDatabase();
  made.push(database);
  const connection = await Connection.open({ url: database.url, purpose: 'migrate' });
  const later = `ALTER TABLE members ADD COLUMN later text;
    CREATE INDEX members_later ON members (realm_id, later);
    CREATE TABLE visits (realm_id text COLLATE "C" NOT NULL, seq bigint NOT NULL,
      PRIMARY KEY (realm_id, seq));
    CREATE TABLE words (word text PRIMARY KEY)`;
  assert.equal(await migrate(connection, [...migrations, later]), 1);
  await connection.close();
  const tables = await distributed(database);
  const how = (name: string) => tables.find((table) => table.name === name)?.partmethod;
  assert.deepEqual([how('visits'), how('words')], ['h', 'n']);
  assert.deepEqual(await database.rows("SELECT later FROM members WHERE realm_id = 'acme'"), []);
});

/** Statements that may go to more than one shard, and why. */
const wide: [sql: RegExp, why: string][] = [
  [/FROM realms WHERE realm_id > /, 'the list of realms, under the root key'],
  [/SELECT wanted\.place, r\.seq FROM/, 'how far the journals are that somebody follows'],
  [/FROM realms WHERE deleted_at IS NOT NULL/, 'a job: deleted realms, of which there are few'],
  [/FROM rank_buckets\s+WHERE ends_at < /, 'a job: leaderboards that have ended'],
  [/FROM holds\s+WHERE status = 'open' AND expires_at <= /, 'a job: expired holds'],
  [/FROM (idempotency_keys|challenges) WHERE (at|expires_at) < /, 'a job: expired rows'],
  [/FROM erasures\s+WHERE phase <> 'done'/, 'a job: erasures that are not finished'],
  [/FROM kind_enrolments\s+WHERE \(SELECT/, 'a job: new kinds of points'],
  [/(UPDATE|FROM) webhooks .*lease_owner = /s, 'a job: the webhooks that a process sends for'],
];
/** Tables that are not distributed. */
const everywhere = /(FROM|INTO|UPDATE) (service|sessions|key_directory)/;

const VALUES: Record<string, string> = {
  text: `'abcd'`,
  bigint: '1',
  integer: '1',
  'text[]': `'{a,b}'`,
  'bigint[]': `'{1,2}'`,
  'smallint[]': `'{1,1}'`,
};

test('every statement of a request goes to one shard', onCluster, async () => {
  const database = await newPostgresDatabase();
  made.push(database);
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(`${SESSION}; ${CLUSTER_SESSION}`);
  const astray: string[] = [];
  // Batches on a cluster have one realm each.
  const sent = lookUps.map(preparedLookUp).flatMap(({ sole, one }) => [sole, one]);
  for (const { statement } of [...statements.map(preparedOf), ...sent]) {
    const { name, text } = statement;
    if (everywhere.test(text)) continue;
    await client.query(`PREPARE "${name}" AS ${text}`);
    const { rows } = await client.query(
      `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = '${name}'`,
    );
    const values = rows[0].types.map((type: string) => VALUES[type]).join(', ');
    const plan = await client.query(
      `EXPLAIN (FORMAT JSON) EXECUTE "${name}"${values === '' ? '' : `(${values})`}`,
    );
    const tasks = JSON.stringify(plan.rows).match(/"Task Count":\d+/g) ?? [];
    const isOne = tasks.length === 1 && tasks[0] === '"Task Count":1';
    if (!isOne && !wide.some(([sql]) => sql.test(text))) astray.push(`${tasks}: ${text}`);
  }
  await client.end();
  assert.deepEqual(astray, []);
});

test('batches are single-realm, and jobs reach all realms', onCluster, async () => {
  const database = await newPostgresDatabase();
  made.push(database);
  const store = await openPostgresStore(database.url);
  assert.equal(store.writers[0].limits.realmsPerBatch, 1);
  const ledger = new InProcessLedger(store, () => 1_000);
  const realmIds = Array.from({ length: 12 }, (_, index) => `realm-${index}`);
  const base = { actor: 'test' };
  await Promise.all(
    realmIds.map((realmId) =>
      ledger.execute({
        ...base,
        type: 'realm.create',
        idempotency: { key: 'make', fingerprint: realmId },
        realmId,
        name: realmId,
        settings: { autoEnroll: true },
      }),
    ),
  );
  for (let forgotten = 0; forgotten < realmIds.length; ) {
    const now = await ledger.housekeeping.expireAnswers(1_001);
    assert.ok(now > 0, `${forgotten} of ${realmIds.length} answers expired`);
    forgotten += now;
  }
  assert.equal(await ledger.housekeeping.expireAnswers(1_001), 0);
  await ledger.close();
});

/** Puts a proxy in front of every server except the coordinator. */
async function cutters(database: TestDatabase, t: TestContext): Promise<CuttingProxy[]> {
  const proxies: CuttingProxy[] = [];
  t.after(() => Promise.all(proxies.map((proxy) => proxy.stop())));
  for (const { name, port } of (await clusterOf(database.url))?.workers ?? []) {
    const proxy = await CuttingProxy.start(`postgres://${name}:${port}/`);
    proxies.push(proxy);
    await database.exec(
      `SELECT citus_update_node(nodeid, '127.0.0.1', ${new URL(proxy.url).port})
       FROM pg_dist_node WHERE nodeport = ${port}`,
    );
  }
  return proxies;
}

test('the outcome of a commit is found out after a server was cut off', onCluster, async (t) => {
  const database = await newPostgresDatabase();
  made.push(database);
  const proxies = await cutters(database, t);
  const ledger = new InProcessLedger(await database.open());
  t.after(() => ledger.close());
  const realm = { realmId: 'acme', actor: 'test', idempotency: null };
  const settings = { autoEnroll: true };
  await ledger.execute({ ...realm, type: 'realm.create', name: 'Acme', settings });
  const points = { memberId: '1', tokens: 1, realmPointId: null, description: null };
  for (const fate of ['cut before', 'cut after', 'cut before', 'cut after'] as const) {
    for (const proxy of proxies) proxy.fate = fate;
    const outcome = await ledger.execute({ ...realm, type: 'points.change', ...points });
    assert.ok('answer' in outcome, JSON.stringify(outcome));
  }
  const member = await ledger.query('member', { realmId: 'acme', memberId: '1', now: 0 });
  assert.equal(member?.balances.points, 4);
  assert.equal((await ledger.query('verify', { realmId: 'acme' }))?.ok, true);
  const cuts = proxies.reduce((sum, proxy) => sum + proxy.cuts, 0);
  // By default, the servers of Citus use TLS among themselves.
  if (cuts === 0) return t.skip('the servers use TLS');
  assert.equal(cuts, 4);
});
