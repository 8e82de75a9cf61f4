import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { PostgresServer } from '../test/support/postgres-server.ts';

/**
 * Runs the tests: all of them over SQLite, then those that touch storage once more over a real
 * PostgreSQL, which npm has brought along and which lives as long as the tests do. Another one can
 * be named by TEST_DATABASE_URL: its user must be allowed to create databases.
 */
const OVER_POSTGRES = [
  'test/http/*.test.ts',
  'test/domain/*.test.ts',
  'test/cli/{keys,journal,verify,serve,usage}.test.ts',
  'test/storage/{ledgers,boards}.test.ts',
];

async function run(files: string[], environment: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(process.execPath, ['--test', '--test-concurrency=2', ...files], {
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

// However it ends, the server goes with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const given = process.env.TEST_DATABASE_URL;
const server = given ? null : await PostgresServer.start();
const TEST_DATABASE_URL = given ?? server?.url;
// One level of folders: below test/chain lie packages with tests of their own.
const onSqlite = await run(globSync('test/*/*.test.ts'), { TEST_DATABASE_URL });
const again = OVER_POSTGRES.flatMap((files) => globSync(files));
const onPostgres = await run(again, { TEST_DATABASE_URL, TEST_STORAGE: 'postgres' });
await server?.stop();
process.exit(onSqlite && onPostgres ? 0 : 1);
