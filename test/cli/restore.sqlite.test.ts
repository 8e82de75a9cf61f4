import assert from 'node:assert/strict';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type CopyProgress, restoreBackup } from '../../src/storage/backups.ts';
import { removeRows } from '../support/rows.ts';
import { cliWithBackup, cliWithHistory, recordsIn } from './backing-up.ts';
import { withoutProgress } from './cli.ts';
import { ALICE, Scribe } from './journal-history.ts';

const NOTHING_BACK = { erased: [], revokedKeys: [] };

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
  assert.deepEqual(restored.lost, [
    { realmId: 'acme', records: 1, from: 40, since, ...NOTHING_BACK },
  ]);
  assert.equal(recordsIn(cli), 39);
  assert.equal(statSync(join(cli.folder, 'realmkeep.db')).mode & 0o777, 0o600);
  assert.equal((await cli.ask(['verify'])).ok, true);
  const [kept = ''] = readdirSync(cli.folder).filter((name) => name.includes('.replaced-'));
  assert.equal(recordsIn(cli, kept), 40);
  assert.equal((await cli.run(['member', 'show', 'acme', ALICE])).code, 0);
});

test('a database that has lost a record is replaced', async (t) => {
  const cli = await cliWithBackup(t);
  const db = new DatabaseSync(join(cli.folder, 'realmkeep.db'));
  db.exec("DELETE FROM journal WHERE realm_id = 'acme' AND seq = 40");
  db.close();
  const { lost } = await cli.ask(['restore', 'a.db', '--force']);
  assert.deepEqual(lost, [{ realmId: 'acme', records: 1, from: 40, since: null, ...NOTHING_BACK }]);
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

test('members that were erased since the backup are listed, to erase them again', async (t) => {
  const cli = await cliWithBackup(t);
  const erase = ['member', 'erase', 'acme', ALICE, '--forfeit'];
  assert.equal((await cli.run(erase)).code, 0);
  const refused = await cli.run(['restore', 'a.db']);
  assert.match(withoutProgress(refused.stderr), / 1 member erased since would be back\./);
  const { stdout } = await cli.run(['restore', 'a.db', '--force']);
  assert.match(stdout, new RegExp(`To erase them again:\nnpx realmkeep ${erase.join(' ')}\n$`));
  assert.equal((await cli.run(['member', 'show', 'acme', ALICE])).code, 0);
  assert.equal((await cli.run(erase)).code, 0);
  assert.equal((await cli.run(['member', 'show', 'acme', ALICE])).code, 1);
});

test('keys that were revoked or replaced since the backup are listed', async (t) => {
  const cli = await cliWithHistory(t);
  const create = async (name: string) =>
    (await cli.ask(['key', 'create', 'acme', '--name', name, '--scopes', 'read'])).id as string;
  const [before, revoked, rotated, kept] = [
    await create('before'),
    await create('revoked'),
    await create('rotated'),
    await create('kept'),
  ];
  await cli.run(['key', 'revoke', 'acme', before]);
  await cli.run(['backup', 'a.db']);
  await cli.run(['key', 'revoke', 'acme', await create('later')]);
  await cli.run(['key', 'revoke', 'acme', revoked]);
  await cli.run(['key', 'rotate', 'acme', rotated]);
  const refused = await cli.run(['restore', 'a.db']);
  assert.match(withoutProgress(refused.stderr), / 2 keys revoked or replaced since would be valid/);
  const { stdout } = await cli.run(['restore', 'a.db', '--force']);
  const [, commands = ''] = stdout.split('To revoke them:\n');
  const revoking = [revoked, rotated].map((id) => `npx realmkeep key revoke acme ${id}`);
  assert.deepEqual(commands.trimEnd().split('\n').sort(), revoking.sort());
  assert.ok(!stdout.includes(kept));
});

test('realms that were deleted since the backup are listed', async (t) => {
  const cli = await cliWithHistory(t);
  for (const realm of ['beta', 'gamma', 'delta']) {
    await cli.run(['realm', 'create', realm, '--name', 'Of the backup']);
  }
  await cli.run(['backup', 'a.db']);
  const ledger = await cli.database.ledger();
  for (const realm of ['beta', 'gamma', 'delta']) {
    await new Scribe(ledger, realm).do('realm.delete', {});
  }
  // As a service removes them; it was stopped before it came to the other.
  for (const realm of ['gamma', 'delta']) {
    await removeRows(ledger, realm);
    await ledger.housekeeping.removeRealm(realm);
  }
  await ledger.close();
  const another = ['realm', 'create', 'gamma', '--name', 'Another one'];
  assert.equal((await cli.run(another)).code, 0);
  const refused = await cli.run(['restore', 'a.db']);
  assert.match(
    withoutProgress(refused.stderr),
    / 1 realm deleted since would be back\. 2 realms that it does not have would be added\./,
  );
  const { stdout } = await cli.run(['restore', 'a.db', '--force']);
  const sent = 'DELETE /api/v4/realms/beta?confirm=beta';
  const unknown = 'Realms that the database did not have: delta, gamma. They are newer than it, or';
  assert.ok(stdout.includes(`To delete them, send:\n${sent}\n${unknown}`), stdout);
});

test('a restore that is undone calls no realm deleted that never was', async (t) => {
  const cli = await cliWithBackup(t);
  await cli.run(['realm', 'create', 'newer', '--name', 'Not in the backup']);
  const { replaced } = await cli.ask(['restore', 'a.db', '--force']);
  const { stdout } = await cli.run(['restore', String(replaced), '--force']);
  assert.match(stdout, /\nThe backup has every record that it has\.\nRealms that .*: newer\. /);
  assert.doesNotMatch(stdout, /DELETE|deleted since/);
  assert.equal(recordsIn(cli), 40);
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

test('a disk that fills during a restore is named, which is not that of the backup', async (t) => {
  const cli = await cliWithBackup(t);
  const path = join(cli.folder, 'target', 'realmkeep.db');
  const database = { kind: 'sqlite', path, shown: path, name: 'DATABASE_URL' } as const;
  const onProgress = ({ step }: CopyProgress) => {
    if (step === 'copying') return;
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  const options = { force: false, describe: String, onProgress };
  await assert.rejects(restoreBackup(join(cli.folder, 'a.db'), database, options), {
    message: new RegExp(
      `a\\.db was not restored: ENOSPC: .* Free some space on the disk of ${dirname(path)}\\.$`,
    ),
  });
  assert.deepEqual(readdirSync(dirname(path)), []);
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
    'newer.db': /newer\.db was migrated by a newer program: its schema version is 1000/,
    'realmkeep.db': /There is nothing to copy from realmkeep\.db: it is the database itself/,
  };
  for (const [file, sentence] of Object.entries(sentences)) {
    const { code, stderr } = await cli.run(['restore', file, '--force']);
    assert.equal(code, 1, file);
    assert.match(stderr, sentence);
  }
  assert.equal(recordsIn(cli), 40);
});

test('a database of another program is not replaced, not even by force', async (t) => {
  const cli = await cliWithBackup(t);
  const path = join(cli.folder, 'other.db');
  const db = new DatabaseSync(path);
  db.exec('CREATE TABLE t (a)');
  db.close();
  const before = readFileSync(path);
  const env = { DATABASE_URL: 'sqlite:other.db' };
  const { code, stderr } = await cli.run(['restore', 'a.db', '--force'], env);
  assert.equal(code, 1);
  assert.match(stderr, /was not restored: other\.db is a database of another program/);
  assert.deepEqual(readFileSync(path), before);
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
    const started = await cli.refused(['serve']);
    assert.equal(started.code, 1);
    assert.ok(started.stderr.includes(advice), started.stderr);
    const { stdout, stderr, code } = await cli.run(['restore', 'a.db', '--force']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /It has 1 record that the backup lacks|It is damaged, so .* unknown/);
    assert.equal((await cli.ask(['verify'])).ok, true);
  }
});
