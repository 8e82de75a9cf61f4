import type { QueryName } from '../../domain/queries.ts';
import type { Store } from '../../ledger/store.ts';
import { housekeeping } from '../housekeeping.ts';
import { readers } from '../readers/index.ts';
import { callsOf } from '../statement.ts';
import { PostgresBatchWriter } from './batch-writer.ts';
import { CLUSTER_WRITING } from './citus/cluster.ts';
import { Connection } from './connection.ts';
import { Database, type DatabaseEvents } from './database.ts';
import { postgresVerifier, probe, readiness } from './inspection.ts';
import { migrate } from './migrate.ts';
import { PostgresNotifications } from './notifications.ts';
import { ReaderPool, TransactionPool } from './pools.ts';

export { refuseOthers } from './database.ts';
export { inspectPostgres } from './inspection.ts';
export { distributePostgres, migratePostgres } from './migrate.ts';
export { vacuumPostgres } from './vacuum.ts';

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
  const isDistributed = await migrated(url);
  const database = new Database(url, events);
  const pool = new ReaderPool(database, READERS);
  const keys = new ReaderPool(database, KEY_READERS);
  const transactions = new TransactionPool(database, TRANSACTIONS);
  const verifier = postgresVerifier(database);
  const notifications = new PostgresNotifications(database, pool);
  const { writers, realmsPerBatch } = isDistributed ? CLUSTER_WRITING : WRITING;
  const writer = () =>
    new PostgresBatchWriter(database, { realmsPerBatch, settleMs, isPatient: false });
  const patientWriter = () =>
    new PostgresBatchWriter(database, { realmsPerBatch: 1, settleMs, isPatient: true });
  return {
    writers: [writer(), ...Array.from({ length: writers - 1 }, writer)],
    lockedWriter: patientWriter(),
    // A cluster has many writers already.
    ...(!isDistributed && { largeWriter: patientWriter() }),
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

/** Migrates the database; returns whether its tables are distributed over a cluster. */
async function migrated(url: string): Promise<boolean> {
  await using connection = await Connection.forOperator(url);
  await migrate(connection);
  return await connection.detectCluster();
}
