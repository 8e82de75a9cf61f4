import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { type Service, startService } from '../../src/service.ts';
import { newPostgresDatabase, STORAGE } from '../support/database.ts';
import type { Program } from '../support/program.ts';
import { Cli, get } from './cli.ts';

/** What a start says about the root key, and where it is stored. */
const OWN_KEY = 'a-root-key-of-my-own-0123456789-abcdef';
const OTHER_KEY = 'another-root-key-0123456789-0123456789';

/** Beside the SQLite file; on PostgreSQL in the folder "data" of the current one. */
const pathIn = ({ folder }: Cli): string =>
  STORAGE === 'sqlite' ? join(folder, 'root.key') : join(folder, 'data', 'root.key');

function put(cli: Cli, key: string): void {
  mkdirSync(dirname(pathIn(cli)), { recursive: true });
  writeFileSync(pathIn(cli), key);
}

async function statusWith(key: string, url: unknown): Promise<number> {
  return (await get(`${url}/api/v4/realms`, key)).status;
}

async function stop(program: Program): Promise<void> {
  program.child.kill('SIGTERM');
  assert.equal((await program.ended).code, 0);
}

/** Starts in this process, which is far quicker, and stops; also returns the log. */
function started<T>(cli: Cli, env: Record<string, string>, use: (service: Service) => Promise<T>) {
  return cli.within(env, async () => {
    const log: string[] = [];
    const service = await startService(readConfig(), {
      logTo: { write: (line) => log.push(line) },
      onDeath: (error) => assert.fail(error),
    });
    const used = await use(service);
    await service.stop();
    return { used, log };
  });
}

/** Says which of the keys is valid. */
async function startOf(cli: Cli, keys: string[], env: Record<string, string> = {}) {
  const { used, log } = await started(cli, env, async ({ url, rootKey }) => {
    const statuses = await Promise.all(keys.map((key) => statusWith(key, url)));
    const valid = keys.filter((_, index) => statuses[index] === 200);
    return { rootKey: rootKey.created, rootKeyFrom: rootKey.from, valid };
  });
  for (const key of keys) assert.ok(!log.join('').includes(key));
  return used;
}

/** What a start warns of. */
async function warningsOf(cli: Cli, env: Record<string, string> = {}) {
  const { log } = await started(cli, env, async () => {});
  return log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
}

test('the first start shows a root key and stores it; later ones read it', async (t) => {
  const cli = new Cli(t);
  const first = cli.start(['serve']);
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
  const second = cli.start(['serve']);
  await second.says(/The root key comes from .*root\.key\.\n/);
  await second.says(/npx realmkeep realm list\n/);
  await stop(second);
  assert.ok(!(second.stdout + second.stderr).includes(key), 'it is shown once');
  const { rootKey, rootKeyFrom, valid } = await startOf(cli, [key]);
  assert.equal(rootKey, null);
  assert.match(String(rootKeyFrom), /root\.key$/);
  assert.deepEqual(valid, [key]);
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
  await program.says(/The root key is the one that an earlier start created/);
  await stop(program);
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

test('a file that is no key is reported in one line', async (t) => {
  const cli = new Cli(t);
  put(cli, 'too short');
  const { code, stdout, stderr } = await cli.refused(['serve']);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  assert.match(
    stderr,
    /^realmkeep: .*root\.key must be 32 to 256 visible ASCII characters\. .*\n$/,
  );
  assert.ok(!stderr.includes('too short'));
});

test('a file that cannot be read is reported in one line', async (t) => {
  const cli = new Cli(t);
  // Not by its mode, which would not keep root from reading it.
  mkdirSync(pathIn(cli), { recursive: true });
  const { code, stderr } = await cli.refused(['serve']);
  assert.equal(code, 1);
  assert.match(stderr, /^realmkeep: .*root\.key is not a file\. Remove it, or set ROOT_KEY\.\n$/);
});

test('a file that every user may read is used, with a warning', async (t) => {
  const cli = new Cli(t);
  put(cli, OWN_KEY);
  chmodSync(pathIn(cli), 0o644);
  assert.deepEqual((await startOf(cli, [OWN_KEY])).valid, [OWN_KEY]);
  const warnings = await warningsOf(cli);
  assert.equal(warnings.length, process.platform === 'win32' ? 0 : 1);
  for (const { path, msg } of warnings) {
    assert.match(path, /root\.key$/);
    assert.match(msg, /^every user .* may read this key/);
  }
});

test('.env in the current folder is read; the environment counts first', async (t) => {
  const cli = new Cli(t);
  const lines = ['# Settings', `ROOT_KEY="${OWN_KEY}"`, 'PORT=abc', 'LOG_LEVEL=silent', ''];
  writeFileSync(join(cli.folder, '.env'), lines.join('\n'));
  // PORT is set for every test.
  const expected = { rootKey: null, rootKeyFrom: 'ROOT_KEY in .env', valid: [OWN_KEY] };
  assert.deepEqual(await startOf(cli, [OWN_KEY]), expected);
  const { code, stderr } = await cli.refused(['serve'], { ROOT_KEY: 'short' });
  assert.equal(code, 2);
  assert.match(stderr, /ROOT_KEY must be 32/);
  // NAME and NAME_FILE exclude each other, but not across the two.
  writeFileSync(join(cli.folder, 'other.key'), OTHER_KEY);
  const fromFile = await startOf(cli, [OWN_KEY, OTHER_KEY], { ROOT_KEY_FILE: 'other.key' });
  assert.deepEqual(fromFile.valid, [OTHER_KEY]);
});

/** What a start warns of that has its key. */
const messagesOf = async (cli: Cli): Promise<string[]> =>
  (await warningsOf(cli, { ROOT_KEY: OWN_KEY })).map(({ msg }) => msg);

test('a folder named .env is not read, with a warning', async (t) => {
  const cli = new Cli(t);
  mkdirSync(join(cli.folder, '.env'));
  assert.equal((await cli.run(['migrate'])).code, 0);
  assert.deepEqual(await messagesOf(cli), ['.env is a folder and was not read']);
});

test('names in .env that look like misspelt settings are warned about', async (t) => {
  const cli = new Cli(t);
  const names = ['ROOTKEY', 'DATABSE_URL', 'PROT', 'log_level', 'RATE_LIMITS', 'ROOT_KEY_FIEL'];
  const others = ['BOT_TOKEN', 'NODE_ENV', 'DISCORD_KEY', 'HOSTNAME', 'URL'];
  const lines = [...names, ...others].map((name) => `${name}=text\n`);
  writeFileSync(join(cli.folder, '.env'), lines.join(''));
  const meant = ['ROOT_KEY', 'DATABASE_URL', 'PORT', 'LOG_LEVEL', 'RATE_LIMIT', 'ROOT_KEY_FILE'];
  assert.deepEqual(
    (await messagesOf(cli)).toSorted(),
    names
      .map((name, index) => `.env sets ${name}, which is no setting; is it ${meant[index]}?`)
      .toSorted(),
  );
});

test('a start says that commands need the DATABASE_URL that it was given', async (t) => {
  const cli = new Cli(t, { ROOT_KEY: OWN_KEY });
  const given = cli.start(['serve']);
  await given.says(/npx realmkeep --help\nSet the same DATABASE_URL for these commands\.\n/);
  await stop(given);
  writeFileSync(join(cli.folder, '.env'), `DATABASE_URL=${cli.database.url}\n`);
  const found = cli.startShell('unset DATABASE_URL; exec "$NODE" "$BIN" serve', {});
  await found.says(/npx realmkeep --help\n$/);
  await stop(found);
});
