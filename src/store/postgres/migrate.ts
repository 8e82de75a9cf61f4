import { postgres } from '../dialect.ts';
import { refuseNewer } from '../refusal.ts';
import { migrationsFor } from '../schema.ts';
import { coordinatorOf } from './citus/catalogue.ts';
import {
  countServers,
  distributeTables,
  dropLocalRows,
  isDistributed,
  undistributedTables,
} from './citus/distribute.ts';
import { Connection } from './connection.ts';
import { refuseOtherConnections } from './database.ts';
import { statement } from './statement.ts';

/** In order; the table `schema_migrations` has a row for each that was applied. */
export const migrations = migrationsFor(postgres);

/** An arbitrary number that nobody else uses: starting nodes take this lock in turn. */
const LOCK = statement<unknown, []>('SELECT pg_advisory_xact_lock(7165823346)');
const APPLIED = statement<{ applied: number }, []>(
  'SELECT count(*)::integer AS applied FROM schema_migrations',
);
const RECORD = statement<never, [number]>('INSERT INTO schema_migrations (version) VALUES ($1)');
const EXISTS = statement<{ exists: boolean }, []>(
  "SELECT to_regclass('schema_migrations') IS NOT NULL AS exists",
);

/** A large table may take long, and so may another node that is migrating. */
const NO_TIMEOUTS = 'SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0';

/** Applies the missing migrations, each in its own transaction; returns how many were missing. */
export async function migrate(connection: Connection, all = migrations): Promise<number> {
  let applied = 0;
  while (await exclusively(connection, () => applyNext(connection, all))) applied += 1;
  return applied;
}

/** Migrates a database; returns how many migrations were applied. */
export async function migratePostgres(url: string): Promise<number> {
  await using connection = await Connection.forOperator(url);
  // Any server of a cluster knows whether there is something to do, but only one can do it.
  if ((await schemaVersion(connection)) === migrations.length) return 0;
  await using coordinator = await Connection.forOperator(await coordinatorOf(url));
  return await migrate(coordinator);
}

/** Migrates a database and distributes its tables over a cluster, in one transaction. */
export async function distributePostgres(url: string, onTable?: (table: string) => void) {
  await using connection = await Connection.forOperator(url);
  const distribution = await exclusively(connection, async () => {
    const servers = await countServers(connection);
    let steps = 0;
    while (await applyNext(connection, migrations)) steps += 1;
    const tables = await undistributedTables(connection);
    // A running service would continue as if no table were distributed.
    if (tables.length > 0) await refuseOtherConnections(connection, 'migrate');
    return { steps, servers, ...(await distributeTables(connection, tables, onTable)) };
  });
  await dropLocalRows(connection, distribution.byRealm.concat(distribution.everywhere));
  return distribution;
}

export type Distribution = Awaited<ReturnType<typeof distributePostgres>>;

/** Applies the first missing migration in the open transaction; false if none is missing. */
async function applyNext(connection: Connection, all: readonly string[]): Promise<boolean> {
  await connection.run(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version integer PRIMARY KEY)',
  );
  const version = await schemaVersion(connection);
  refuseNewer(version, all.length);
  const next = all[version];
  if (next === undefined) return false;
  // Citus accepts only one command at a time.
  for (const command of commandsOf(next)) await connection.run(command);
  await connection.change(RECORD, version + 1);
  // On a cluster, a migration reaches all parts of a distributed table; a new table is local.
  if (await isDistributed(connection)) {
    await distributeTables(connection, await undistributedTables(connection));
  }
  return true;
}

/** Runs in one transaction while no other node does the same. */
async function exclusively<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN');
  try {
    await connection.run(NO_TIMEOUTS);
    await connection.query(LOCK);
    const result = await work();
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    if (!connection.isLost) await connection.run('ROLLBACK');
    throw error;
  }
}

/** The commands of a migration: each ends with `;` at the end of a line. */
const commandsOf = (migration: string): string[] =>
  migration.split(/;\s*(?:\n|$)/).filter((command) => command.trim() !== '');

/** How many migrations were applied; 0 if there are no tables. */
export async function schemaVersion(connection: Connection): Promise<number> {
  const [found] = await connection.query(EXISTS);
  return found?.exists ? ((await connection.query(APPLIED))[0]?.applied ?? 0) : 0;
}
