import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../architecture/sources.ts';
import { clientPackage } from '../client/package.ts';
import { Program } from '../support/program.ts';
import { env, installedBytes, installPackage, removeNodes } from './install.ts';

/** The package as npm installs it, run by the Node of the machine. */
const installed = await installPackage();
const skip = typeof installed === 'string' && installed;
const { folder, files } = typeof installed === 'string' ? { folder: '', files: [] } : installed;
const modules = join(folder, 'node_modules');
const MEGABYTE = 1_000_000;

test('the package contains what runs, what it shows and what explains it', { skip }, () => {
  const sources = globSync('src/**/*.ts', { cwd: ROOT });
  const compiled = sources.map((path) => path.replace(/^src(.*)\.ts$/, 'dist$1.js'));
  const expected = [
    ...compiled,
    ...compiled.map((path) => `${path}.map`),
    ...['dist/http/reference.js', 'dist/http/reference.js.LICENSE'],
    'dist/console/figtree.LICENSE',
    // Their names end with hashes of their contents.
    ...['main.js', 'chunk.js', 'later.js', 'styles.css', 'figtree.woff2'].map((file) => {
      const name = RegExp(`^dist/console/${file.replace('.', '-\\w{8}\\.')}$`);
      return files.find((path) => name.test(path)) ?? file;
    }),
    ...globSync(['docs/*.md', 'docs/*/*.{md,png}', 'deploy/**/*.*', 'examples/*'], { cwd: ROOT }),
    'deploy/Caddyfile',
    ...['bin/realmkeep.mjs', 'openapi.json', 'package.json', '.env.example'],
    ...['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
    ...['LICENSE', 'README.md', 'SECURITY.md'],
  ];
  assert.deepEqual(files.toSorted(), expected.toSorted());
});

test('it takes the space that the README says', { skip }, () => {
  const size = installedBytes(modules) / MEGABYTE;
  const [, stated] = /takes (\d+) MB/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  assert.ok(size <= 60, `${size} MB`);
  assert.ok(Math.abs(size - Number(stated)) <= 1, `${size} MB, but the README says ${stated}`);
});

/** Starts `npx realmkeep …` as a user would; stopped after the test. */
function realmkeep(t: TestContext, ...args: string[]): Program {
  const child = spawn('npx', ['realmkeep', ...args], {
    cwd: folder,
    env: { ...env, PORT: '0', TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npx, its shell, the launcher and the service are stopped together.
    detached: true,
  });
  const program = new Program(child);
  t.after(() => program.kill());
  return program;
}

interface Demo {
  url: string;
  key: string;
  calls: { title: string; curl: string }[];
}

/** The answer to a call that the demo shows as a line for a shell. */
async function carryOut({ curl }: Demo['calls'][number]) {
  const [, method = '', url = ''] = /-X (\S+) '([^']+)'/.exec(curl) ?? [];
  const headers = Array.from(curl.matchAll(/-H '(\S+): ([^']+)'/g), ([, name = '', value = '']) => [
    name,
    value,
  ]);
  const [, body] = /-d '([^']+)'/.exec(curl) ?? [];
  // fetch sends no body with GET.
  const isQuery = method === 'GET' && body !== undefined;
  const init = { method: isQuery ? 'QUERY' : method, headers: Object.fromEntries(headers) };
  return await fetch(url, body === undefined ? init : { ...init, body });
}

test('npx realmkeep demo answers its five calls and shows its pages', { skip }, async (t) => {
  const demo = realmkeep(t, 'demo', '--members', '50', '--json');
  const { url, calls } = (await demo.firstObject()) as unknown as Demo;
  assert.equal(calls.length, 5);
  for (const call of calls) {
    const answer = await carryOut(call);
    assert.equal(answer.status, 200, `${call.title}: ${await answer.text()}`);
  }
  for (const path of ['/docs', '/docs/reference.js', '/openapi.json', '/readyz']) {
    const answer = await fetch(`${url}${path}`);
    assert.equal(answer.status, 200, path);
    assert.ok((await answer.arrayBuffer()).byteLength > 20, path);
  }
  demo.signalGroup('SIGINT');
  await demo.ended;
});

test('npx realmkeep serve keeps its database in the folder', { skip }, async (t) => {
  const serving = realmkeep(t, 'serve', '--json');
  const { url, rootKey } = await serving.firstObject();
  const headers = { authorization: `Bearer ${rootKey}` };
  const answer = await fetch(`${url}/api/v4/realms`, { headers });
  assert.deepEqual(
    [answer.status, (await answer.json()) as unknown],
    [200, { items: [], nextCursor: null }],
  );
  serving.signalGroup('SIGINT');
  await serving.ended;
  const verified = await realmkeep(t, 'verify', '--json').ended;
  assert.equal(verified.code, 0, verified.stderr);
});

test('its examples run with the client beside it', { skip }, async (t) => {
  cpSync(clientPackage(), join(modules, '@realmkeep/client'), { recursive: true });
  const demo = realmkeep(t, 'demo', '--members', '20', '--json');
  const { url, key, realm } = await demo.firstObject();
  const settings = { REALMKEEP_URL: url, REALMKEEP_KEY: key, REALMKEEP_REALM: realm };
  const example = join(modules, 'realmkeep/examples/bot.mjs');
  const options = { cwd: folder, env: { ...env, ...settings } as NodeJS.ProcessEnv };
  const { stdout } = await promisify(execFile)('node', [example, 'leaderboard'], options);
  assert.match(stdout, /^1\. \S+: \d+\n2\. /);
});

test('without the bundled Node, one that is too old says what to do', { skip }, async (t) => {
  removeNodes(modules);
  const { code, stdout, stderr } = await realmkeep(t, '--version').ended;
  const isTooOld = /Realmkeep needs Node 26 or newer, but this is v\d+/.test(stderr);
  if (isTooOld) assert.match(stderr, /nodejs\.org, or let npm install it: .* --omit=optional\./);
  assert.deepEqual([code, stdout === ''], isTooOld ? [1, true] : [0, false], stderr);
});
