import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import fastify from 'fastify';
import pino from 'pino';
import { addConsole, bundleConsole, type ConsoleFiles } from '../../src/http/console.ts';
import { MethodGuard } from '../../src/http/methods.ts';
import { RequestCounters } from '../../src/http/request-counters.ts';
import { assertProblem } from '../support/checks.ts';
import { serviceForFile } from '../support/service.ts';

const bytes = (text: string) => Buffer.from(text);
const FILES: ConsoleFiles = new Map([
  ['main-ABC.js', bytes('let page = 1;')],
  ['styles-ABC.css', bytes('a { color: red }')],
  ['later-ABC.js', bytes('let view = 1;')],
  ['chunk-ABC.js', bytes('let both = 1;')],
  ['sans-ABC.woff2', bytes('wOF2')],
]);
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** A server that has nothing but the console. */
function serverWith(t: TestContext, load: () => Promise<ConsoleFiles> = async () => FILES) {
  const app = fastify();
  app.decorate('requestCounters', new RequestCounters());
  app.decorateRequest('problemCode', null);
  app.decorateRequest('counters', null);
  addConsole(app, new MethodGuard(app), pino({ level: 'silent' }), load);
  t.after(() => app.close());
  return app;
}

test('every address of a view is the same page, for browsers alone', async (t) => {
  const app = serverWith(t);
  const { statusCode, body, headers } = await app.inject('/');
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  for (const url of ['/realms', '/realms/acme', '/realms/acme/members/42?x=1', '/sessions']) {
    const reply = await app.inject({ url, headers: html });
    assert.deepEqual([reply.statusCode, reply.body], [200, body], url);
    assert.equal((await app.inject(url)).statusCode, 404, url);
  }
  for (const url of ['/realm', '/api/v4/realms/acme', '/console/', '/index.html']) {
    assert.equal((await app.inject({ url, headers: html })).statusCode, 404, url);
  }
});

test('the page runs nothing inline and loads nothing from elsewhere', async (t) => {
  const app = serverWith(t);
  const { body, headers } = await app.inject('/');
  const policy = String(headers['content-security-policy']).split('; ');
  const expected = ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"];
  for (const directive of [
    ...expected,
    "base-uri 'none'",
    "connect-src 'self'",
    "font-src 'self'",
  ]) {
    assert.ok(policy.includes(directive), directive);
  }
  assert.doesNotMatch(policy.join(), /unsafe|http|\*/);
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.match(String(headers['permissions-policy']), /camera=\(\)/);
  assert.doesNotMatch(body, /<script[^>]*>[^<]|<style| on\w+=|https?:\/\/(?!www\.w3\.org)/);
});

test('scripts, styles and font are cached for ever, under names of their contents', async (t) => {
  const app = serverWith(t);
  const { body } = await app.inject('/');
  assert.match(body, /<script type="module" src="\/console\/main-ABC\.js">/);
  assert.match(body, /<link rel="stylesheet" href="\/console\/styles-ABC\.css">/);
  // What the script begins with is asked for beside it, and what comes later is not.
  assert.match(body, /<link rel="modulepreload" href="\/console\/chunk-ABC\.js">/);
  assert.match(body, /<link rel="preload" href="\/console\/sans-ABC\.woff2" as="font"/);
  assert.doesNotMatch(body, /later-ABC/);
  for (const [url, type, expected] of [
    ['/console/main-ABC.js', 'text/javascript; charset=utf-8', bytes('let page = 1;')],
    ['/console/styles-ABC.css', 'text/css; charset=utf-8', bytes('a { color: red }')],
    ['/console/later-ABC.js', 'text/javascript; charset=utf-8', bytes('let view = 1;')],
    ['/console/sans-ABC.woff2', 'font/woff2', bytes('wOF2')],
  ] as const) {
    const plain = await app.inject(url);
    assert.deepEqual(plain.rawPayload, expected);
    assert.equal(plain.headers['content-type'], type);
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.ok(plain.headers['content-security-policy']);
    const zipped = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } });
    // A font is compressed already.
    const isZipped = zipped.headers['content-encoding'] === 'gzip';
    assert.equal(isZipped, type !== 'font/woff2');
    assert.deepEqual(isZipped ? gunzipSync(zipped.rawPayload) : zipped.rawPayload, expected);
  }
  assert.equal((await app.inject('/console/main-ABD.js')).statusCode, 404);
});

test('it is loaded once, and again after a failure', async (t) => {
  let loads = 0;
  const app = serverWith(t, async () => {
    loads += 1;
    if (loads === 1) throw new Error('not this time');
    return FILES;
  });
  const statuses = [];
  for (let count = 0; count < 3; count++) statuses.push((await app.inject('/')).statusCode);
  assert.deepEqual([statuses.slice(1), loads], [[200, 200], 2]);
  assert.notEqual(statuses[0], 200);
});

test('the first view takes at most 130 kB to load with the font, and the others 35', async () => {
  const files = await bundleConsole();
  const sizes = { first: 0, later: 0 };
  for (const [name, file] of files) {
    const size = name.endsWith('.woff2') ? file.length : gzipSync(file, { level: 9 }).length;
    sizes[name.startsWith('later') ? 'later' : 'first'] += size;
  }
  assert.ok(sizes.first <= 130_000 && sizes.later <= 35_000, JSON.stringify(sizes));
  const names = [...files.keys()].map((name) => name.replace(/-\w{8}\./, '.'));
  const all = ['chunk.js', 'figtree.woff2', 'later.js', 'main.js', 'styles.css'];
  assert.deepEqual(names.toSorted(), all);
});

const service = await serviceForFile({ console: 'off' });

test('without the console, GET / leads browsers to the reference', async () => {
  const { headers } = await service.expect(302, 'GET', '/', { key: null });
  assert.equal(new URL(headers.location ?? '', `${service.url}/`).href, `${service.url}/docs`);
  assertProblem(await service.send('POST', '/', { key: null }), 'method-not-allowed');
  for (const path of ['/realms', '/realms/acme', '/console/main.js']) {
    assertProblem(await service.send('GET', path, { key: null, headers: html }), 'not-found');
  }
});
