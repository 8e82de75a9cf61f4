import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newPostgresDatabase, STORAGE } from '../support/database.ts';
import { TERMINAL } from '../support/program.ts';
import { Cli } from './cli.ts';
import { OTHER_KEY, OWN_KEY, pathIn, put, startOf, statusWith, stop } from './starting.ts';

/** What a start says about the root key, and where it is stored. */
test('the first start shows a root key and stores it; later ones read it', async (t) => {
  const cli = new Cli(t);
  const first = cli.start(['serve'], TERMINAL);
  const [, url] = await first.says(/^Realmkeep listens on (http:\/\/127\.0\.0\.1:\d+)\n/);
  const [, key = ''] = await first.says(/The root key is (rk_root_[0-9A-Za-z]{38})\n/);
  await first.says(/It is stored in .*root\.key, .* set ROOT_KEY\.\n/);
  await first.says(/http:.*\/docs\n.*npx realmkeep realm create acme --name Acme\n/);
  assert.equal(await statusWith(key, url), 200);
  await stop(first);
  assert.equal(readFileSync(pathIn(cli), 'utf8'), `${key}\n`);
  if (process.platform !== 'win32') assert.equal(statSync(pathIn(cli)).mode & 0o777, 0o600);
  assert.ok(!first.stderr.includes(key), 'it is not logged');

  await cli.run(['realm', 'create', 'acme', '--name', 'Acme']);
  const second = cli.start(['serve'], TERMINAL);
  await second.says(/The root key comes from .*root\.key\.\n/);
  await second.says(/npx realmkeep realm list\n/);
  await stop(second);
  assert.ok(!(second.stdout + second.stderr).includes(key), 'it is shown once');
  const { rootKey, rootKeyFrom, valid } = await startOf(cli, [key]);
  assert.equal(rootKey, null);
  assert.match(String(rootKeyFrom), /root\.key$/);
  assert.deepEqual(valid, [key]);
});

test('what is not shown on a terminal has no secret in it', async (t) => {
  const cli = new Cli(t);
  const first = cli.start(['serve']);
  await first.says(/\nThe root key is new\.\nIt is stored in .*root\.key, .*\n/);
  await first.says(/\nConsole +http:\S+\/\n.* npx realmkeep console-link\n.*--help\n/s);
  await stop(first);
  const key = readFileSync(pathIn(cli), 'utf8').trim();
  const printed = first.stdout + first.stderr;
  assert.ok(!printed.includes(key) && !printed.includes('#code='), printed);
});

test('ROOT_KEY counts before the file, is not shown, and stores nothing', async (t) => {
  const cli = new Cli(t, { ROOT_KEY: OWN_KEY });
  const keys = [OWN_KEY, OTHER_KEY];
  const expected = { rootKey: null, rootKeyFrom: 'ROOT_KEY', valid: [OWN_KEY] };
  assert.deepEqual(await startOf(cli, keys), expected);
  assert.equal(existsSync(pathIn(cli)), false);
  put(cli, OTHER_KEY);
  assert.deepEqual(await startOf(cli, keys), expected);
  const given = { ROOT_KEY: '', ROOT_KEY_FILE: 'mine.key' };
  writeFileSync(join(cli.folder, 'mine.key'), OWN_KEY);
  assert.deepEqual(await startOf(cli, keys, given), { ...expected, rootKeyFrom: 'ROOT_KEY_FILE' });
  assert.deepEqual((await startOf(cli, keys, { ROOT_KEY: '' })).valid, [OTHER_KEY]);
});

test('a key that is put into the file beforehand is used', async (t) => {
  const cli = new Cli(t);
  put(cli, `${OWN_KEY}\n`);
  const { rootKey, valid } = await startOf(cli, [OWN_KEY]);
  assert.deepEqual({ rootKey, valid }, { rootKey: null, valid: [OWN_KEY] });
});

test('without the file, the key that it had is still valid', async (t) => {
  const cli = new Cli(t);
  put(cli, OWN_KEY);
  await startOf(cli, [OWN_KEY]);
  rmSync(pathIn(cli));
  const program = cli.start(['serve']);
  await program.says(/\nroot\.key is not in this folder; the key created first is still valid\.\n/);
  await stop(program);
  const { stdout } = await cli.run(['doctor']);
  assert.match(stdout, /^ok +keys +root\.key is not in this folder; .* set ROOT_KEY\.$/m);
  const expected = { rootKey: null, rootKeyFrom: null, valid: [OWN_KEY] };
  assert.deepEqual(await startOf(cli, [OWN_KEY, OTHER_KEY]), expected);
});

const onSqlite = { skip: STORAGE !== 'sqlite' && 'nodes of PostgreSQL have a key in common' };
const onPostgres = { skip: STORAGE !== 'postgres' && 'SQLite has one node' };

test('another key in the file replaces the one before', onSqlite, async (t) => {
  const cli = new Cli(t);
  put(cli, OWN_KEY);
  await startOf(cli, [OWN_KEY]);
  put(cli, OTHER_KEY);
  assert.deepEqual((await startOf(cli, [OWN_KEY, OTHER_KEY])).valid, [OTHER_KEY]);
  rmSync(pathIn(cli));
  assert.deepEqual((await startOf(cli, [OWN_KEY, OTHER_KEY])).valid, [OTHER_KEY]);
});

test('nodes with folders of their own agree on one key', onPostgres, async (t) => {
  const database = await newPostgresDatabase();
  t.after(() => database.drop());
  const env = { DATABASE_URL: database.url };
  const nodes = Array.from({ length: 3 }, () => new Cli(t, env));
  // At the same time: one of them creates the key.
  const starts = await Promise.all(
    nodes.map((cli) => cli.start(['serve', '--json']).firstObject()),
  );
  const keys = starts.flatMap(({ rootKey }) => rootKey ?? []);
  assert.equal(keys.length, 1);
  for (const { url } of starts) assert.equal(await statusWith(String(keys[0]), url), 200);
  assert.equal(nodes.filter((cli) => existsSync(pathIn(cli))).length, 1);

  const other = new Cli(t, env);
  put(other, OWN_KEY);
  const { code, stderr } = await other.refused(['serve']);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^realmkeep: data.root\.key is not the root key of postgres:.*ROOT_KEY\.\n$/,
  );
});
