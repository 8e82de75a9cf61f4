import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { STORAGE } from '../support/database.ts';
import { ROOT_KEY } from '../support/service.ts';
import { Cli } from './cli.ts';

/** Members erased on the command line, and what is left of them in files. */
const ALICE = '80351110224678912';
const SECRETS = [
  ...['alice-u', 'Alice Example', 'alice-d', 'alice-s'],
  ...['alice@example.org', 'thanks, alice'],
];

/** A member with personal data of all kinds, of which the files of the database know. */
async function withAlice(cli: Cli): Promise<void> {
  await cli.run(['realm', 'create', 'acme', '--name', 'Acme', '--auto-enroll']);
  const people = [
    {
      id: ALICE,
      username: 'alice-u',
      displayName: 'Alice Example',
      // Servers sample columns of two values; and nobody else has accounts, so none will be left.
      accounts: [
        { provider: 'discord', id: '777', username: 'alice-d' },
        { provider: 'steam', id: '778', username: 'alice-s' },
      ],
      metadata: { mail: 'alice@example.org' },
    },
    { id: '2', username: 'bob' },
  ];
  const file = join(cli.folder, 'members.ndjson');
  writeFileSync(file, people.map((one) => `${JSON.stringify(one)}\n`).join(''));
  assert.equal((await cli.run(['import', 'acme', file, '--no-balances'])).code, 0);
  writeFileSync(file, '');
  const thanks = ['--description', 'thanks, alice'];
  assert.equal((await cli.run(['points', 'add', 'acme', ALICE, '5', ...thanks])).code, 0);
  await cli.run(['points', 'add', 'acme', '2', '7', '--description', 'for bob']);
  assert.match((await cli.run(['member', 'list', 'acme', '--search', 'alice'])).stdout, /alice-u/);
}

async function assertIntact(cli: Cli): Promise<void> {
  assert.match((await cli.run(['verify', 'acme'])).stdout, /^acme: ok, /);
  const file = join(cli.folder, 'acme.ndjson');
  assert.equal((await cli.run(['journal', 'export', 'acme', '--to', file])).code, 0);
  assert.match((await cli.run(['journal', 'check', file])).stdout, /^acme: ok, /);
  const text = readFileSync(file, 'utf8');
  for (const secret of SECRETS) assert.ok(!text.includes(secret), secret);
  assert.match(text, /"personal":\{"salt":"[\w-]{22}","username":"bob"\}/);
  assert.match(text, /"personalHash":"[0-9a-f]{64}","hash":/);
}

test('after member erase and vacuum, no file of the database has the name', async (t) => {
  const cli = new Cli(t);
  await withAlice(cli);
  // So that the statistics of a server have names, too.
  if (STORAGE === 'postgres') await cli.database.exec('ANALYZE');
  const before = await cli.database.files();
  for (const secret of SECRETS) assert.ok(before.includes(secret), secret);
  const refused = await cli.run(['member', 'erase', 'acme', ALICE]);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /still has 5 of "points"\. .* give them up with --forfeit\.$/m);
  const erased = await cli.run(['member', 'erase', 'acme', ALICE, '--forfeit']);
  assert.match(erased.stdout, /^Erased member 80351110224678912 of realm acme\. Run .*vacuum/);
  const unused = await cli.database.files();
  assert.ok(SECRETS.some((secret) => unused.includes(secret)));
  assert.match((await cli.run(['vacuum'])).stdout, /^Rewrote \S+: (\d+\.\d MB|9 tables)\.\n$/);
  const left = await cli.database.files();
  for (const secret of SECRETS) assert.ok(!left.includes(secret), secret);
  assert.ok(left.includes('bob'));
  await assertIntact(cli);
  // Once more changes nothing.
  assert.equal((await cli.run(['member', 'erase', 'acme', ALICE])).code, 0);
  assert.match((await cli.run(['verify', 'acme'])).stdout, /^acme: ok, 8 records, 1 member/);
  const gone = await cli.run(['member', 'erase', 'acme', '99']);
  assert.match(gone.stderr, /no member 99|member "?99"?/i);
});

test('the same while a service runs', async (t) => {
  const cli = new Cli(t, { ROOT_KEY });
  await withAlice(cli);
  const { url } = await cli.start(['serve', '--json']).firstObject();
  const path = `${url}/api/v4/realms/acme/members`;
  const headers = { authorization: `Bearer ${ROOT_KEY}` };
  await fetch(`${path}?search=alice`, { headers });
  const erasing = `${path}/${ALICE}?erase=true&forfeit=true`;
  assert.equal((await fetch(erasing, { method: 'DELETE', headers })).status, 204);
  const { items } = (await (await fetch(`${path}?search=alice`, { headers })).json()) as {
    items: unknown[];
  };
  assert.deepEqual(items, []);
  assert.equal((await cli.run(['vacuum'])).code, 0);
  const body = JSON.stringify({ tokens: 5 });
  const credit = {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  };
  assert.equal((await fetch(`${path}/2/tokenBalance`, credit)).status, 200);
  const left = await cli.database.files();
  for (const secret of SECRETS) assert.ok(!left.includes(secret), secret);
  await assertIntact(cli);
});

test('a backup has what the database had when it was made', {
  skip: STORAGE === 'postgres' && 'backups of PostgreSQL are its own',
}, async (t) => {
  const cli = new Cli(t);
  await withAlice(cli);
  await cli.run(['backup', 'before.db']);
  await cli.run(['member', 'erase', 'acme', ALICE, '--forfeit']);
  await cli.run(['vacuum']);
  await cli.run(['backup', 'after.db']);
  const [before, after] = ['before.db', 'after.db'].map((name) =>
    readFileSync(join(cli.folder, name), 'latin1'),
  );
  for (const secret of SECRETS) {
    assert.ok(before?.includes(secret), secret);
    assert.ok(!after?.includes(secret), secret);
  }
});

test('vacuum lists erasures that are not finished', async (t) => {
  const cli = new Cli(t);
  await cli.run(['realm', 'create', 'acme', '--name', 'Acme']);
  await cli.database.exec(
    `INSERT INTO erasures (realm_id, seq, erased_id, phase, position)
     VALUES ('acme', 1, '7', 'answers', '')`,
  );
  const { stdout } = await cli.run(['vacuum']);
  assert.match(stdout, /\nacme: 1 member still to be erased\. Run this again afterwards\.\n$/);
});

test('vacuum names a database that is not there', async (t) => {
  const cli = new Cli(t, { DATABASE_URL: 'sqlite:missing.db' });
  const { code, stderr } = await cli.run(['vacuum']);
  assert.equal(code, 1);
  assert.match(stderr, /There is no database missing\.db/);
});
