import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { Cli, performed } from '../cli/cli.ts';
import { command, REALM } from '../domain/histories.ts';
import { answerOf, create } from '../support/commands.ts';
import type { TestDatabase } from '../support/database.ts';
import { copying } from './copying.ts';

/** What a copy refuses, and the advice it gives. */
const { folder, source, target: newTarget } = await copying();
const target = () => newTarget(true);

async function refusal(from: string, to: string): Promise<{ code: string; detail: string }> {
  const { code, stdout } = await performed(['migrate', '--from', from, '--to', to, '--json']);
  assert.equal(code, 1, stdout);
  return JSON.parse(stdout).error;
}

const tablesOf = (database: TestDatabase) =>
  database.rows(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);

test('a service on the file must be stopped first, even an idle one', async (t) => {
  const to = await target();
  const cli = new Cli(t);
  const service = cli.start(['serve'], { DATABASE_URL: source.url });
  await service.says(/Realmkeep listens/);
  const { code, detail } = await refusal(source.url, to.url);
  assert.equal(code, 'database-in-use');
  assert.match(detail, /realmkeep\.db is in use: another process has it open\. Stop the service/);
  assert.deepEqual(await tablesOf(to), []);
  // A killed service leaves a log, whose contents are copied too.
  service.kill();
  await service.ended;
  assert.equal((await performed(['migrate', '--from', source.url, '--to', to.url])).code, 0);
});

test('a service on the target must be stopped first', async () => {
  const to = await target();
  const ledger = await to.ledger();
  await ledger.query('lastSeq', { realmId: 'acme' });
  const { code, detail } = await refusal(source.url, to.url);
  assert.equal(code, 'database-in-use');
  assert.match(detail, /is in use: 1 connection of Realmkeep is open\. Stop the service first\.$/);
  assert.deepEqual(await to.rows('SELECT 1 FROM realms'), []);
  await ledger.close();
  assert.equal((await performed(['migrate', '--from', source.url, '--to', to.url])).code, 0);
});

test('a target in which a realm is being removed is refused in words', async () => {
  const to = await target();
  const ledger = await to.ledger();
  answerOf(await ledger.execute(create(REALM)));
  answerOf(await ledger.execute(command('realm.delete', {})));
  await ledger.close();
  const { detail } = await refusal(source.url, to.url);
  assert.match(detail, /rows of deleted realms have not been removed yet\. .* copy again\.$/);
  assert.equal((await to.rows('SELECT 1 FROM realms')).length, 1);
});

test('a file without realms has nothing to copy, and is not changed', async () => {
  const to = await target();
  const empty = join(folder, 'empty.db');
  writeFileSync(empty, '');
  const { code, detail } = await refusal(`sqlite:${empty}`, to.url);
  assert.equal(code, 'nothing-to-copy');
  assert.match(
    detail,
    /^There is nothing to copy from .*empty\.db: it is not a Realmkeep database\. Check --from/,
  );
  assert.equal(statSync(empty).size, 0);

  const foreign = join(folder, 'foreign.db');
  const db = new DatabaseSync(foreign);
  db.exec('CREATE TABLE recipes (name TEXT); PRAGMA user_version = 1');
  db.close();
  const before = readFileSync(foreign);
  assert.match(
    (await refusal(`sqlite:${foreign}`, to.url)).detail,
    /it is not a Realmkeep database/,
  );
  assert.deepEqual(readFileSync(foreign), before);

  const unused = join(folder, 'unused.db');
  await openSqliteStore(unused).close();
  assert.match((await refusal(`sqlite:${unused}`, to.url)).detail, /it has no realms/);
  assert.deepEqual(await tablesOf(to), []);
});

test('the error names the option at fault, if one is', async () => {
  const to = await target();
  const nowhere = await refusal(source.url, 'postgres://127.0.0.1:1/db');
  assert.match(
    nowhere.detail,
    /127\.0\.0\.1:1\/db cannot be used: .*ECONNREFUSED.*\. Check --to\.$/,
  );
  const unknown = await refusal(source.url, `${to.url}x`);
  assert.match(unknown.detail, /database ".*x" does not exist\. Check --to\.$/);
  const letter = join(folder, 'letter.db');
  writeFileSync(letter, 'This is a letter, not a database.'.repeat(99));
  const { detail } = await refusal(`sqlite:${letter}`, to.url);
  assert.match(detail, /letter\.db cannot be used: file is not a database\. Check --from;/);
  assert.match((await refusal(`sqlite:${folder}`, to.url)).detail, /Check --from\.$/);
  const newer = await target();
  await newer.exec('CREATE TABLE schema_migrations (version integer PRIMARY KEY)');
  await newer.exec('INSERT INTO schema_migrations SELECT generate_series(1, 1000)');
  await newer.exec('CREATE TABLE realms (realm_id text, head bytea, deleted_at bigint)');
  assert.match(
    (await refusal(source.url, newer.url)).detail,
    /was migrated by a newer program: its schema version is 1000/,
  );
});

test('a user who may not create tables is told what is missing', async () => {
  const to = await target();
  const role = `guest_${new URL(to.url).pathname.slice(-12)}`;
  await to.exec(`CREATE ROLE ${role} LOGIN`);
  try {
    const url = Object.assign(new URL(to.url), { username: role }).href;
    const { detail } = await refusal(source.url, url);
    assert.match(
      detail,
      /permission denied for schema public\. Its user must own the database, or have the CREATE/,
    );
    assert.doesNotMatch(detail, /Check/);
  } finally {
    await to.exec(`DROP ROLE ${role}`);
  }
});
