import type { QueryName } from '../../domain/queries.ts';
import type { Store } from '../../ledger/store.ts';
import { housekeeping } from '../housekeeping.ts';
import { readers } from '../readers/index.ts';
import { callsOf } from '../statement.ts';
import { Verifier } from '../verifier.ts';
import { PostgresBatchWriter } from './batch-writer.ts';
import { CLUSTER_WRITING } from './citus/cluster.ts';
import { type Distribution, distribute } from './citus/distribute.ts';
import { Connection } from './connection.ts';
import { Database, type DatabaseEvents } from './database.ts';
import { runOn } from './driver.ts';
import { toDomainError } from './errors.ts';
import { migrate } from './migrate.ts';
import { PostgresNotifications } from './notifications.ts';
import { ReaderPool, TransactionPool } from './pools.ts';
import { probe, readiness } from './readiness.ts';
import { vacuum } from './vacuum.ts';

export { inspectPostgres } from './inspection.ts';
export { refuseOthers } from './other-connections.ts';

const WRITING = { writers: 1, realmsPerBatch: Number.POSITIVE_INFINITY };
const READERS = 4;
/** On connections of their own, look-ups of keys wait for no other read. */
const KEY_READERS = 1;
const KEY_QUERIES: ReadonlySet<string> = new Set<QueryName>(['apiKey', 'session']);
const TRANSACTIONS = 2;

/** Long enough for a restart or a failover; with callers who wait, it should be less. */
const SETTLE_MS = 5_000;

interface StoreOptions {
  events?: DatabaseEvents;
  clock?: (() => number) | undefined;
  /** How long the outcome of a write is investigated before it is reported as unknown. */
  settleMs?: number;
}

/** Opens and migrates the database. Any number of processes may have it open. */
export async function openPostgresStore(
  url: string,
  { events, clock = Date.now, settleMs = SETTLE_MS }: StoreOptions = {},
): Promise<Store> {
  const isDistributed = await withConnection(url, async (connection) => {
    await migrate(connection);
    return connection.detectCluster();
  });
  const database = new Database(url, events);
  const pool = new ReaderPool(database, READERS);
  const keys = new ReaderPool(database, KEY_READERS);
  const transactions = new TransactionPool(database, TRANSACTIONS);
  const verifier = postgresVerifier(database);
  const notifications = new PostgresNotifications(database, pool);
  const { writers, realmsPerBatch } = isDistributed ? CLUSTER_WRITING : WRITING;
  const writer = () =>
    new PostgresBatchWriter(database, { realmsPerBatch, settleMs, isPatient: false });
  return {
    writers: [writer(), ...Array.from({ length: writers - 1 }, writer)],
    lockedWriter: new PostgresBatchWriter(database, {
      realmsPerBatch: 1,
      settleMs,
      isPatient: true,
    }),
    availability: database.outage,
    notifications,
    reader: {
      ...callsOf(readers, (operation, name) =>
        (KEY_QUERIES.has(name) ? keys : pool).run(operation),
      ),
      ...verifier.reader,
      ready: () => readiness(pool, clock),
    },
    housekeeping: {
      ...callsOf(housekeeping, (operation) => transactions.run(operation)),
      probe: () => probe(pool),
      // PostgreSQL checks the pages of its files by their checksums when it reads them.
      checkIntegrity: () => Promise.resolve(null),
    },
    close: async () => {
      await verifier.stop();
      await notifications.close();
      await database.close();
    },
  };
}

/** Checks realms on connections of their own. */
const postgresVerifier = (database: Database): Verifier =>
  new Verifier(async (check) => {
    const connection = await database.connect('verify');
    try {
      await connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return await check((operation) => runOn(connection, operation));
    } catch (error) {
      throw toDomainError(error);
    } finally {
      await connection.close();
    }
  });

/** Migrates the database; returns how many migrations were applied. */
export const migratePostgres = (url: string): Promise<number> =>
  withConnection(url, (connection) => migrate(connection));

/** Migrates the database and distributes its tables over the servers of the cluster. */
export const distributePostgres = (
  url: string,
  onTable: (table: string) => void = () => undefined,
): Promise<Distribution> => withConnection(url, (connection) => distribute(connection, onTable));

/** Rewrites the tables that tell about persons; returns their names. */
export const vacuumPostgres = (
  url: string,
  onTable: (table: string) => void,
  patienceMs?: number,
): Promise<readonly string[]> =>
  withConnection(url, (connection) => vacuum(connection, onTable, patienceMs));

async function withConnection<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await Connection.open({ url, purpose: 'migrate', isPatient: true });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
