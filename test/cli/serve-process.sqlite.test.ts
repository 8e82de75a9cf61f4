import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Cli, get, refusesConnections, takenPort, Wire } from './cli.ts';
import { addressOf } from './starting.ts';

/** What `serve` prints, where it listens, and which signals end it, whatever the database. */
const addresses = Object.values(networkInterfaces()).flatMap((each = []) => each);
const hasIpv6 = addresses.some(({ address }) => address === '::1');
const outer = addresses.filter(({ family, internal }) => family === 'IPv4' && !internal);

const BODY = JSON.stringify({ id: 'acme', name: 'Acme' });

test('with --json the start is one object, and the log lines of JSON', async (t) => {
  const cli = new Cli(t);
  const serve = cli.start(['serve', '--json']);
  const { url, docs, rootKey } = await serve.firstObject();
  assert.equal(docs, `${url}/docs`);
  assert.match(String(rootKey), /^rk_root_/);
  serve.child.kill('SIGINT');
  const { code, stdout, stderr } = await serve.ended;
  assert.equal(code, 0);
  assert.equal(stdout.trimEnd().split('\n').length, 1);
  for (const line of stderr.trimEnd().split('\n')) JSON.parse(line);
});

test('a service on all addresses shows one that works from elsewhere', async (t) => {
  for (const HOST of ['0.0.0.0', ...(hasIpv6 ? ['::'] : [])]) {
    const { hostname } = new URL(await addressOf(new Cli(t), { HOST }));
    if (outer.length === 0) assert.match(hostname, /^(127\.0\.0\.1|\[::1\])$/);
    else assert.ok(outer.some(({ address }) => address === hostname));
  }
});

test('a second service on the same file says so and stops; other commands go on', async (t) => {
  const cli = new Cli(t);
  const first = cli.start(['serve', '--json']);
  const { url, rootKey } = await first.firstObject();
  symlinkSync(join(cli.folder, 'realmkeep.db'), join(cli.folder, 'link.db'));
  for (const name of ['realmkeep.db', 'link.db']) {
    const DATABASE_URL = `sqlite:${join(cli.folder, name)}`;
    const { code, stdout, stderr } = await cli.refused(['serve'], { DATABASE_URL });
    assert.deepEqual([code, stdout], [1, '']);
    const says = `The database .*/${name} is in use: another service runs on it\\. Stop that one; `;
    assert.match(stderr, new RegExp(`^realmkeep: ${says}several need PostgreSQL\\.\\n$`));
  }
  for (const command of [
    ['realm', 'create', 'acme', '--name', 'Acme'],
    ['key', 'create', 'acme', '--name', 'bot', '--scopes', 'write'],
    ['verify'],
    ['backup', 'copy.db'],
    ['vacuum'],
    ['console-link'],
  ]) {
    const { code, stderr } = await cli.run(command);
    assert.equal(code, 0, stderr);
  }
  assert.equal((await get(`${url}/api/v4/realms/acme`, String(rootKey))).status, 200);
  // However it ends: a killed service leaves nothing that keeps the next one from starting.
  first.kill();
  await first.ended;
  const next = cli.start(['serve', '--json']);
  assert.ok((await next.firstObject()).url);
});

test('a port in use is reported in one line', async (t) => {
  const port = await takenPort(t);
  const cli = new Cli(t, { LOG_LEVEL: 'error' });
  const { code, stdout, stderr } = await cli.refused(['serve'], { PORT: port });
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, new RegExp(`^realmkeep: Port ${port} on 127\\.0\\.0\\.1 is in use\\..*\n$`));
});

const windows = process.platform === 'win32' && 'Windows does not report that the parent is gone';

for (const isStopping of [false, true]) {
  const when = isStopping ? 'does not hurry a service that is stopping' : 'stops the service';
  test(`the end of npm's shell ${when}`, { skip: windows }, async (t) => {
    // A trailing command keeps the shell from being replaced by the service.
    const script = 'trap "" INT; "$NODE" "$BIN" serve --json; exit $?';
    const serve = new Cli(t).startShell(script, { npm_lifecycle_event: 'start' });
    const { url, rootKey } = await serve.firstObject();
    const wire = new Wire(String(url));
    await wire.beginPost('/api/v4/realms', String(rootKey), BODY);
    if (isStopping) {
      serve.signalGroup('SIGINT');
      // A second signal would now end the service at once.
      await setTimeout(700);
    }
    serve.child.kill('SIGTERM');
    await refusesConnections(String(url));
    await setTimeout(1_200);
    wire.socket.write(BODY);
    await wire.closed;
    assert.match(wire.received, /HTTP\/1\.1 201 Created/);
    await serve.ended;
  });
}

test('idle and silent connections do not delay the stop', async (t) => {
  const serve = new Cli(t).start(['serve', '--json']);
  const { url } = await serve.firstObject();
  const silent = new Wire(String(url));
  const idle = new Wire(String(url));
  idle.socket.write('GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n');
  await idle.receives('"ok"');
  const begun = performance.now();
  serve.child.kill('SIGTERM');
  assert.equal((await serve.ended).code, 0);
  assert.ok(performance.now() - begun < 8_000, 'it did not wait for the limit');
  await Promise.all([silent.closed, idle.closed]);
});

test('a second signal ends the process at once', async (t) => {
  const serve = new Cli(t).start(['serve', '--json']);
  const { url, rootKey } = await serve.firstObject();
  const wire = new Wire(String(url));
  await wire.beginPost('/api/v4/realms', String(rootKey), BODY);
  // A signal within half a second counts as an echo, so it is repeated until it counts.
  const begun = performance.now();
  const repeat = setInterval(() => serve.child.kill('SIGINT'), 50);
  const { code } = await serve.ended;
  clearInterval(repeat);
  assert.equal(code, 1);
  assert.ok(performance.now() - begun < 8_000);
});

test('a failed storage thread ends the service with 1', async (t) => {
  // Loaded into every thread: the storage thread throws on the realm "poison".
  const poison = `import { parentPort } from 'node:worker_threads';
    parentPort?.on('message', (text) => {
      if (String(text).includes('"poison"')) throw new Error('poisoned');
    });`;
  const preload = `data:text/javascript,${encodeURIComponent(poison)}`;
  const cli = new Cli(t, { NODE_OPTIONS: `--import=${preload}` });
  const serve = cli.start(['serve', '--json']);
  const { url, rootKey } = await serve.firstObject();
  const answer = get(`${url}/api/v4/realms/poison`, String(rootKey)).catch(() => null);
  const { code, stderr } = await serve.ended;
  await answer;
  assert.equal(code, 1);
  assert.match(stderr, /"level":"fatal".*poisoned/);
});
