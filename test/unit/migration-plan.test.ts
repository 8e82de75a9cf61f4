import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planMigrations } from '../../src/store/migration-plan.ts';

const ROWS: Record<string, number> = { members: 300_000, journal: 10_000_000, realms: 3 };

const plan = (migrations: string[], applied = 0) =>
  planMigrations(migrations, applied, (table) => {
    assert.ok(table in ROWS, `the rows of ${table} need not be counted`);
    return ROWS[table] ?? 0;
  });

test('a plan says what a migration does, and counts the rows it goes through', async () => {
  const [first, second, third] = await plan([
    `-- Names; they are few.
     CREATE TABLE names (realm_id TEXT, name TEXT);
     CREATE INDEX names_by_name ON names (name);
     INSERT INTO names (realm_id, name) SELECT realm_id, name
       FROM members;
    `,
    'ALTER TABLE journal ADD COLUMN salt BLOB',
    `UPDATE journal SET salt = x'00';
     CREATE UNIQUE INDEX members_by_name ON members (realm_id, username);
     ALTER TABLE realms DROP COLUMN name;
    `,
  ]);
  assert.deepEqual(first, {
    version: 1,
    actions: ['creates names', 'copies rows of members'],
    rows: 300_000,
    seconds: 2,
  });
  assert.deepEqual(second, {
    version: 2,
    actions: ['adds a column to journal'],
    rows: 0,
    seconds: 0,
  });
  assert.deepEqual(third?.actions, [
    'rewrites rows of journal',
    'indexes members',
    'changes realms',
  ]);
  assert.equal(third.rows, 10_300_003);
});

test('only what is not applied yet is planned', async () => {
  const planned = await plan(['CREATE TABLE a (b)', 'CREATE TABLE c (d)'], 1);
  assert.deepEqual(
    planned.map(({ version, actions }) => [version, ...actions]),
    [[2, 'creates c']],
  );
});

test('a command of a new form needs words in the plan', async () => {
  await assert.rejects(plan(['VACUUM']), /no plan can describe: VACUUM/);
});
