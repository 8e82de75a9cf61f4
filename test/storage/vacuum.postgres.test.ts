import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { vacuumPostgres } from '../../src/store/postgres/vacuum.ts';
import { newDatabase, type TestDatabase } from '../support/database.ts';

/** A clean-up that cannot be complete says so. */
async function opened(t: TestContext): Promise<TestDatabase> {
  const database = await newDatabase();
  t.after(() => database.drop());
  await (await database.open()).close();
  return database;
}

const SAMPLES = `SELECT tablename, attname, histogram_bounds::text, most_common_vals::text
  FROM pg_stats WHERE schemaname = 'public' ORDER BY 1, 2`;
const COLUMNS = `SELECT attrelid::regclass::text, attname, format_type(atttypid, atttypmod),
    attcollation, attnotnull, attstorage, attcompression, attstattarget
  FROM pg_attribute WHERE attrelid::regclass::text NOT LIKE 'pg_%' ORDER BY 1, attnum`;
const INDEXES = `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`;

/** Other tests have transactions on the same server, which end soon. */
const vacuum = ({ url }: { url: string }, patienceMs?: number) =>
  vacuumPostgres(url, () => undefined, patienceMs);

/** Does the work with a role without rights of its own, given the URL by which it connects. */
async function asAnother(database: TestDatabase, work: (role: URL) => Promise<void>) {
  const name = `realmkeep_test_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await database.exec(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
  try {
    await work(Object.assign(new URL(database.url), { username: name, password }));
  } finally {
    await database.exec(`REASSIGN OWNED BY ${name} TO CURRENT_USER`);
    await database.exec(`DROP OWNED BY ${name}`);
    await database.exec(`DROP ROLE ${name}`);
  }
}

test('tables of another user are not skipped silently', async (t) => {
  const database = await opened(t);
  await asAnother(database, async ({ username, href: url }) => {
    await database.exec(`GRANT SELECT, UPDATE ON ALL TABLES IN SCHEMA public TO ${username}`);
    const refused = { reason: 'not-rewritten', message: /skipped journal; its owner has to do it/ };
    await assert.rejects(vacuum({ url }), refused);
  });
  assert.equal((await vacuum(database)).length, 9);
});

test('samples in the statistics are not left silently', async (t) => {
  const database = await opened(t);
  const tables = await database.rows(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
  await asAnother(database, async ({ username, href: url }) => {
    for (const { tablename } of tables) {
      await database.exec(`ALTER TABLE ${tablename} OWNER TO ${username}`);
    }
    const refused = { reason: 'not-rewritten', message: /pg_statistic; the owner of the database/ };
    await assert.rejects(vacuum({ url }), refused);
  });
});

/** A connection of somebody else. */
async function aReport(t: TestContext, { url }: { url: string }): Promise<pg.Client> {
  const reader = new pg.Client({ connectionString: url, application_name: 'a report' });
  reader.on('error', () => undefined);
  await reader.connect();
  t.after(() => reader.end());
  return reader;
}

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT value FROM service';
const seen = { reason: 'database-in-use', message: /^process \d+ \(a report\) keeps old rows/ };

test('rows that an older transaction sees are not left silently', async (t) => {
  const database = await opened(t);
  const reader = await aReport(t, database);
  await reader.query(SNAPSHOT);
  await database.exec(`INSERT INTO service (name, value) VALUES ('later', '')`);
  await assert.rejects(vacuum(database, 0), seen);
  await reader.query('COMMIT; BEGIN; SELECT count(*) FROM journal');
  await assert.rejects(vacuum(database), { reason: 'database-in-use', message: /uses journal/ });
  await reader.query('COMMIT');
  assert.equal((await vacuum(database)).length, 9);
});

test('rows are not left silently because of a change in another database', async (t) => {
  const [database, other] = await Promise.all([opened(t), opened(t)]);
  const writer = await aReport(t, other);
  await writer.query('BEGIN; SELECT pg_current_xact_id()');
  const inUse = { reason: 'database-in-use', message: /^process \d+ of database \w+ keeps old/ };
  await assert.rejects(vacuum(database, 0), inUse);
  await writer.query('COMMIT');
  assert.equal((await vacuum(database)).length, 9);
});

test('samples that a transaction sees which began meanwhile are not left silently', async (t) => {
  const database = await opened(t);
  const reader = await aReport(t, database);
  let begun: Promise<unknown> | null = null;
  const onTable = () => {
    begun ??= reader.query(SNAPSHOT);
  };
  await assert.rejects(vacuumPostgres(database.url, onTable, 5_000), seen);
  await begun;
  await reader.query('COMMIT');
  assert.equal((await vacuum(database)).length, 9);
});

test('tables without rows lose their samples, and nothing else', async (t) => {
  const database = await opened(t);
  const samples = () => database.rows(SAMPLES);
  const schema = async () => [await database.rows(COLUMNS), await database.rows(INDEXES)];
  await database.exec(
    `INSERT INTO member_words (realm_id, member_id, word, others)
     VALUES ('acme', 1, 'alice', ''), ('acme', 2, 'bob', '');
     ANALYZE member_words;
     DELETE FROM member_words`,
  );
  assert.match(JSON.stringify(await samples()), /alice/);
  const before = await schema();
  await vacuum(database);
  assert.deepEqual(await samples(), []);
  assert.deepEqual(await schema(), before);
});
