import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { settings } from '../../src/config/settings.ts';
import { bodyLimitOf, type Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';

/** The tests build no image, but they check that these files agree with the code. */
const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const all = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found);

const dockerfile = read('Dockerfile');
const composeFiles = [read('compose.yaml'), read('deploy/compose-postgres.yaml')];
const compose = composeFiles.join('\n');
const proxies = read('deploy/Caddyfile') + read('deploy/nginx.conf');
const kubernetes = read('deploy/kubernetes.yaml');
const manifest = JSON.parse(read('package.json'));

/** What the compose files say about Realmkeep itself. */
const ownServices = [
  ...(/^ {2}realmkeep:\n(?: {4}.*\n|\n)+/m.exec(compose) ?? []),
  ...(/^x-node: .*\n(?: {2}.*\n|\n)+/m.exec(compose) ?? []),
].join('\n');

test('they set only what config.ts reads', () => {
  const secrets = Object.entries(settings).filter(([, setting]) => 'isSecret' in setting);
  const known = [...Object.keys(settings), ...secrets.map(([name]) => `${name}_FILE`), 'NODE_ENV'];
  const used = [
    ...all(/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '', /([A-Z_]+)=/g),
    ...all(ownServices, /^ +([A-Z_]+):/gm),
    ...all(kubernetes, /^ +(?:- )?name: ([A-Z_]+)$/gm),
  ];
  assert.ok(used.length >= 15, used.join());
  assert.deepEqual(
    used.filter((name) => !known.includes(name)),
    [],
  );
});

test('they name the port and the paths of the service', () => {
  const port = String(readConfig({}).port);
  const ports = [
    ...all(dockerfile, /^EXPOSE (\d+)$/gm),
    ...all(dockerfile, /PORT \|\| (\d+)/g),
    ...all(ownServices, /"127\.0\.0\.1:\S+:(\d+)"/g),
    ...all(compose, /node\d:(\d+)/g),
    ...all(proxies, /127\.0\.0\.1:(\d+)/g),
    ...all(kubernetes, /containerPort: (\d+)/g),
  ];
  assert.deepEqual(ports, Array(8).fill(port));
  const paths = [
    ...all(dockerfile, /fetch\([^)]*(\/\w+)['`]/g),
    ...all(proxies, /health_uri (\/\w+)$/gm),
    ...all(kubernetes, /path: (\/\w+)$/gm),
  ];
  assert.equal(paths.length, 5, paths.join());
  const served = all(read('src/http/pages.ts'), /app\.get\('(\/\w+)'/g);
  assert.deepEqual(
    paths.filter((path) => !served.includes(path)),
    [],
  );
});

test('nginx takes bodies as large as the service does', () => {
  const [size] = all(proxies, /client_max_body_size (\d+)m;/g).map(Number);
  const limits = Object.values<Operation>(operations).map((operation) =>
    bodyLimitOf(operation, readConfig({}).bodyLimit),
  );
  assert.equal(size, Math.max(...limits) / 1024 ** 2);
});

test('they name the versions of package.json', () => {
  const [node] = new Set(Object.values<string>(manifest.optionalDependencies));
  assert.deepEqual(all(dockerfile, /^FROM node:([\d.]+)-slim/gm), [node, node]);
  const images = all(compose + kubernetes, /image: (?:&image )?\S*realmkeep:(\S+)$/gm);
  assert.deepEqual(images, Array(3).fill(manifest.version));
});

test('every container has a memory limit, the same for Realmkeep everywhere', () => {
  for (const file of composeFiles) {
    assert.equal(all(file, /^ +image: (\S+)$/gm).length, all(file, /mem_limit: (\S+)/g).length);
  }
  const limits = [
    ...all(ownServices, /mem_limit: (\d+)m$/gm),
    ...all(kubernetes, /limits:\n\s+memory: (\d+)Mi$/gm),
  ];
  assert.equal(limits.length, 3);
  assert.equal(new Set(limits).size, 1, limits.join());
});

test('.env reaches the containers, and what it may set is not set otherwise', () => {
  assert.deepEqual(all(ownServices, /env_file:\n +- path: (\S+)\n +required: false\n/g), [
    '.env',
    '.env',
  ]);
  const [, ofCompose = ''] =
    /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(composeFiles[0] ?? '') ?? [];
  const values = Array.from(ofCompose.matchAll(/^ +([A-Z_]+): (.*)$/gm), ([, name, value = '']) => [
    name,
    value.startsWith(`\${${name}`),
  ]);
  assert.deepEqual(Object.fromEntries(values), {
    // Inside the container, where nobody else listens.
    HOST: false,
    PORT: false,
    PUBLIC_URL: true,
    TRUSTED_PROXIES: true,
    BACKUP_DIR: true,
  });
});

test('the image has what the service reads, and no links to the workspaces that it lacks', () => {
  assert.match(dockerfile, /^COPY .*\bopenapi\.json\b/m);
  assert.deepEqual(manifest.workspaces, ['client', 'discord']);
  assert.match(
    dockerfile,
    /^ +&& rm -r node_modules\/@realmkeep node_modules\/realmkeep-discord \\$/m,
  );
});

test('.dockerignore admits exactly what the image copies', () => {
  const passed = all(read('.dockerignore'), /^!(\S+)$/gm);
  const copied = all(dockerfile, /^COPY (?!--from)(.*) \S+$/gm).flatMap((line) => line.split(' '));
  assert.deepEqual(new Set(copied), new Set(passed));
});

test('Kubernetes sets no variables that are warned of as misspelt settings', () => {
  assert.match(kubernetes, /^ {6}enableServiceLinks: false$/m);
});

test('Kubernetes runs it as the user of the image and waits until it has stopped', () => {
  const [user] = all(dockerfile, /^USER (\d+):\d+$/gm);
  assert.deepEqual(all(kubernetes, /runAsUser: (\d+)/g), [user]);
  const [grace = 0] = all(kubernetes, /terminationGracePeriodSeconds: (\d+)/g).map(Number);
  const [pause = 0] = all(kubernetes, /sleep:\n\s+seconds: (\d+)/g).map(Number);
  assert.ok(grace >= pause + 10, 'a stop takes at most 10 seconds');
});
