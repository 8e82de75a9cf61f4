import type { RealmChanges } from '../../domain/facts.ts';
import type { Store } from '../../engine/store.ts';
import { PostgresBatchWriter } from './batch-writer.ts';
import { type Distribution, distribute } from './citus/distribute.ts';
import { CLUSTER_WRITING } from './citus/writing.ts';
import { Connection } from './connection.ts';
import { Database, type DatabaseEvents } from './database.ts';
import { erasure } from './erasure.ts';
import { housekeeping } from './housekeeping.ts';
import { keyDirectory } from './key-directory.ts';
import { Lane } from './lane.ts';
import { hasSchema, migrate } from './migrate.ts';
import { PostgresNotifications } from './notifications.ts';
import { ExclusivePool, SharedPool } from './pools.ts';
import { Projections } from './projections/projections.ts';
import { postgresReader } from './reader.ts';
import { readiness } from './readiness.ts';
import { realmRemoval } from './removal.ts';
import { sessionMaintenance } from './sessions.ts';
import { vacuum } from './vacuum.ts';
import { postgresVerifier } from './verify.ts';
import { webhookHousekeeping } from './webhooks.ts';

const WRITING = { writers: 1, realmsPerBatch: Number.POSITIVE_INFINITY, isOptimistic: true };
const READERS = 4;
/** On connections of their own, look-ups of keys wait for no other read. */
const KEY_READERS = 1;
const PROJECTORS = 2;

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
  const readers = new SharedPool(database, READERS);
  const keyReaders = new SharedPool(database, KEY_READERS);
  const projectors = new ExclusivePool(database, PROJECTORS);
  const verifier = postgresVerifier(database);
  const realmOf = keyDirectory(keyReaders);
  const projections = new Projections(readers, projectors);
  const onWritten = ({ realm, records }: RealmChanges) =>
    projections.onWritten(realm.id, records.length);
  const { writers: count, ...writing } = isDistributed ? CLUSTER_WRITING : WRITING;
  const notifications = new PostgresNotifications(database, readers);
  const apart = new Lane(database);
  const writer = () =>
    new PostgresBatchWriter(database, { ...writing, onWritten, settleMs, apart });
  const writers = [writer(), ...Array.from({ length: count - 1 }, writer)] as const;
  return {
    writers,
    availability: database,
    notifications,
    reader: {
      ...postgresReader(readers, keyReaders, realmOf),
      ...projections.reader,
      ...verifier.reader,
      ready: () => readiness(readers, clock),
    },
    catchUp: (realmId) => projections.catchUp(realmId),
    housekeeping: {
      ...housekeeping(readers, realmOf),
      ...sessionMaintenance(readers),
      ...projections.maintenance,
      ...realmRemoval(projectors),
      ...erasure(projectors),
      ...webhookHousekeeping(readers),
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

/** Whether the database has any of our tables. */
export const hasTables = (url: string): Promise<boolean> => withConnection(url, hasSchema);

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
