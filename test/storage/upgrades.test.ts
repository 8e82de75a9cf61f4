/** Databases of every released schema version are migrated, verified and used. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { migrations as postgresMigrations } from '../../src/store/postgres/migrate.ts';
import { migrations as sqliteMigrations } from '../../src/store/sqlite/database.ts';
import { Cli } from '../cli/cli.ts';
import { ALICE } from '../cli/journal-history.ts';
import {
  newDatabase,
  newPostgresDatabase,
  STORAGE,
  type TestDatabase,
} from '../support/database.ts';
import { type Fixture, fixturesOf } from './fixtures.ts';

const migrations = STORAGE === 'postgres' ? postgresMigrations : sqliteMigrations;
const fixtures = fixturesOf(STORAGE);
const REMAKE = 'if this schema version is not released yet, run npm run fixture';

async function empty(t: TestContext): Promise<TestDatabase> {
  const database =
    STORAGE === 'postgres' ? await newPostgresDatabase(undefined, true) : await newDatabase();
  t.after(() => database.drop());
  return database;
}

async function loaded(t: TestContext, { sql }: Fixture): Promise<TestDatabase> {
  const database = await empty(t);
  await database.exec(sql);
  return database;
}

/** Every column and every index, in words. */
const shapeOf = ({ rows }: TestDatabase) =>
  rows(
    STORAGE === 'postgres'
      ? `SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, collation_name)
           AS it
         FROM information_schema.columns WHERE table_schema = 'public'
         UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`
      : `SELECT concat_ws(' ', m.name, c.name, c.type, c."notnull", c.pk) AS it
         FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'
         UNION SELECT concat_ws(' ', m.name, m.tbl_name, c.seqno, c.name)
         FROM sqlite_schema m, pragma_index_info(m.name) c WHERE m.type = 'index' ORDER BY 1`,
  );

const journalOf = ({ rows }: TestDatabase) =>
  rows('SELECT realm_id, seq, data, hash FROM journal ORDER BY realm_id, seq');

test('both databases have the same schema versions, with a fixture for each', () => {
  assert.equal(postgresMigrations.length, sqliteMigrations.length);
  assert.deepEqual(
    fixtures.map(({ version }) => version),
    migrations.map((_, index) => index + 1),
    'npm run fixture makes that of the newest version',
  );
});

for (const fixture of fixtures) {
  const { version, sql } = fixture;

  test(`the migrations up to version ${version} are those it was made with`, () => {
    for (const migration of migrations.slice(0, version)) {
      assert.ok(sql.includes(migration), `a released migration is never edited; ${REMAKE}`);
    }
  });

  test(`a database of version ${version} is migrated, verified and written`, async (t) => {
    const database = await loaded(t, fixture);
    const cli = new Cli(t);
    const env = { DATABASE_URL: database.url };
    const before = await journalOf(database);
    const plan = await cli.ask(['migrate', '--plan'], env);
    assert.deepEqual([plan.version, plan.target], [version, migrations.length]);
    assert.deepEqual(await cli.ask(['migrate'], env), { steps: migrations.length - version });
    assert.deepEqual(await journalOf(database), before, 'no record was touched');
    const verified = await cli.run(['verify'], env);
    assert.equal(verified.code, 0, `${verified.stdout}${verified.stderr}; ${REMAKE}`);
    assert.match(verified.stdout, /^acme: ok, [^\n]*\nproofs: ok, /);
    const added = await cli.ask(['points', 'add', 'acme', ALICE, '7'], env);
    assert.ok(Number(added.newBalance) > 7, JSON.stringify(added));
    assert.equal((await cli.run(['verify'], env)).code, 0);
  });

  test(`version ${version}, migrated, is like a new database`, async (t) => {
    const [old, created] = [await loaded(t, fixture), await empty(t)];
    for (const database of [old, created]) await (await database.open()).close();
    assert.deepEqual(await shapeOf(old), await shapeOf(created), REMAKE);
  });
}
