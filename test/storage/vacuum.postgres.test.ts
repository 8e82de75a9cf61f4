import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { vacuumPostgres } from '../../src/store/postgres/store.ts';
import { newDatabase, type TestDatabase } from '../support/database.ts';

/** A clean-up that cannot be complete says so. */
async function opened(t: TestContext): Promise<TestDatabase> {
  const database = await newDatabase();
  t.after(() => database.drop());
  await (await database.open()).close();
  return database;
}

const vacuum = ({ url }: { url: string }) => vacuumPostgres(url, () => undefined, 0);

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
  assert.equal((await vacuum(database)).length, 10);
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

test('rows that an older transaction sees are not left silently', async (t) => {
  const database = await opened(t);
  const reader = new pg.Client({ connectionString: database.url, application_name: 'a report' });
  reader.on('error', () => undefined);
  await reader.connect();
  t.after(() => reader.end());
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await reader.query('SELECT value FROM service');
  await database.exec(`INSERT INTO service (name, value) VALUES ('later', '')`);
  const refused = {
    reason: 'database-in-use',
    message: /^process \d+ \(a report\) keeps old rows/,
  };
  await assert.rejects(vacuum(database), refused);
  await reader.query('COMMIT; BEGIN; SELECT count(*) FROM journal');
  await assert.rejects(vacuum(database), { reason: 'database-in-use', message: /uses journal/ });
  await reader.query('COMMIT');
  assert.equal((await vacuum(database)).length, 10);
});
