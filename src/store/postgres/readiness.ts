import type { StorageFault } from '../../domain/queries.ts';
import { NOT_MIGRATED } from '../schema.ts';
import { type Connection, within } from './connection.ts';
import { isMigrated } from './migrate.ts';
import type { ReaderPool } from './pools.ts';
import { statement } from './statement.ts';

/** A readiness probe should not have to wait long for a negative answer. */
const READY_MS = 2_000;
const MAX_CLOCK_ERROR_MS = 2_000;

const NO_ANSWER: StorageFault = { check: 'storage', reason: 'The database does not answer.' };

const NOW = statement<{ now: number }, []>(
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
);

/** What keeps this node from serving callers: the database, its version, or the node's clock. */
export const readiness = (readers: ReaderPool, clock: () => number): Promise<StorageFault[]> =>
  within(
    READY_MS,
    readers.use(async (connection) => {
      if (!(await isMigrated(connection))) return [NOT_MIGRATED];
      const fault = clockFault(await clockError(connection, clock));
      return fault ? [fault] : [];
    }),
    [NO_ANSWER],
  );

/**
 * How far the node's clock is ahead of the database's, at least. The database read its clock at
 * some moment of the round trip: under load, when that takes long, nobody knows when.
 */
export async function clockError(connection: Connection, clock: () => number): Promise<number> {
  const [sentAt, started] = [clock(), performance.now()];
  const [row] = await connection.query(NOW);
  const half = (performance.now() - started) / 2;
  const error = sentAt + half - (row?.now ?? sentAt);
  return Math.sign(error) * Math.max(0, Math.abs(error) - half);
}

export function clockFault(error: number): StorageFault | null {
  if (Math.abs(error) <= MAX_CLOCK_ERROR_MS) return null;
  const seconds = (Math.abs(error) / 1_000).toFixed(1);
  const direction = error > 0 ? 'ahead of' : 'behind';
  const reason = `The clock of this node is ${seconds} s ${direction} the clock of the database.`;
  return { check: 'clock', reason: `${reason} Synchronise it, for example with NTP.` };
}

/**
 * A row of 256 kB, which has to find space in a table and in the log. The commands of one text are
 * one transaction, and the row is gone at its end. A missing standby delays writes, but does not
 * fail them, so the probe does not wait for it.
 */
const PROBE = `
  SET LOCAL synchronous_commit = local;
  INSERT INTO service (name, value) SELECT 'probe-' || pg_backend_pid(),
    string_agg(md5(random()::text), '') FROM generate_series(1, 8192);
  DELETE FROM service WHERE name = 'probe-' || pg_backend_pid()`;

/** Writes a little, durably. Throws if the server takes no writes. */
export async function probe(pool: ReaderPool): Promise<void> {
  await pool.use((connection) => connection.run(PROBE));
}
