import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { databasesOf, testFiles } from '../test/architecture/test-files.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';

/**
 * Runs all tests: first over SQLite, then over PostgreSQL (see test/architecture/test-files.ts for
 * which test runs where). It starts the PostgreSQL server that npm installed and stops it at the
 * end; TEST_DATABASE_URL names another one, whose user must be allowed to create databases.
 */
async function run(files: string[], environment: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(process.execPath, ['--test', '--test-concurrency=2', ...files], {
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

// An exit by signal also stops the server, which PostgresServer does when the process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const given = process.env.TEST_DATABASE_URL;
const server = given ? null : await PostgresServer.start();
const TEST_DATABASE_URL = given ?? server?.url;
const overSqlite = testFiles.filter((file) => databasesOf(file) !== 'postgres');
const overPostgres = testFiles.filter((file) => ['both', 'postgres'].includes(databasesOf(file)));
const results = [
  await run(overSqlite, { TEST_STORAGE: 'sqlite' }),
  await run(overPostgres, { TEST_STORAGE: 'postgres', TEST_DATABASE_URL }),
];
await server?.stop();
process.exit(results.every(Boolean) ? 0 : 1);
