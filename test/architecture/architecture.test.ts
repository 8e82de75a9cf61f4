import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { imports, importsOf, ROOT, sources, styles } from './sources.ts';
import { databaseNamedBy, databasesOf, testFiles } from './test-files.ts';

/** The rules of this repository that lint does not check. */
const none = (found: { path: string }[]): void =>
  assert.deepEqual(
    found.map(({ path }) => path),
    [],
  );

const CLIENT = /^@realmkeep\/client$/;
const PREACT = /^(preact(\/hooks)?|preact-iso|@preact\/signals)$/;

/** What a file may import: the first matching rule counts. Everyone may import domain types. */
const allowed: { from: RegExp; to: RegExp[] }[] = [
  {
    from: /^src\/domain\/rules\//,
    to: [/^src\/domain\/(?!key-format)/, /^node:crypto$/],
  },
  { from: /^src\/domain\//, to: [/^src\/domain\//, /^node:(crypto|zlib)$/] },
  { from: /^src\/ledger\/feeds\//, to: [/^src\/(ledger|domain)\//] },
  { from: /^src\/ledger\//, to: [/^src\/(ledger\/(?!feeds\/)|domain\/)/] },
  { from: /^src\/discord\/host\.ts$/, to: [/^src\/discord\//, /^realmkeep-discord$/, /^node:/] },
  { from: /^src\/discord\//, to: [/^src\/(discord|ledger|domain)\//, /^node:/] },
  { from: /^src\/webhooks\//, to: [/^src\/(webhooks|ledger|domain)\//, /^node:/] },
  { from: /^src\/store\/postgres\//, to: [/^src\/(store|ledger|domain)\//, /^node:/, /^pg$/] },
  { from: /^src\/store\//, to: [/^src\/(store|ledger|domain)\//, /^node:/] },
  {
    from: /^src\/telemetry\//,
    to: [/^src\/(telemetry|ledger)\//, /^src\/config\/telemetry-settings\.ts$/, /^node:crypto$/],
  },
  { from: /^src\/webauthn\//, to: [/^src\/webauthn\//, /^node:crypto$/] },
  { from: /^src\/web3\//, to: [/^src\/web3\//, /^@noble\//, /^@scure\//, /^node:crypto$/] },
  {
    from: /^src\/contract\//,
    to: [
      /^src\/contract\//,
      /^src\/domain\/(rules\/|(records|movements|model|commands)\.ts)/,
      /^typebox$/,
      /^ajv$/,
      /^node:(buffer|http)$/,
      /^package\.json$/,
    ],
  },
  {
    from: /^src\/http\//,
    to: [
      /^src\/(http|contract|ledger|domain|webauthn)\//,
      /^fastify$/,
      /^@scalar\//,
      /^esbuild$/,
      /^typebox$/,
      /^pino$/,
      /^prom-client$/,
      /^node:/,
    ],
  },
  {
    from: /^src\/log\.ts$/,
    to: [/^src\/storage\/storage\.ts$/, /^src\/(config|http|telemetry|web3)\//, /^pino$/, /^node:/],
  },
  {
    from: /^src\/config\/keys\.ts$/,
    to: [/^src\/(config|ledger|domain)\//, /^node:/],
  },
  {
    from: /^src\/config\//,
    to: [/^src\/config\//, /^src\/domain\/(model|rules\/spelling)\.ts$/, /^node:/],
  },
  {
    from: /^src\/storage\/storage\.ts$/,
    to: [/^src\/(store|config|ledger|domain)\//, /^node:/],
  },
  {
    from: /^src\/storage\//,
    to: [/^src\/(storage|store|config|http)\//, /^pino$/, /^node:/],
  },
  { from: /^src\/jobs\.ts$/, to: [/^src\/(http|ledger|domain)\//, /^pino$/] },
  {
    from: /^src\/cli\/doctor\//,
    to: [/^src\/(cli\/doctor|store|storage|config|web3|webhooks|ledger|domain)\//, /^node:/],
  },
  { from: /^src\/service\.ts$/, to: [/./] },
  { from: /^src\/csv\//, to: [/^src\/csv\//] },
  {
    from: /^src\/cli\//,
    to: [
      /^src\/(cli|csv|storage|config|contract|ledger|domain)\//,
      /^src\/(service|discord\/remote)\.ts$/,
      /^node:/,
    ],
  },
  { from: /^src\//, to: [] },
  { from: /^client\//, to: [/^client\//] },
  { from: /^discord\//, to: [/^discord\//, CLIENT] },
  { from: /^examples\//, to: [/^examples\//, /^@realmkeep\/client$/, /^node:/] },
  {
    from: /^console\/(text|addresses\.ts)/,
    to: [/^(console\/text|src\/csv)\//, /^src\/web3\/address-format\.ts$/, /^@noble\/hashes\//],
  },
  { from: /^console\/api\//, to: [/^console\/(api|text)\//, CLIENT, /^@preact\/signals$/] },
  { from: /^console\/state\//, to: [/^console\/(state|api|text|addresses)/, CLIENT, PREACT] },
  { from: /^console\/ui\//, to: [/^console\/(ui|state|api|text|addresses)/, CLIENT, PREACT] },
  { from: /^console\/frame\//, to: [/^console\/(frame|ui|state|api|text|addresses)/, PREACT] },
  {
    from: /^console\/views\//,
    to: [/^console\/(views|frame|ui|state|api|text|addresses)/, CLIENT, PREACT],
  },
  { from: /^console\//, to: [/^console\//, PREACT] },
];

test('imports follow the table in ARCHITECTURE.md', () => {
  const forbidden = imports.filter(({ from, to, typeOnly }) => {
    const isSource = /^(src|console)\//.test(from);
    if (typeOnly && /^(discord-api-types\b|realmkeep-discord$)/.test(to)) return false;
    if (typeOnly && isSource && (/^src\/domain\//.test(to) || CLIENT.test(to))) return false;
    if (typeOnly && /^src\/http\//.test(from)) {
      if (/^src\/(discord|telemetry|web3|webhooks)\//.test(to)) return false;
    }
    const rule = allowed.find((one) => one.from.test(from));
    return rule !== undefined && !rule.to.some((pattern) => pattern.test(to));
  });
  assert.deepEqual(forbidden, []);
});

test('a command other than serve and demo loads neither the web server nor TypeBox', () => {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { from, to, typeOnly } of imports) if (from === file && !typeOnly) load(to);
  };
  load('src/cli/main.ts');
  assert.ok(loaded.has('src/cli/realms.ts') && loaded.has('src/storage/storage.ts'));
  assert.deepEqual(
    [...loaded].filter((file) =>
      /^(fastify|pino|prom-client|typebox|src\/(http|web3)\/.*)$/.test(file),
    ),
    [],
  );
});

test('there are no import cycles', () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): void => {
    assert.ok(!trail.includes(file), `a cycle: ${[...trail, file].join(' -> ')}`);
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...trail, file]);
    done.add(file);
  };
  for (const { path } of sources) visit(path, []);
});

test('rules are pure: no clock, no random numbers, no environment', () => {
  const impure =
    /Date\.now|new Date\(\)|Math\.random|randomBytes|randomUUID|process\.|setTimeout|await /;
  none(
    sources.filter(({ path, text }) => path.startsWith('src/domain/rules/') && impure.test(text)),
  );
});

test('only config.ts reads the environment', () => {
  const others = sources.filter(({ path }) => /^src\/(?!config\/config\.ts)/.test(path));
  none(others.filter(({ text }) => text.includes('process.env')));
});

const written = sources.filter(({ path }) => path !== 'client/src/generated.ts');

test('files have at most 300 lines, unless they are generated', () => {
  none([...written, ...styles].filter(({ text }) => text.trimEnd().split('\n').length > 300));
});

test('lines have at most 100 characters, unless they are generated', () => {
  const wide = written.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => ([...line].length > 100 ? [`${path}:${index + 1}`] : [])),
  );
  assert.deepEqual(wide, []);
});

test('README.md and ARCHITECTURE.md stay short', () => {
  const limits = { 'README.md': 170, 'ARCHITECTURE.md': 250 };
  for (const [path, limit] of Object.entries(limits)) {
    const lines = readFileSync(join(ROOT, path), 'utf8').trimEnd().split('\n').length;
    assert.ok(lines <= limit, `${path} has ${lines} lines, more than ${limit}`);
  }
});

test('the file name of a test says which database it needs', () => {
  const misnamed = testFiles.filter((file) => {
    const named = databaseNamedBy(file);
    // A cluster is of PostgreSQL.
    const own = databasesOf(file);
    return named !== null && named !== (own === 'cluster' ? 'postgres' : own);
  });
  assert.deepEqual(misnamed, []);
  // A test that opened a database without test/support/database.ts would run over SQLite only.
  const hidden = testFiles.filter((file) => {
    const used = importsOf(file, (to) => to.startsWith('test/'));
    const opens = used.some((to) => /^src\/(service|storage\/storage)\.ts$/.test(to));
    return opens && databasesOf(file) === 'none';
  });
  assert.deepEqual(hidden, []);
});

test('every dependency is pinned exactly, and the lock names no host', () => {
  // The tests' local chain has its own manifest and lock.
  const folders = [ROOT, join(ROOT, 'test/chain')];
  const manifests = folders.map((folder) =>
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const versions = manifests.flatMap((manifest) =>
    Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    }),
  );
  assert.deepEqual(
    versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version))),
    [],
  );
  for (const folder of folders) {
    const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
    // Workspaces are resolved to folders.
    assert.doesNotMatch(lock, /"resolved": "\w+:/, 'package-lock.json must not name a registry');
  }
  const architecture = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  assert.deepEqual(
    versions.filter(([name]) => !architecture.includes(`\`${name}\``)),
    [],
  );
});

test('npm ci need not warn of install scripts: each of them is allowed', () => {
  const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
  const installed = Object.entries<{ hasInstallScript?: boolean }>(
    read('package-lock.json').packages,
  )
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  assert.deepEqual(Object.keys(read('package.json').allowScripts), installed.toSorted());
});

test('the dependencies are the packages that src/ loads', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const loaded = imports.filter(({ from, typeOnly }) => from.startsWith('src/') && !typeOnly);
  // The name of a package, of which a file may be imported.
  // Workspaces are bundled into the files that import them.
  const names = loaded.flatMap(({ to }) => /^(?!node:)(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? []);
  const packages = new Set(
    names.filter((name) => !['src', 'package.json', 'realmkeep-discord'].includes(name)),
  );
  assert.deepEqual([...packages].sort(), Object.keys(dependencies));
});
