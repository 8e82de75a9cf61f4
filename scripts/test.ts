import { setMaxListeners } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type RunOptions, run } from 'node:test';
import { parseArgs } from 'node:util';
import {
  countsSteps,
  isLong,
  isOnCluster,
  killsServer,
  testFiles,
  usesChain,
} from '../test/architecture/test-files.ts';
import { installChain } from '../test/chain/install.ts';
import { newTemplate } from '../test/support/database.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { cpuSecondsOf } from './cpu-time.ts';
import { type Job, jobsOf } from './test-jobs.ts';
import { type FileTimes, TestReport } from './test-report.ts';

/**
 * Runs all tests but the long ones, or with --long only these, or those of the files given: over
 * SQLite, over PostgreSQL or over both (see test/architecture/test-files.ts). It starts the
 * PostgreSQL server that npm installed and stops it at the end; TEST_DATABASE_URL names another
 * one, whose user must be allowed to create databases. With --cluster it runs those of a service
 * and of clusters, over the Citus cluster whose coordinator CITUS_URL names.
 */
const ROOT = join(import.meta.dirname, '..');
/** More than there usually are cores: the others use them while one waits. */
const PROCESSES_AT_ONCE = '4';
/** The longest takes a minute, but many on a machine that is busy with other things. */
const MAX_FILE_MS = 900_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: PROCESSES_AT_ONCE },
    /** Runs the files named `*.long.test.ts` instead of all others. */
    long: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    /** How many of the slowest files to list. */
    slowest: { type: 'string', default: '0' },
  },
});

const given = positionals.map((path) => relative(ROOT, resolve(path)));
const unknown = given.filter((file) => !testFiles.includes(file));
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: no such test`);
const { CITUS_URL, TEST_DATABASE_URL } = process.env;
if (values.cluster && !CITUS_URL) throw new Error('Set CITUS_URL to the coordinator of a cluster.');
const isWanted = (file: string, storage: Job['storage']): boolean =>
  given.length > 0 || (values.cluster ? isOnCluster(file) : isLong(file, storage) === values.long);
const files = given.length > 0 ? given : testFiles;
/** Those that kill a server run when all others have ended. */
const { true: last = [], false: queue = [] } = Object.groupBy(
  jobsOf(files, isWanted, values.cluster),
  ({ files }) => `${files.some(killsServer)}` as const,
);

const needsServer = !TEST_DATABASE_URL && queue.some(({ storage }) => storage === 'postgres');
const server = needsServer && !values.cluster ? PostgresServer.start() : null;
const databaseUrl = values.cluster ? Promise.resolve(CITUS_URL) : server?.then(({ url }) => url);
const template = databaseUrl?.then((url) => newTemplate(url ?? ''));
/** Installed beside the first tests, since it mostly waits for the network. */
const chain = queue.some(({ files }) => files.some(usesChain)) ? installChain() : null;
const folder = mkdtempSync(join(tmpdir(), 'realmkeep-tests-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

async function environmentOf({ files, storage }: Job): Promise<NodeJS.ProcessEnv> {
  const env: NodeJS.ProcessEnv = { ...process.env, TEST_STORAGE: storage };
  env.FILE_TIMEOUT_MS = String(MAX_FILE_MS);
  // What one process has compiled serves all others; but cached code does not count its steps.
  env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/node');
  if (files.some(countsSteps)) env.NODE_DISABLE_COMPILE_CACHE = '1';
  if (storage === 'postgres' && databaseUrl) {
    env.TEST_DATABASE_URL = await databaseUrl;
    env.TEST_TEMPLATE = await template;
  }
  if (files.some(usesChain)) await chain;
  return env;
}

/** The times of the files that have ended, as test-process.ts writes them. */
function timesIn(path: string, names: string[]): FileTimes[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line, index) => {
    const [seconds = 0, cpuSeconds = 0] = line.split(' ').map(Number);
    return { name: names[index] ?? '', seconds, cpuSeconds };
  });
}

const report = new TestReport();
/** Ends the processes of tests with this one. */
const stop = new AbortController();
setMaxListeners(0, stop.signal);
let jobs = 0;

async function runJobs(queue: Job[]): Promise<void> {
  for (let job = queue.shift(); job; job = queue.shift()) {
    jobs += 1;
    const timesFile = join(folder, String(jobs));
    const names = job.files.map((file) => `${file} (${job.storage})`);
    // The types of Node lack the environment.
    const options: RunOptions & { env: NodeJS.ProcessEnv } = {
      files: [join(import.meta.dirname, 'test-process.ts')],
      argv: job.files,
      signal: stop.signal,
      env: { ...(await environmentOf(job)), TIMES_FILE: timesFile },
      // A file whose time is up ends by itself, unless it does not even look at the clock.
      timeout: MAX_FILE_MS * (job.files.length + 1),
    };
    const ended = await report.add(names, run(options), () => timesIn(timesFile, names));
    // The file during which a process ended does not keep the others from being tested.
    const rest = job.files.slice(ended + 1);
    if (rest.length > 0) queue.unshift({ ...job, files: rest });
  }
}

// An exit by signal also stops the server, which PostgresServer does when the process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stop.abort();
    process.exit(1);
  });
}
await Promise.all(Array.from({ length: Number(values.concurrency) }, () => runJobs(queue)));
await runJobs(last);
const pid = (await server)?.pid;
const isSuccess = await report.end(Number(values.slowest), pid ? cpuSecondsOf(pid) : 0);
await (await server)?.stop();
process.exit(isSuccess ? 0 : 1);
