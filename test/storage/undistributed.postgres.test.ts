import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Cli } from '../cli/cli.ts';
import { newPostgresDatabase } from '../support/database.ts';

const database = await newPostgresDatabase(undefined, true);
after(() => database.drop());

test('a database without Citus is not changed', async (t) => {
  const asked = new Cli(t).ask(['migrate', '--distribute'], { DATABASE_URL: database.url });
  const { error } = (await asked) as { error: { code: string; detail: string } };
  assert.equal(error.code, 'cannot-distribute');
  assert.match(error.detail, /cannot be distributed: it has no extension "citus", or no server/);
  assert.deepEqual(await database.rows(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`), []);
});
