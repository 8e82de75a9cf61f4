import type { RealmChanges } from '../../domain/facts.ts';
import type { Store } from '../../engine/store.ts';
import { PostgresBatchWriter } from './batch-writer.ts';
import type { Distribution, TellTable } from './citus/distribution.ts';
import { Connection } from './connection.ts';
import { Database, type DatabaseEvents, Leases, Readers } from './database.ts';
import { housekeeping } from './housekeeping.ts';
import { KeyDirectory } from './key-directory.ts';
import { distribute, hasSteps, migrate } from './migrate.ts';
import { Projections } from './projections/projections.ts';
import { postgresReader } from './reader.ts';
import { Verifier } from './verify.ts';

/** A batch is of one realm there, so more of them are under way, and on several servers. */
const DISTRIBUTED_WRITERS = 16;
const READERS = 4;
const PROJECTORS = 2;

/** Opens the database, migrated. Any number of processes may have it open. */
export async function openPostgresStore(url: string, events: DatabaseEvents = {}): Promise<Store> {
  const isDistributed = await onceConnected(url, async (connection) => {
    await migrate(connection);
    return connection.detectCitus();
  });
  const database = new Database(url, events);
  const readers = new Readers(database, READERS);
  const projectors = new Leases(database, 'projector', PROJECTORS);
  const verifier = new Verifier(database);
  const keys = new KeyDirectory(readers);
  const projections = new Projections(readers, projectors);
  const note = ({ realm, records }: RealmChanges) =>
    projections.noteWritten(realm.id, records.length);
  // A transaction on two servers would end by a vote among them, and wait for the slower one.
  const writer = () =>
    new PostgresBatchWriter(database, { spansRealms: !isDistributed, onWritten: note });
  const others = isDistributed ? Array.from({ length: DISTRIBUTED_WRITERS - 1 }, writer) : [];
  const writers = [writer(), ...others] as const;
  return {
    writers,
    isUnavailable: () => database.isUnavailable,
    onceUnavailable: (tell) => database.onceUnavailable(tell),
    reader: { ...postgresReader(readers, keys, verifier), ...projections.reader },
    housekeeping: { ...housekeeping(readers, keys), ...projections.projecting },
    close: async () => {
      await verifier.stop();
      database.close();
      await Promise.all([
        readers.close(),
        projectors.close(),
        ...writers.map((writer) => writer.close()),
      ]);
    },
  };
}

/** Brings the database to today's tables; answers how many steps that took. */
export const migratePostgres = (url: string): Promise<number> =>
  onceConnected(url, (connection) => migrate(connection));

/** The same, and distributes the tables over the servers of the cluster. */
export const distributePostgres = (
  url: string,
  tell: TellTable = () => undefined,
): Promise<Distribution & { steps: number }> =>
  onceConnected(url, (connection) => distribute(connection, tell));

/** Whether the database has any of our tables. */
export const hasTables = (url: string): Promise<boolean> => onceConnected(url, hasSteps);

async function onceConnected<T>(
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
