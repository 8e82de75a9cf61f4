import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cli, refusesConnections, Wire } from './cli.ts';

/** A stop loses nothing that was accepted. */
const BODY = JSON.stringify({ id: 'acme', name: 'Acme' });

test('a request in progress is answered before the stop', async (t) => {
  const serve = new Cli(t).start(['serve', '--json']);
  const { url, rootKey } = await serve.firstObject();
  const wire = new Wire(String(url));
  await wire.beginPost('/api/v4/realms', String(rootKey), BODY);
  wire.socket.write(BODY.slice(0, 5));
  serve.child.kill('SIGTERM');
  await refusesConnections(String(url));
  wire.socket.write(BODY.slice(5));
  await wire.closed;
  assert.match(wire.received, /HTTP\/1\.1 201 Created/);
  assert.match(wire.received, /connection: close/i);
  assert.match(wire.received, /"id":"acme"/);
  assert.equal((await serve.ended).code, 0);
});

test('a caller that never finishes its request does not prevent the stop', async (t) => {
  // Shortens the 9 seconds that such callers are given, and no other timer.
  const hurry = `const { setTimeout } = globalThis;
    globalThis.setTimeout = (f, ms, ...args) => setTimeout(f, ms === 9_000 ? 200 : ms, ...args);`;
  const preload = `data:text/javascript,${encodeURIComponent(hurry)}`;
  const serve = new Cli(t, { NODE_OPTIONS: `--import=${preload}` }).start(['serve', '--json']);
  const { url, rootKey } = await serve.firstObject();
  const wire = new Wire(String(url));
  await wire.beginPost('/api/v4/realms', String(rootKey), BODY);
  const begun = performance.now();
  serve.child.kill('SIGTERM');
  const { code, stderr } = await serve.ended;
  assert.equal(code, 0);
  assert.ok(performance.now() - begun < 8_000, 'the grace period is 9 seconds');
  assert.match(stderr, /closing connections whose requests did not finish in time/);
  assert.match(stderr, /"msg":"stopped"/, 'the storage was closed');
});
