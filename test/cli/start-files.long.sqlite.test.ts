import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Cli } from './cli.ts';
import { OTHER_KEY, OWN_KEY, pathIn, put, startOf, stop, warningsOf } from './starting.ts';

/** What a start says about root.key and .env, whatever the database. */
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
  assert.match(stderr, /^realmkeep: .*root\.key \(EISDIR\)\. Correct that, or set ROOT_KEY\.\n$/);
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

test('a folder named .env is not read', async (t) => {
  const cli = new Cli(t);
  mkdirSync(join(cli.folder, '.env'));
  assert.equal((await cli.run(['migrate'])).code, 0);
  assert.deepEqual(await messagesOf(cli), []);
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
      .map((name, index) => `.env sets ${name}, which is not a setting (is it ${meant[index]}?)`)
      .toSorted(),
  );
});

test('so are names in the environment', async (t) => {
  const settings = { ROOT_KEY: OWN_KEY, RATE_LIMITS: 'off', REALMKEEP_COLOUR: 'red' };
  const used = { REALMKEEP_URL: 'http://127.0.0.1:8080', HOSTNAME: 'x' };
  const warnings = await warningsOf(new Cli(t), { ...settings, ...used });
  assert.deepEqual(
    warnings.map(({ msg }) => msg),
    [
      'The environment sets RATE_LIMITS, which is not a setting (is it RATE_LIMIT?)',
      'The environment sets REALMKEEP_COLOUR, which is not a setting',
    ],
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
