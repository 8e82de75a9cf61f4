import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { TestService } from '../support/service.ts';
import { Cli, withoutProgress } from './cli.ts';
import { ALICE, writeHistory } from './journal-history.ts';

async function cliWithHistory(t: TestContext): Promise<Cli> {
  const cli = new Cli(t);
  await writeHistory(cli);
  return cli;
}

/** A backup called a.db, and the present database with one record more. */
async function cliWithBackup(t: TestContext): Promise<Cli> {
  const cli = await cliWithHistory(t);
  assert.equal((await cli.run(['backup', 'a.db'])).code, 0);
  await cli.run(['points', 'add', 'acme', ALICE, '5']);
  return cli;
}

const recordsIn = (cli: Cli, file = 'realmkeep.db'): unknown => {
  using db = new DatabaseSync(join(cli.folder, file));
  return db.prepare("SELECT seq FROM realms WHERE realm_id = 'acme'").get()?.seq;
};

const namesIn = (cli: Cli, folder: string): string[] => readdirSync(join(cli.folder, folder));

test('a backup under load has every write that was acknowledged before it began', async (t) => {
  const service = await TestService.start();
  t.after(() => service.stop());
  const cli = new Cli(t);
  const realm = await service.realm('acme');
  for (let id = 1; id <= 20; id++) await realm.member(String(id));
  const acknowledged: string[] = [];
  let isOver = false;
  const enough = Promise.withResolvers<void>();
  const write = async (id: number): Promise<void> => {
    while (!isOver) {
      const body = { tokens: 1, description: `${id}: ${acknowledged.length}` };
      await realm.expect(200, 'PATCH', `/members/${id}/tokenBalance`, { body });
      if (acknowledged.push(body.description) === 500) enough.resolve();
    }
  };
  const writing = Array.from({ length: 20 }, (_, index) => write(index + 1));
  await Promise.race([enough.promise, Promise.all(writing)]);
  const before = [...acknowledged];
  const { code, stderr } = await cli.start(['backup', 'a.db'], {
    DATABASE_URL: service.database.url,
  }).ended;
  const during = acknowledged.length - before.length;
  isOver = true;
  await Promise.all(writing);
  assert.equal(code, 0, stderr);
  assert.ok(during > 0, 'writes went on');

  const restored = await cli.ask(['restore', 'a.db']);
  assert.deepEqual([restored.lost, restored.replaced], [[], null]);
  assert.equal((await cli.ask(['verify'])).ok, true);
  const rows = await cli.database.rows("SELECT data FROM journal WHERE type = 'points.added'");
  const found = new Set(rows.map(({ data }) => JSON.parse(String(data)).description));
  assert.deepEqual(
    before.filter((description) => !found.has(description)),
    [],
  );
});

test('a backup is one private file, and says what it contains', async (t) => {
  const cli = await cliWithHistory(t);
  const { code, stdout, stderr } = await cli.run(['backup', 'new/a.db']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Backed up 1 realm with 39 records to new\/a\.db .*verified it\.\n/);
  assert.match(stdout, /Keep root\.key and secret\.key, too, .* not in the backup/);
  assert.deepEqual(namesIn(cli, 'new'), ['a.db']);
  assert.equal(statSync(join(cli.folder, 'new/a.db')).mode & 0o777, 0o600);
  const { realms } = await cli.ask(['verify']);
  const [{ head }] = realms as [{ head: string }];
  const { realms: backedUp } = await cli.ask(['backup', 'b.db']);
  assert.deepEqual(backedUp, [{ realmId: 'acme', records: 39, head }]);
});

test('a backup replaces no file, and needs a SQLite database', async (t) => {
  const cli = await cliWithHistory(t);
  const before = readFileSync(join(cli.folder, 'realmkeep.db'));
  const refused = await cli.run(['backup', 'realmkeep.db']);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /There is a file realmkeep\.db already\. Name another one/);
  assert.deepEqual(readFileSync(join(cli.folder, 'realmkeep.db')), before);
  const nowhere = await cli.run(['backup', 'a.db'], { DATABASE_URL: 'sqlite:none.db' });
  assert.match(nowhere.stderr, /There is no database none\.db\. Check DATABASE_URL/);
  for (const command of ['backup', 'restore']) {
    const wrong = await cli.run([command, 'a.db'], { DATABASE_URL: 'postgres://db/books' });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /PostgreSQL .* see docs\/backup\.md/);
  }
  assert.ok(!existsSync(join(cli.folder, 'a.db')));
  assert.equal((await cli.run(['backup', 'b/', '--keep', '0'])).code, 2);
});

test('of the backups in a folder the newest are kept, and nothing else is touched', async (t) => {
  const cli = await cliWithHistory(t);
  mkdirSync(join(cli.folder, 'backups'));
  const others = ['notes.txt', 'other-2020-01-01T00-00-00.000Z.db', 'realmkeep-copy.db'];
  for (const name of others) writeFileSync(join(cli.folder, 'backups', name), '');
  const made: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { path } = await cli.ask(['backup', 'backups', '--keep', '2']);
    made.push(String(path).replace('backups/', ''));
  }
  assert.match(made[0] ?? '', /^realmkeep-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db$/);
  assert.deepEqual(namesIn(cli, 'backups').toSorted(), [...others, ...made.slice(1)].toSorted());
});

test('a faulty database is not backed up, and earlier backups stay', async (t) => {
  const cli = await cliWithHistory(t);
  await cli.run(['backup', 'backups/', '--keep', '1']);
  const earlier = namesIn(cli, 'backups');
  await cli.database.exec("UPDATE journal SET actor = 'x' WHERE seq = 7");
  const { code, stderr } = await cli.run(['backup', 'backups/', '--keep', '1']);
  assert.equal(code, 1);
  assert.match(stderr, /has a fault and was deleted: realm acme: .*"npx realmkeep verify"/);
  assert.deepEqual(namesIn(cli, 'backups'), earlier);
});

/** Enough for a verification that can be killed. */
async function writeMany(cli: Cli): Promise<void> {
  const ledger = new InProcessLedger(await cli.database.open());
  const envelope = { realmId: 'acme', actor: 'test', idempotency: null };
  const entries = Array.from({ length: 10_000 }, () => ({
    memberId: ALICE,
    tokens: 1,
    realmPointId: null,
    description: null,
  }));
  await ledger.execute({ ...envelope, type: 'points.batch', atomic: true, entries });
  await ledger.close();
}

/** The process that works on the next draft in the folder. */
function nextDraft(folder: string): { pid: Promise<number>; close(): void } {
  const { promise: pid, resolve } = Promise.withResolvers<number>();
  const watcher = watch(folder, (_, name) => {
    const [, found] = /\.(\d+)\.draft$/.exec(name ?? '') ?? [];
    if (found !== undefined) resolve(Number(found));
  });
  return { pid, close: () => watcher.close() };
}

test('a backup that is killed leaves nothing, and the earlier ones', async (t) => {
  const cli = await cliWithHistory(t);
  await writeMany(cli);
  const { path } = await cli.ask(['backup', 'backups/', '--keep', '1']);
  const folder = join(cli.folder, 'backups');
  const draft = nextDraft(folder);
  const program = cli.start(['backup', 'backups/', '--keep', '1']);
  process.kill(await draft.pid, 'SIGKILL');
  draft.close();
  const { code, stderr } = await program.ended;
  assert.equal(code, 1);
  assert.match(stderr, /The backup to .* failed: .* ended with SIGKILL/);
  assert.deepEqual(namesIn(cli, 'backups'), [String(path).replace('backups/', '')]);
});

test('Ctrl-C ends a backup, of which nothing is left', async (t) => {
  const cli = await cliWithHistory(t);
  await writeMany(cli);
  mkdirSync(join(cli.folder, 'backups'));
  const draft = nextDraft(join(cli.folder, 'backups'));
  const program = cli.start(['backup', 'backups/']);
  await draft.pid;
  draft.close();
  program.child.kill('SIGINT');
  const { code, stderr } = await program.ended;
  assert.equal(code, 130, stderr);
  assert.match(stderr, /Interrupted: nothing was written/);
  assert.deepEqual(namesIn(cli, 'backups'), []);
});

test('drafts of processes that are gone are removed by the next backup', async (t) => {
  const cli = await cliWithHistory(t);
  const { pid } = spawnSync(process.execPath, ['--version']);
  const name = (id: number) => `backups/realmkeep-2026-01-01T00-00-00.000Z.db.${id}.draft`;
  mkdirSync(join(cli.folder, 'backups'));
  for (const id of [pid, process.pid]) writeFileSync(join(cli.folder, name(id)), '');
  const { path } = await cli.ask(['backup', 'backups']);
  assert.deepEqual(
    namesIn(cli, 'backups').map((file) => `backups/${file}`),
    [name(process.pid), path].toSorted(),
  );
});

test('a restore refuses to overwrite, and says what would be lost', async (t) => {
  const cli = await cliWithBackup(t);
  await cli.run(['realm', 'create', 'zeta', '--name', 'Zeta']);
  const { code, stderr } = await cli.run(['restore', 'a.db']);
  assert.equal(code, 1);
  const place = String.raw`since \S+Z, from number`;
  assert.match(
    withoutProgress(stderr),
    new RegExp(`It has 2 records that the backup lacks \\(acme: 1 record ${place} 40 on; zeta: `),
  );
  assert.match(stderr, /Nothing was changed\. To replace it, add --force/);
  assert.equal(recordsIn(cli), 40);
});

test('a restore with --force replaces the database, and keeps it under another name', async (t) => {
  const cli = await cliWithBackup(t);
  const restored = await cli.ask(['restore', 'a.db', '--force']);
  const { since } = (restored.lost as [{ since: string }])[0];
  assert.deepEqual(restored.lost, [{ realmId: 'acme', records: 1, from: 40, since }]);
  assert.equal(recordsIn(cli), 39);
  assert.equal(statSync(join(cli.folder, 'realmkeep.db')).mode & 0o777, 0o600);
  assert.equal((await cli.ask(['verify'])).ok, true);
  const [kept = ''] = readdirSync(cli.folder).filter((name) => name.includes('.replaced-'));
  assert.equal(recordsIn(cli, kept), 40);
  assert.equal((await cli.run(['member', 'show', 'acme', ALICE])).code, 0);
});

test('what differs is lost, even if the backup has more records', async (t) => {
  const cli = await cliWithBackup(t);
  await cli.run(['points', 'add', 'acme', ALICE, '6']);
  await cli.run(['backup', 'b.db']);
  await cli.run(['restore', 'a.db', '--force']);
  await cli.run(['points', 'add', 'acme', ALICE, '7']);
  const { lost } = await cli.ask(['restore', 'b.db', '--force']);
  assert.deepEqual(
    (lost as { records: number; from: number }[]).map(({ records, from }) => [records, from]),
    [[1, 40]],
  );
  assert.equal(recordsIn(cli), 41);
});

test('a restore waits for nobody: it refuses while a service runs', async (t) => {
  const cli = await cliWithBackup(t);
  const service = cli.start(['serve', '--json']);
  await service.firstObject();
  const { code, stderr } = await cli.run(['restore', 'a.db', '--force']);
  assert.equal(code, 1);
  assert.match(stderr, /is in use: another process has it open\. Stop the service first/);
  service.child.kill('SIGTERM');
  await service.ended;
  assert.equal(recordsIn(cli), 40);
});

test('a damaged backup is refused, whatever is wrong with it', async (t) => {
  const cli = await cliWithBackup(t);
  const size = statSync(join(cli.folder, 'a.db')).size;
  const damages: Record<string, (path: string) => void> = {
    'cut off': (path) => truncateSync(path, size - 8_192),
    'a page of zeros': (path) => {
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0, 8_192, 12_288));
    },
    'another amount': (path) => {
      using db = new DatabaseSync(path);
      db.exec('UPDATE journal SET data = replace(data, \'"tokens":\', \'"tokens":1\')');
    },
    'a balance that nobody booked': (path) => {
      using db = new DatabaseSync(path);
      db.exec('UPDATE balances SET balance = balance + 1');
    },
  };
  for (const [name, damage] of Object.entries(damages)) {
    const path = join(cli.folder, 'damaged.db');
    copyFileSync(join(cli.folder, 'a.db'), path);
    damage(path);
    const { code, stderr } = await cli.run(['restore', 'damaged.db', '--force']);
    assert.equal(code, 1, name);
    assert.match(stderr, /The backup damaged\.db is damaged: .*Nothing was changed/, name);
    assert.equal(recordsIn(cli), 40, name);
  }
  assert.deepEqual(
    readdirSync(cli.folder).filter((name) => /draft|replaced/.test(name)),
    [],
  );
});

test('what is no backup is refused', async (t) => {
  const cli = await cliWithBackup(t);
  writeFileSync(join(cli.folder, 'text.db'), 'x'.repeat(10_000));
  writeFileSync(join(cli.folder, 'empty.db'), '');
  new DatabaseSync(join(cli.folder, 'other.db')).exec('CREATE TABLE t (a)');
  copyFileSync(join(cli.folder, 'a.db'), join(cli.folder, 'newer.db'));
  new DatabaseSync(join(cli.folder, 'newer.db')).exec('PRAGMA user_version = 1000');
  const sentences = {
    'none.db': /There is no file none\.db/,
    'text.db': /The backup text\.db is damaged: file is not a database/,
    'empty.db': /There is nothing to copy from empty\.db: it is empty/,
    'other.db': /other\.db was not restored: it is a database of another program/,
    'newer.db': /newer\.db was not restored: it is of a newer version \(1000\)/,
    'realmkeep.db': /There is nothing to copy from realmkeep\.db: it is the database itself/,
  };
  for (const [file, sentence] of Object.entries(sentences)) {
    const { code, stderr } = await cli.run(['restore', file, '--force']);
    assert.equal(code, 1, file);
    assert.match(stderr, sentence);
  }
  assert.equal(recordsIn(cli), 40);
});

test('a start on a damaged file says what to do, and that helps', async (t) => {
  const cli = await cliWithBackup(t);
  const path = join(cli.folder, 'realmkeep.db');
  const intact = readFileSync(path);
  const damages = {
    '--force': intact.fill(0xff, 4_096, 20_480),
    'restore a backup': 'x'.repeat(9_999),
  };
  for (const [advice, bytes] of Object.entries(damages)) {
    writeFileSync(path, bytes);
    const started = await cli.run(['serve']);
    assert.equal(started.code, 1);
    assert.ok(started.stderr.includes(advice), started.stderr);
    const { stdout, stderr, code } = await cli.run(['restore', 'a.db', '--force']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /It has 1 record that the backup lacks|It is damaged, so .* unknown/);
    assert.equal((await cli.ask(['verify'])).ok, true);
  }
});
