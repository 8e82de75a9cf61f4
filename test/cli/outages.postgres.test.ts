import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CuttingProxy } from '../storage/cutting-proxy.ts';
import { Cli } from './cli.ts';

/** Commands whose server goes away. */
test('points add whose outcome is unknown says how to repeat it, once', async (t) => {
  const cli = new Cli(t);
  await cli.run(['realm', 'create', 'acme', '--name', 'Acme', '--auto-enroll']);
  const proxy = await CuttingProxy.start(cli.database.url);
  t.after(() => proxy.stop());
  const add = ['points', 'add', 'acme', '7', '50', '--json'];
  proxy.onSent = (chunk) => {
    // The commit of the points, not one before it.
    if (chunk.includes('points.added')) proxy.fate = 'gone after';
  };
  const { code, stdout, stderr } = await cli.run(add, { DATABASE_URL: proxy.url });
  assert.equal(code, 1);
  assert.equal(JSON.parse(stdout).error.code, 'outcome-unknown');
  assert.doesNotMatch(stderr, /bug/);
  const [, key = ''] = /Run it again with --key (\S+): then/.exec(stderr) ?? [];
  const again = await cli.ask([...add.slice(0, -1), '--key', key]);
  assert.deepEqual([again.replayed, again.newBalance], [true, 50]);
});

test('a command whose server went away says so, and is no bug', async (t) => {
  const cli = new Cli(t);
  await cli.run(['realm', 'create', 'acme', '--name', 'Acme']);
  const proxy = await CuttingProxy.start(cli.database.url);
  t.after(() => proxy.stop());
  proxy.poison = 'key.created';
  const create = ['key', 'create', 'acme', '--name', 'Bot', '--scopes', 'read', '--json'];
  const { code, stdout, stderr } = await cli.run(create, { DATABASE_URL: proxy.url });
  assert.equal(code, 1);
  assert.match(JSON.parse(stdout).error.code, /^(storage-unavailable|outcome-unknown)$/);
  assert.match(stderr, /^realmkeep: The database failed.*\n$/);
});
