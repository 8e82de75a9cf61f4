import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Connection } from '../../src/store/postgres/connection.ts';
import { distributePostgres, migrate, migrations } from '../../src/store/postgres/migrate.ts';
import { vacuumPostgres } from '../../src/store/postgres/vacuum.ts';
import { Cli } from '../cli/cli.ts';
import { writeHistory } from '../cli/journal-history.ts';
import { clusterOf, query, urlsOf } from '../support/cluster.ts';
import {
  filesOf,
  newPostgresDatabase,
  sqliteFile,
  type TestDatabase,
} from '../support/database.ts';
import { CuttingProxy } from './cutting-proxy.ts';

/** Tables distributed over a Citus cluster, and what looks at all of its servers. */
async function newDatabase(t: TestContext, isBare = false): Promise<TestDatabase> {
  const database = await newPostgresDatabase(undefined, isBare);
  t.after(() => database.drop());
  return database;
}

const distribute = (cli: Cli, { url }: { url: string }) =>
  cli.ask(['migrate', '--distribute'], { DATABASE_URL: url });

const distributed = ({ rows }: TestDatabase): Promise<Record<string, unknown>[]> =>
  rows('SELECT logicalrelid::text AS name, partmethod FROM pg_dist_partition');

/** The same database, on a server that is not the coordinator. */
const onWorker = async ({ url }: TestDatabase): Promise<string> =>
  urlsOf(url, await clusterOf(url)).at(-1) ?? '';

const NOTHING = { steps: 0, servers: 2, byRealm: [], everywhere: [] };
const NAME = 'Recognisable Name';

test('tables are distributed once, with all of their rows', async (t) => {
  const database = await newDatabase(t, true);
  const cli = new Cli(t);
  await writeHistory({ database } as Cli);
  await database.exec(`UPDATE members SET display_name = '${NAME}'; ANALYZE members`);
  assert.ok((await filesOf(database.url)).includes(NAME));
  const heads = () => database.rows('SELECT realm_id, seq, head FROM realms ORDER BY realm_id');
  const before = await heads();
  const done = await distribute(cli, database);
  assert.equal(done.steps, 0);
  assert.deepEqual(done.everywhere, [
    ...['schema_migrations', 'service', 'key_directory', 'sessions', 'owners', 'passkeys'],
  ]);
  assert.equal((done.byRealm as string[])[0], 'realms');
  const tables = await database.rows(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
  assert.equal((await distributed(database)).length, tables.length, 'all tables');
  assert.deepEqual(await distribute(cli, database), NOTHING);
  assert.deepEqual(await heads(), before);
  await vacuumPostgres(database.url, () => undefined);
  assert.ok(!(await filesOf(database.url)).includes(NAME), 'left on the coordinator');
  assert.ok((await database.files()).includes(NAME));
});

test('an interrupted distribution changes nothing and can be repeated', async (t) => {
  const database = await newDatabase(t, true);
  const cli = new Cli(t);
  const proxy = await CuttingProxy.start(database.url);
  proxy.fate = 'cut before';
  assert.ok('error' in (await distribute(cli, proxy)));
  await proxy.stop();
  assert.deepEqual(await distributed(database), []);
  // Of two at once, one distributes and the other finds nothing to do.
  const both = await Promise.all([1, 2].map(() => distributePostgres(database.url)));
  assert.deepEqual(
    both.map(({ steps }) => steps),
    both[0]?.steps === 0 ? [0, migrations.length] : [migrations.length, 0],
  );
});

test('nothing is distributed or copied while a service is connected', async (t) => {
  const database = await newDatabase(t, true);
  const cli = new Cli(t);
  const ledger = await database.ledger();
  await ledger.query('lastSeq', { realmId: 'acme' });
  const refused = await distribute(cli, database);
  assert.match(JSON.stringify(refused), /of Realmkeep (is|are) open\. Stop the service first/);
  await ledger.close();
  assert.equal((await distribute(cli, database)).servers, 2);
  // A service that is connected to a worker alone.
  const elsewhere = await Connection.open({ url: await onWorker(database), purpose: 'reader' });
  const file = sqliteFile(cli.folder).url;
  await cli.run(['realm', 'create', 'acme', '--name', 'Acme'], { DATABASE_URL: file });
  const seen = await cli.run(['migrate', '--from', file, '--to', database.url]);
  assert.match(`${seen.stdout}${seen.stderr}`, /1 connection of Realmkeep is open/);
  await elsewhere.close();
});

test('later migrations reach all servers and distribute new tables', async (t) => {
  const database = await newDatabase(t);
  const connection = await Connection.open({ url: database.url, purpose: 'migrate' });
  const later = `ALTER TABLE members ADD COLUMN later text;
    CREATE INDEX members_later ON members (realm_id, later);
    DROP TABLE sessions;
    CREATE TABLE sessions (word text PRIMARY KEY)`;
  assert.equal(await migrate(connection, [...migrations, later]), 1);
  await connection.close();
  const tables = await distributed(database);
  const how = (name: string) => tables.find((table) => table.name === name)?.partmethod;
  assert.deepEqual([how('members'), how('sessions')], ['h', 'n']);
  assert.deepEqual(await database.rows("SELECT later FROM members WHERE realm_id = 'acme'"), []);
});

test('the doctor looks at every server', async (t) => {
  const database = await newDatabase(t);
  const cli = new Cli(t);
  const env = { DATABASE_URL: database.url };
  await cli.run(['realm', 'create', 'acme', '--name', 'Acme'], env);
  assert.doesNotMatch((await cli.run(['doctor'], env)).stdout, /schema is not that/);
  const worker = await onWorker(database);
  const alone = 'SET citus.enable_ddl_propagation = off';
  await query(worker, `${alone}; ALTER TABLE members ADD COLUMN odd text`);
  const { stdout } = await cli.run(['doctor'], env);
  assert.match(stdout, new RegExp(`${new URL(worker).port}.*there is the column members\\.odd`));
});
