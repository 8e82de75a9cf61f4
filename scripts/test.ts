import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type RunOptions, run } from 'node:test';
import { parseArgs } from 'node:util';
import { countsSteps, databasesOf, testFiles, usesChain } from '../test/architecture/test-files.ts';
import { installChain } from '../test/chain/install.ts';
import { newTemplate } from '../test/support/database.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { TestReport } from './test-report.ts';

/**
 * Runs all tests, or those of the files given: over SQLite, over PostgreSQL or over both (see
 * test/architecture/test-files.ts). It starts the PostgreSQL server that npm installed and stops it
 * at the end; TEST_DATABASE_URL names another one, whose user must be allowed to create databases.
 */
const ROOT = join(import.meta.dirname, '..');
const STORAGES = { sqlite: ['none', 'sqlite', 'both'], postgres: ['postgres', 'both'] };
/** The longest tests come first, so that both cores are busy to the end. */
const FIRST = [
  'test/package/',
  'test/domain/decide.',
  'test/siege/',
  'test/cli/',
  'test/storage/',
  'test/docs/',
  'test/http/',
  'test/web3/',
  'test/domain/',
];
/** A third file uses the cores while the others wait. */
const FILES_AT_ONCE = '3';

interface Job {
  file: string;
  storage: 'sqlite' | 'postgres';
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: FILES_AT_ONCE },
    /** How many of the slowest files to list. */
    slowest: { type: 'string', default: '0' },
  },
});

const given = positionals.map((path) => relative(ROOT, resolve(path)));
const unknown = given.filter((file) => !testFiles.includes(file));
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: no such test`);

function rank(file: string): number {
  const index = FIRST.findIndex((folder) => file.startsWith(folder));
  return index === -1 ? FIRST.length : index;
}

const wanted = given.length > 0 ? given : testFiles;
const files = wanted.toSorted((one, other) => rank(one) - rank(other));
const queue: Job[] = files.flatMap((file) =>
  (['sqlite', 'postgres'] as const)
    .filter((storage) => STORAGES[storage].includes(databasesOf(file)))
    .map((storage) => ({ file, storage })),
);

const needsServer =
  !process.env.TEST_DATABASE_URL && queue.some(({ storage }) => storage === 'postgres');
const server = needsServer ? PostgresServer.start() : null;
const template = server?.then(({ url }) => newTemplate(url));
/** Installed beside the first tests, since it mostly waits for the network. */
const chain = queue.some(({ file }) => usesChain(file)) ? installChain() : null;
const folder = mkdtempSync(join(tmpdir(), 'realmkeep-tests-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

async function environmentOf({ file, storage }: Job): Promise<NodeJS.ProcessEnv> {
  const env: NodeJS.ProcessEnv = { ...process.env, TEST_STORAGE: storage };
  // What one process has compiled serves all others; but cached code does not count its steps.
  env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/node');
  if (countsSteps(file)) env.NODE_DISABLE_COMPILE_CACHE = '1';
  if (storage === 'postgres' && server) {
    env.TEST_DATABASE_URL = (await server).url;
    env.TEST_TEMPLATE = await template;
  }
  if (usesChain(file)) await chain;
  return env;
}

/** A file that waits for ever fails, instead of stopping all others. The longest takes a minute. */
const FILE_TIMEOUT_MS = 300_000;
const report = new TestReport();

async function runJobs(): Promise<void> {
  for (let job = queue.shift(); job; job = queue.shift()) {
    const name = `${job.file} (${job.storage})`;
    const cpuTimeFile = join(folder, name.replaceAll('/', ' '));
    // The types of Node lack the environment.
    const options: RunOptions & { env: NodeJS.ProcessEnv } = {
      files: [join(ROOT, job.file)],
      env: { ...(await environmentOf(job)), CPU_TIME_FILE: cpuTimeFile },
      execArgv: [`--import=${join(import.meta.dirname, 'cpu-time.ts')}`],
      timeout: FILE_TIMEOUT_MS,
    };
    // A process that was killed has written none.
    const cpuTime = () => (existsSync(cpuTimeFile) ? Number(readFileSync(cpuTimeFile, 'utf8')) : 0);
    await report.add(name, run(options), cpuTime);
  }
}

// An exit by signal also stops the server, which PostgresServer does when the process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await Promise.all(Array.from({ length: Number(values.concurrency) }, runJobs));
const isSuccess = await report.end(Number(values.slowest));
await (await server)?.stop();
process.exit(isSuccess ? 0 : 1);
