import type { RealmChanges } from '../../domain/facts.ts';
import type { Store } from '../../domain/store.ts';
import { Connection } from './connection.ts';
import { Database, type DatabaseEvents, Leases, Readers } from './database.ts';
import { housekeeping } from './housekeeping.ts';
import { KeyDirectory } from './key-directory.ts';
import { PostgresLane } from './lane.ts';
import { hasSteps, migrate } from './migrate.ts';
import { postgresReader } from './reader.ts';
import { Verifier } from './verify.ts';
import { Views } from './views/views.ts';

const READERS = 4;
const FOLLOWERS = 2;

/** Opens the database, migrated. Any number of processes may have it open. */
export async function openPostgresStore(url: string, events: DatabaseEvents = {}): Promise<Store> {
  await migratePostgres(url);
  const database = new Database(url, events);
  const readers = new Readers(database, READERS);
  const followers = new Leases(database, 'follower', FOLLOWERS);
  const verifier = new Verifier(database);
  const keys = new KeyDirectory(readers);
  const views = new Views(readers, followers);
  const note = ({ realm, records }: RealmChanges) => views.noteWritten(realm.id, records.length);
  // Two, so that a batch of ten thousand entries does not hold up the realms of the other.
  const lanes = [new PostgresLane(database, note), new PostgresLane(database, note)] as const;
  return {
    lanes,
    isAway: () => database.isAway,
    whenAway: (tell) => database.whenAway(tell),
    reader: { ...postgresReader(readers, keys, verifier), ...views.reader },
    housekeeping: { ...housekeeping(readers, keys), ...views.following },
    close: async () => {
      await verifier.stop();
      database.close();
      await Promise.all([readers.close(), followers.close(), ...lanes.map((lane) => lane.close())]);
    },
  };
}

/** Brings the database to today's tables; answers how many steps that took. */
export const migratePostgres = (url: string): Promise<number> => onceConnected(url, migrate);

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
