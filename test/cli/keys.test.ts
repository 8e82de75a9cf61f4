import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPostgresDatabase, STORAGE } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { TestService } from '../support/service.ts';
import { Cli, get } from './cli.ts';
import { journalOf } from './files.ts';

const KEY = /^rk_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/;

test('realm create, as a process, creates a realm once', async (t) => {
  const cli = new Cli(t);
  const first = await cli.start(['realm', 'create', 'acme', '--name', 'Acme']).ended;
  assert.equal(first.code, 0);
  assert.equal(first.stderr, '');
  assert.match(first.stdout, /Created realm acme \(Acme\)/);
  const again = await cli.run(['realm', 'create', 'acme', '--name', 'Acme', '--json']);
  assert.equal(again.code, 1);
  assert.equal(again.stderr, 'realmkeep: A realm "acme" already exists. Choose another id.\n');
  assert.equal(JSON.parse(again.stdout).error.code, 'realm-exists');
});

test('realm create --json prints what the API answers', async (t) => {
  const args = ['realm', 'create', 'acme', '--name', 'Acme', '--auto-enroll'];
  const { createdAt, updatedAt, ...realm } = await new Cli(t).ask(args);
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(realm, {
    id: 'acme',
    name: 'Acme',
    settings: {
      autoEnroll: true,
      transfers: true,
      maxTokensPerRequest: null,
      rateLimit: null,
      siteUrl: null,
      timeZone: 'UTC',
      unknownMembers: 'not-found',
      discordPictures: false,
      discord: null,
    },
    archivedAt: null,
  });
});

test('realm create --points names the kinds of points, the default first', async (t) => {
  const cli = new Cli(t);
  const args = ['realm', 'create', 'acme', '--name', 'Acme', '--points'];
  assert.equal((await cli.run([...args, 'gold, gems'])).code, 0);
  const [first] = (await journalOf(cli)).split('\n');
  const { points } = JSON.parse(first ?? '').data;
  assert.deepEqual(
    points.map((kind: Record<string, unknown>) => [kind.id, kind.name, kind.isDefault]),
    [
      ['gold', 'gold', true],
      ['gems', 'gems', false],
    ],
  );
  const wrong = await cli.run([...args, 'Gold!']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^realmkeep: --points must be 1 to 32 .*\n$/);
});

test('a key is created, listed, rotated and revoked', async (t) => {
  const cli = new Cli(t);
  await cli.run(['realm', 'create', 'acme', '--name', 'Acme']);
  assert.match((await cli.run(['key', 'list', 'acme'])).stdout, /Realm acme has no keys/);

  const options = ['--name', 'shop bot', '--scopes', 'read, write'];
  const expires = ['--expires', '2099-01-31T00:00:00Z'];
  const created = await cli.ask(['key', 'create', 'acme', ...options, ...expires]);
  assert.match(String(created.key), KEY);
  const { key: _, ...listed } = created;
  assert.deepEqual(listed.scopes, ['read', 'write']);
  assert.equal(listed.expiresAt, '2099-01-31T00:00:00.000Z');
  assert.deepEqual(await cli.ask(['key', 'list', 'acme']), { items: [listed] });

  const id = String(created.id);
  const rotated = await cli.ask(['key', 'rotate', 'acme', id, '--overlap', '0']);
  assert.match(String(rotated.key), KEY);
  assert.notEqual(rotated.id, id);
  const again = await cli.run(['key', 'rotate', 'acme', id]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^realmkeep: This key has already been rotated\..*\n$/);

  assert.deepEqual(await cli.ask(['key', 'revoke', 'acme', id]), { id, revoked: true });
  const gone = await cli.run(['key', 'revoke', 'acme', id]);
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /This realm has no key/);
  const { items } = (await cli.ask(['key', 'list', 'acme'])) as { items: { id: string }[] };
  assert.deepEqual(
    items.map((item) => item.id),
    [rotated.id],
  );
});

test('as text, a new key is the first line, and lists are aligned', async (t) => {
  const cli = new Cli(t);
  await cli.run(['realm', 'create', 'acme', '--name', 'Acme']);
  const { stdout } = await cli.run(['key', 'create', 'acme', '--name', 'a', '--scopes', 'admin']);
  const [key = '', sentence] = stdout.split('\n');
  assert.match(key, KEY);
  assert.match(sentence ?? '', /shown only once/);
  const evil = 'two\nlines \u001b[31m';
  await cli.run(['key', 'create', 'acme', '--name', evil, '--scopes', 'read']);
  const table = (await cli.run(['key', 'list', 'acme'])).stdout.trimEnd().split('\n');
  assert.equal(table.length, 3);
  const column = (table[0] ?? '').indexOf('SCOPES');
  const scopes = table.slice(1).map((row) => row.slice(column).split(' ')[0]);
  assert.deepEqual(scopes.sort(), ['admin', 'read']);
  assert.ok(!table.join('').includes('\u001b'), 'no escape sequence reaches the terminal');
});

test('an unknown realm is refused', async (t) => {
  const cli = new Cli(t);
  await cli.run(['migrate']);
  const options = ['--name', 'a', '--scopes', 'read'];
  for (const args of [
    ['create', 'acme', ...options],
    ['list', 'acme'],
    ['revoke', 'acme', 'abc'],
  ]) {
    const { code, stderr } = await cli.run(['key', ...args]);
    assert.equal(code, 1);
    assert.match(stderr, /^realmkeep: There is no .*realm.*\n$/);
  }
});

test('keys are issued and revoked while the service runs', async (t) => {
  const cli = new Cli(t);
  const service = await TestService.start({}, {}, cli.database);
  try {
    const realm = `${service.url}/api/v4/realms/acme`;
    await cli.run(['realm', 'create', 'acme', '--name', 'Acme']);
    const options = ['--name', 'a', '--scopes', 'read'];
    const { id, key } = await cli.ask(['key', 'create', 'acme', ...options]);
    assert.equal((await get(realm, String(key))).status, 200);
    await cli.run(['key', 'revoke', 'acme', String(id)]);
    const revokedAt = performance.now();
    await eventually(
      () => get(realm, String(key)),
      ({ status }) => status === 401,
    );
    assert.ok(performance.now() - revokedAt < 2_000, 'refused within 2 seconds');
  } finally {
    await service.stop();
  }
});

test('migrate reports how many migrations it applied', async (t) => {
  const empty = STORAGE === 'postgres' ? await newPostgresDatabase(undefined, true) : null;
  t.after(() => empty?.drop());
  const cli = new Cli(t, empty ? { DATABASE_URL: empty.url } : {});
  const { steps } = await cli.ask(['migrate']);
  assert.ok(Number(steps) >= 1);
  assert.deepEqual(await cli.ask(['migrate']), { steps: 0 });
  assert.match((await cli.run(['migrate'])).stdout, /up to date: nothing to do/);
});
