import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newPostgresDatabase, STORAGE } from '../support/database.ts';
import type { Ended } from '../support/program.ts';
import { Cli, performed } from './cli.ts';

/** One line on stderr, nothing on stdout. */
function assertFails(ended: Omit<Ended, 'signal'>, code: number, sentence: RegExp): void {
  assert.equal(ended.code, code);
  assert.equal(ended.stdout, '');
  assert.match(ended.stderr, /^realmkeep: .+\n$/);
  assert.match(ended.stderr, sentence);
}

const mistyped: [string[], RegExp][] = [
  [['nonsense'], /Unknown command "nonsense"\. See "npx realmkeep --help"/],
  [['toString'], /Unknown command "toString"/],
  [['--nonsense'], /Unknown option --nonsense/],
  [['key'], /key create, key list, key rotate, key revoke/],
  [['key', 'nonsense'], /key create, key list, key rotate, key revoke/],
  [['serve', '--nonsense'], /Unknown option --nonsense\. See "npx realmkeep serve --help"/],
  [['serve', '-x'], /Unknown option -x/],
  [['serve', 'now'], /Unexpected argument "now"/],
  [['key', 'list'], /<realm> is missing/],
  [['key', 'list', 'acme', '--json=yes'], /--json takes no value/],
  [['key', 'create', 'acme'], /--name and --scopes are missing/],
  [['key', 'create', 'acme', '--name'], /--name needs a value/],
  [['key', 'create', 'acme', '--name', '--scopes'], /--name needs a value/],
  [['key', 'create', 'a/b', '--name', 'x', '--scopes', 'read'], /<realm> must be 1 to 64 letters/],
  [
    ['key', 'create', 'acme', '--name', 'x', '--scopes', 'reed'],
    /--scopes must be "read", "write"/,
  ],
  [['key', 'create', 'acme', '--name', 'x', '--scopes', 'read,read'], /each at most once/],
  [
    ['key', 'create', 'acme', '--name', '', '--scopes', 'read', '--expires', 'tomorrow'],
    /--name must be text of 1 to 128 characters; --expires must be an RFC 3339 instant/,
  ],
  [['key', 'rotate', 'acme', 'abc', '--overlap', '1.5'], /--overlap must be an integer from 0 to/],
  [['key', 'revoke', 'acme', '../x'], /<keyId> must be the id of a key/],
  [['realm', 'create', '-', '--name', 'x'], /<id> must be 1 to 64 letters/],
  [['realm', 'set', 'acme'], /Name a change: --name, or <setting=value> of autoEnroll, transfers,/],
  [['realm', 'set', 'acme', 'autoEnrol=true'], /"autoEnrol=true" must be <setting>=<value>/],
  [['realm', 'set', 'acme', 'rateLimit=5:10'], /object, such as rateLimit='{"perSecond":5,/],
  [['realm', 'set', 'acme', 'rateLimit={"brust":5}'], /rateLimit has no field brust/],
  [['realm', 'set', 'acme', 'autoEnroll'], /"autoEnroll" must be <setting>=<value>/],
  [['realm', 'set', 'acme', 'autoEnroll=yes'], /^realmkeep: autoEnroll must be true or false\.$/m],
  [['realm', 'set', 'acme', '--name', ''], /--name must be text of 1 to 128 characters/],
  [['member', 'show', 'acme', 'alice'], /<member> must be an integer from 1 to/],
  [['member', 'list', 'acme', '--limit', '0'], /--limit must be an integer from 1 to 100000/],
  [['member', 'list', 'acme', '--status', 'gone'], /--status must be /],
  [['member', 'list', 'acme', '--account', 'x'], /--account must be a provider and an id/],
  [['member', 'list', 'acme', '--search', 'a', '--account', 'a:1'], /exclude each other/],
  [['points', 'add', 'acme', '1', 'many'], /<tokens> must be an integer other than 0/],
  [['points', 'add', 'acme', '1', '0'], /<tokens> must be an integer other than 0/],
  [['points', 'add', 'acme', '1', '-9007199254740993'], /<tokens> must be an integer other than/],
  [['points', 'add', 'acme', '1', '5', '--kind', 'A!'], /--kind must be /],
  [['demo', '--members', '0'], /--members must be an integer from 10 to 10000/],
  [['migrate', '--distribute'], /--distribute needs a DATABASE_URL that starts with postgres:/],
  [['migrate', '--distribute', '--from', 'sqlite:x'], /--distribute and --from exclude each other/],
];

for (const [args, sentence] of mistyped) {
  test(`exit 2: realmkeep ${args.join(' ')}`, async () => {
    assertFails(await performed(args), 2, sentence);
  });
}

test('the process exits with 2, too, and writes nothing', async (t) => {
  const cli = new Cli(t);
  assertFails(await cli.start(['nonsense']).ended, 2, /Unknown command "nonsense"/);
  assertFails(await cli.refused(['demo', '--members', '0']), 2, /--members must be/);
  assert.deepEqual(readdirSync(cli.folder), []);
});

test('all invalid settings are reported in one line, by every command', async (t) => {
  const cli = new Cli(t);
  const wrong = { PORT: 'abc', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud', ROOT_KEY: 'short' };
  for (const args of [['serve'], ['demo'], ['migrate'], ['key', 'list', 'acme']]) {
    const ended = await cli.refused(args, wrong);
    assertFails(ended, 2, /PORT .*DATABASE_URL .*LOG_LEVEL .*ROOT_KEY /);
    assert.doesNotMatch(ended.stderr, /short\b/, 'the secret is not shown');
  }
});

test('with --json a failure is one object', async () => {
  const { code, stdout, stderr } = await performed(['key', 'list', '--json']);
  assert.equal(code, 2);
  assert.equal(JSON.parse(stdout).error.code, 'invalid-arguments');
  assert.match(stderr, /<realm> is missing/);
});

const onSqlite = { skip: STORAGE !== 'sqlite' && 'only SQLite has a file' };
const onPostgres = { skip: STORAGE !== 'postgres' && 'only PostgreSQL has an address' };

test('a command that only reads does not create a missing file', onSqlite, async (t) => {
  const cli = new Cli(t);
  assertFails(await cli.run(['key', 'list', 'acme']), 1, /There is no database .*realmkeep\.db/);
  assert.deepEqual(readdirSync(cli.folder), []);
});

test('a command that only reads does not set up an empty database', onPostgres, async (t) => {
  const empty = await newPostgresDatabase(undefined, true);
  t.after(() => empty.drop());
  const looking = new Cli(t).run(['key', 'list', 'acme'], { DATABASE_URL: empty.url });
  assertFails(await looking, 1, /There is no database postgres:\/\/127/);
  const tables = await empty.rows(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
  assert.deepEqual(tables, []);
});

test('an unreachable database is reported in one line, without its password', async (t) => {
  const cli = new Cli(t);
  const nowhere: [url: string, code: number, sentence: RegExp][] = [
    [
      'postgres://me:hush@127.0.0.1:1/db',
      1,
      /127\.0\.0\.1:1\/db cannot be used: .*\. Check DATABASE_URL\.$/m,
    ],
    ['postgres://me:hush@/db', 2, /DATABASE_URL must be postgres:\/\//],
    ['postgres://me:hush@host', 2, /DATABASE_URL must be postgres:\/\//],
    ['postgres://me:hush#1@host/db', 2, /special characters in the user and the password as %xx/],
    ['postgres:hush', 2, /DATABASE_URL must be postgres:\/\//],
  ];
  for (const [DATABASE_URL, code, sentence] of nowhere) {
    const ended = await cli.refused(['serve'], { DATABASE_URL });
    assertFails(ended, code, sentence);
    assert.doesNotMatch(ended.stderr, /hush/);
  }
});

test('a file that is not a database is reported in one line', onSqlite, async (t) => {
  const cli = new Cli(t);
  writeFileSync(join(cli.folder, 'realmkeep.db'), 'This is a letter, not a database.'.repeat(99));
  for (const args of [['serve'], ['migrate'], ['realm', 'create', 'acme', '--name', 'Acme']]) {
    const sentence =
      /The database .* cannot be used: file is not a database\. .* restore a backup\./;
    assertFails(await cli.refused(args), 1, sentence);
  }
});

test('a database of a newer program is refused in one line, which blames no address', async (t) => {
  const cli = new Cli(t);
  await cli.run(['migrate']);
  await cli.database.exec(
    STORAGE === 'sqlite'
      ? 'PRAGMA user_version = 1000'
      : 'INSERT INTO schema_migrations SELECT generate_series(2, 1000)',
  );
  for (const args of [['serve'], ['migrate'], ['migrate', '--plan'], ['realm', 'list']]) {
    const sentence =
      /was migrated by a newer program: its schema version is 1000, .* Run that program/;
    assertFails(await cli.run(args), 1, sentence);
  }
});

test('a host that is not local is reported in one line', async (t) => {
  const cli = new Cli(t, { LOG_LEVEL: 'error' });
  assertFails(
    await cli.refused(['serve'], { HOST: '192.0.2.1' }),
    1,
    /Cannot listen on .*192\.0\.2\.1/,
  );
});
