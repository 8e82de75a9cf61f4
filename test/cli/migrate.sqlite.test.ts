import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { verifyFile } from '../../src/store/sqlite/backup/backup.ts';
import { migrations } from '../../src/store/sqlite/database.ts';
import { cliWithBackup, cliWithHistory, recordsIn } from './backing-up.ts';
import { Cli } from './cli.ts';

const backupsIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => /^realmkeep-.*Z\.db$/.test(name));

const versionOf = (path: string): unknown => {
  using db = new DatabaseSync(path, { readOnly: true });
  return db.prepare('PRAGMA user_version').get()?.user_version;
};

/** As a later program would leave it. */
function upgrade(path: string): void {
  using db = new DatabaseSync(path);
  db.exec(
    `ALTER TABLE realms ADD COLUMN motto TEXT; PRAGMA user_version = ${migrations.length + 1}`,
  );
}

test('--plan of a database that is not there creates nothing', async (t) => {
  const cli = new Cli(t);
  const { code, stdout } = await cli.run(['migrate', '--plan', '--backup']);
  assert.equal(code, 0);
  assert.match(stdout, /realmkeep\.db has schema version 0, and this program has \d+\.\n/);
  assert.match(stdout, /^\d+ migrations? would be applied\.$/m);
  assert.match(stdout, /\nNothing was changed\.\n$/);
  assert.deepEqual(readdirSync(cli.folder), []);
});

test('--plan of a database that is up to date has no steps, and changes nothing', async (t) => {
  const cli = await cliWithHistory(t);
  const before = hash('sha256', await cli.database.contents());
  const { length } = migrations;
  const plan = { version: length, target: length, backup: null };
  assert.deepEqual(await cli.ask(['migrate', '--plan']), plan);
  const { stdout } = await cli.run(['migrate', '--plan']);
  assert.match(stdout, /is up to date: it has schema version \d+\. There is nothing to do\.\n$/);
  assert.equal(hash('sha256', await cli.database.contents()), before);
});

/** Makes this process the program of a later release, which has one more migration. */
function release(t: TestContext): void {
  const all = migrations as string[];
  all.push(`
    ALTER TABLE realms ADD COLUMN motto TEXT;
    CREATE INDEX members_by_status ON members (realm_id, status);
  `);
  t.after(() => void all.pop());
}

test('a later release plans, backs up, migrates and goes on', async (t) => {
  const cli = await cliWithHistory(t);
  const path = join(cli.folder, 'realmkeep.db');
  const old = versionOf(path);
  release(t);
  const { stdout } = await cli.run(['migrate', '--plan', '--backup']);
  assert.match(stdout, /schema version \d+ and 0\.\d MB, and this program has \d+\.$/m);
  assert.match(stdout, /^A backup would go to .*\/, and be verified\.$/m);
  assert.match(stdout, /^1 migration would be applied\.$/m);
  assert.deepEqual([versionOf(path), backupsIn(cli.folder)], [old, []]);
  const { steps, backup } = await cli.ask(['migrate', '--backup']);
  assert.equal(steps, 1);
  assert.deepEqual([versionOf(String(backup)), backupsIn(cli.folder).length], [old, 1]);
  assert.equal(versionOf(path), migrations.length);
  assert.equal((await cli.run(['verify'])).code, 0);
  // A newer release migrates the backup of an older one on the way.
  assert.equal((await cli.run(['restore', String(backup), '--force'])).code, 0);
  assert.equal(versionOf(path), migrations.length);
});

test('only migrate and serve migrate: other commands refuse an older database', async (t) => {
  const cli = await cliWithHistory(t);
  const path = join(cli.folder, 'realmkeep.db');
  const old = versionOf(path);
  writeFileSync(join(cli.folder, 'members.csv'), 'id\n7\n');
  release(t);
  for (const args of [
    ['verify'],
    ['import', 'acme', 'members.csv', '--dry-run'],
    ['points', 'add', 'acme', '7', '1'],
    ['realm', 'create', 'other', '--name', 'Other'],
  ]) {
    const { code, stdout, stderr } = await cli.run([...args, '--json']);
    assert.deepEqual([code, JSON.parse(stdout).error.code], [1, 'database-older'], String(args));
    assert.match(stderr, /schema version \d+, and this program works with \d+\. Run .*migrate/);
  }
  assert.equal(versionOf(path), old);
});

test('--backup goes to BACKUP_DIR, or where it is told to', async (t) => {
  const cli = await cliWithHistory(t);
  release(t);
  copyFileSync(join(cli.folder, 'realmkeep.db'), join(cli.folder, 'other.db'));
  const first = await cli.run(['migrate', '--backup'], { BACKUP_DIR: 'backups' });
  assert.match(first.stdout, /^Backed up 1 realm with \d+ records to backups\/realmkeep-.*\n/);
  assert.match(first.stdout, /The database is up to date: applied 1 migration\.\n$/);
  const second = { DATABASE_URL: 'sqlite:other.db' };
  assert.equal((await cli.ask(['migrate', '--backup', 'new/a.db'], second)).backup, 'new/a.db');
});

test('--backup makes none if there is nothing to migrate', async (t) => {
  const cli = await cliWithHistory(t);
  assert.deepEqual(await cli.ask(['migrate', '--backup']), { steps: 0, backup: null });
  assert.deepEqual(await cli.ask(['migrate', '--backup', 'a.db']), { steps: 0, backup: null });
  assert.ok(!existsSync(join(cli.folder, 'a.db')));
  assert.deepEqual(backupsIn(cli.folder), []);
});

test('an older file is verified by a migrated copy of it, and stays as it is', async (t) => {
  const cli = await cliWithBackup(t);
  const path = join(cli.folder, 'a.db');
  const before = readFileSync(path);
  const later = [...migrations, 'ALTER TABLE realms ADD COLUMN motto TEXT'];
  const { realms, fault } = await verifyFile(path, () => undefined, later);
  assert.deepEqual([realms.length, fault], [1, null]);
  assert.deepEqual(readFileSync(path), before);
  const broken = [...migrations, 'UPDATE balances SET balance = 1'];
  const spoilt = await verifyFile(path, () => undefined, broken);
  assert.match(spoilt.fault ?? '', /realm acme: the balance is 1, but the journal adds up to/);
  assert.deepEqual(
    readdirSync(cli.folder).filter((name) => name.includes('draft')),
    [],
  );
});

test('the way back: a backup made before an upgrade is restored', async (t) => {
  const cli = await cliWithBackup(t);
  const path = join(cli.folder, 'realmkeep.db');
  const records = recordsIn(cli);
  upgrade(path);
  const refused = await cli.run(['backup', 'b.db']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /The database .*realmkeep\.db was migrated by a newer program/);
  assert.ok(!existsSync(join(cli.folder, 'b.db')));
  const { lost } = await cli.ask(['restore', 'a.db', '--force']);
  assert.equal((lost as { records: number }[])[0]?.records, 1);
  assert.equal(versionOf(path), migrations.length);
  assert.equal(recordsIn(cli), Number(records) - 1);
  assert.equal((await cli.run(['verify'])).code, 0);
});

const mistaken: [string[], RegExp][] = [
  [['--plan', '--distribute'], /--plan and --backup go with neither --from nor --distribute/],
  [['--backup', 'a.db', '--from', 'sqlite:b.db'], /--plan and --backup go with neither/],
];

for (const [args, sentence] of mistaken) {
  test(`migrate ${args.join(' ')} is refused`, async (t) => {
    const { code, stderr } = await new Cli(t).run(['migrate', ...args]);
    assert.equal(code, 2);
    assert.match(stderr, sentence);
  });
}

test('--backup of PostgreSQL is refused with the way to make one', async (t) => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1:1/books' };
  for (const args of [['--backup'], ['--backup', 'a.dump'], ['--plan', '--backup']]) {
    const { code, stderr } = await new Cli(t).run(['migrate', ...args], env);
    assert.equal(code, 2);
    assert.match(stderr, /Back it up with pg_dump first, then migrate without --backup: see docs/);
  }
});
