import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { backUpUnderLoad } from '../../siege/backup-under-load.ts';
import { cliWithHistory, namesIn } from './backing-up.ts';
import type { Cli } from './cli.ts';
import { ALICE } from './journal-history.ts';

/** A short run of `npm run siege:backup`, without a bar for its rate. */
test('a backup under load has every write that was acknowledged before it began', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-backup-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const plan = { folder, records: 2_000, before: 500, rate: 500 };
  const { before, during, faults } = await backUpUnderLoad(plan);
  assert.deepEqual(faults, []);
  assert.ok(before.writes >= 500, String(before.writes));
  assert.ok(during.writes > 0, 'writes went on');
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

test('--keep needs a folder, and a name without "/" creates none', async (t) => {
  const cli = await cliWithHistory(t);
  assert.equal((await cli.run(['backup', 'a.db'])).code, 0);
  for (const place of ['a.db', 'b.db', 'backups']) {
    const { code, stderr } = await cli.run(['backup', place, '--keep', '3']);
    assert.equal(code, 2, place);
    assert.ok(stderr.includes(`--keep needs a folder, and ${place} is none.`), stderr);
  }
  assert.deepEqual(
    namesIn(cli, '.').filter((name) => /^(b\.db|backups)/.test(name)),
    [],
  );
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
  const ledger = await cli.database.ledger();
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
    const [, found] = /\.(\d+)@.*\.realmkeep-draft$/.exec(name ?? '') ?? [];
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
  const name = (id: number, host = hostname()) =>
    `backups/realmkeep-2026-01-01T00-00-00.000Z.db.${id}@${host}.realmkeep-draft`;
  const kept = [name(process.pid), name(pid, 'another.example'), `backups/report.${pid}.draft`];
  mkdirSync(join(cli.folder, 'backups'));
  for (const each of [name(pid), ...kept]) writeFileSync(join(cli.folder, each), '');
  const { path } = await cli.ask(['backup', 'backups']);
  assert.deepEqual(
    namesIn(cli, 'backups').map((file) => `backups/${file}`),
    [...kept, path].toSorted(),
  );
});
