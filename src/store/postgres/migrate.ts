import {
  type Distribution,
  distributeTables,
  nobodyElse,
  serversOf,
  settleUser,
  type TellTable,
  tablesLeft,
} from './citus/distribution.ts';
import type { Connection } from './connection.ts';
import { migrations } from './migrations.ts';
import { statement } from './statement.ts';

/** Any number that nobody else uses: the lock that starting nodes take one after another. */
const LOCK = statement<unknown, []>('SELECT pg_advisory_xact_lock(7165823346)');
const TAKEN = statement<{ taken: number }, []>(
  'SELECT count(*)::integer AS taken FROM schema_steps',
);
const NOTE = statement<never, [number]>('INSERT INTO schema_steps (step) VALUES ($1)');
const KNOWN = statement<{ known: boolean }, []>(
  "SELECT to_regclass('schema_steps') IS NOT NULL AS known",
);

/** A large table may take its time; the lock is waited for as long as another node migrates. */
const PATIENCE = 'SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0';

/** Takes the steps that this database has not taken yet, all or none; answers how many. */
export const migrate = (connection: Connection, steps = migrations): Promise<number> =>
  alone(connection, () => takeSteps(connection, steps));

/** The same, and distributes the tables over the servers of a cluster: all of it or nothing. */
export const distribute = (
  connection: Connection,
  tell: TellTable,
): Promise<Distribution & { steps: number }> =>
  alone(connection, async () => {
    const servers = await serversOf(connection);
    const steps = await takeSteps(connection, migrations);
    const left = await tablesLeft(connection, migrations);
    if (left.length > 0) {
      await nobodyElse(connection);
      await settleUser(connection);
    }
    return { steps, servers, ...(await distributeTables(connection, left, tell)) };
  });

async function takeSteps(connection: Connection, steps: readonly string[]): Promise<number> {
  await connection.run('CREATE TABLE IF NOT EXISTS schema_steps (step integer PRIMARY KEY)');
  const taken = (await connection.query(TAKEN))[0]?.taken ?? 0;
  if (taken > steps.length) {
    throw new Error(
      `the database is of a newer version (${taken}) than this program (${steps.length})`,
    );
  }
  for (const [index, step] of steps.entries()) {
    if (index < taken) continue;
    // Citus wants them one by one.
    for (const command of step.split(/;\s*\n/)) await connection.run(command);
    await connection.change(NOTE, index + 1);
  }
  // A step alters all parts of a table that is distributed; a table that is new is in one place.
  if (taken < steps.length && (await connection.detectCitus())) {
    await distributeTables(connection, await tablesLeft(connection, steps), () => undefined);
  }
  return steps.length - taken;
}

/** In one transaction, while no other node does the same. */
async function alone<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN');
  try {
    await connection.run(PATIENCE);
    await connection.query(LOCK);
    const result = await work();
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    if (!connection.isLost) await connection.run('ROLLBACK');
    throw error;
  }
}

/** Whether any step was ever taken here. */
export async function hasSteps(connection: Connection): Promise<boolean> {
  return (await connection.query(KNOWN))[0]?.known === true;
}

/** Whether the tables are there; a newer node may have taken further steps while this one runs. */
export async function isMigrated(connection: Connection): Promise<boolean> {
  if (!(await hasSteps(connection))) return false;
  return ((await connection.query(TAKEN))[0]?.taken ?? 0) >= migrations.length;
}
