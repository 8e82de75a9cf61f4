import { existsSync } from 'node:fs';
import type { Config, DatabaseAddress } from './config.ts';
import type { Keeper } from './domain/keeper.ts';
import { LocalKeeper } from './domain/local-keeper.ts';
import { StartError } from './start-error.ts';
import { type Copied, copyToPostgres } from './store/copy/copy.ts';
import { CannotDistribute, type Distribution } from './store/postgres/distribution.ts';
import {
  distributePostgres,
  hasTables,
  migratePostgres,
  openPostgresStore,
} from './store/postgres/store.ts';
import { migrate, openForWriting } from './store/sqlite/database.ts';
import { openSqliteStore } from './store/sqlite/store.ts';
import { RemoteKeeper } from './store/thread/remote-keeper.ts';

/** What a running storage tells of itself. */
export interface StorageEvents {
  /** It failed, and the service cannot go on. */
  onDeath(error: Error): void;
  /** It can't be reached for the time being, or can be again. */
  onAway(reason: Error): void;
  onBack(): void;
}

/** The storage of a service: DATABASE_URL alone decides which. */
export function openStorage({ database }: Config, events: StorageEvents): Promise<Keeper> {
  return usable(database, async () => {
    if (database.kind === 'sqlite') return RemoteKeeper.open(database.path, events.onDeath);
    // PostgreSQL does its waiting in processes of its own: no thread is needed here.
    return new LocalKeeper(await openPostgresStore(database.url, events));
  });
}

/** A keeper in this thread, for the command line: no server, no second thread. */
export function openKeeper(
  { database }: Pick<Config, 'database'>,
  clock?: () => number,
): Promise<Keeper> {
  return usable(database, async () => {
    const store =
      database.kind === 'sqlite'
        ? openSqliteStore(database.path)
        : await openPostgresStore(database.url);
    return new LocalKeeper(store, clock);
  });
}

/** Whether there is anything in the database yet; opening one makes its tables. */
export async function databaseExists({ database }: Config): Promise<boolean> {
  if (database.kind === 'sqlite') return existsSync(database.path);
  return usable(database, () => hasTables(database.url));
}

/** Brings the database to today's tables; answers how many steps that took. */
export function migrateDatabase({ database }: Pick<Config, 'database'>): Promise<number> {
  return usable(database, async () =>
    database.kind === 'sqlite' ? migrateFile(database.path) : migratePostgres(database.url),
  );
}

/** The same, and distributes the tables over the servers of a cluster, all or nothing. */
export async function distributeDatabase(
  to: DatabaseAddress,
  onProgress: (table: string) => void,
): Promise<Distribution & { steps: number }> {
  if (to.kind !== 'postgres') throw new TypeError('only PostgreSQL can be distributed');
  return usable(to, () => distributePostgres(to.url, onProgress));
}

/** Copies the books of a SQLite file into an empty PostgreSQL database, all or nothing. */
export async function copyBooks(
  from: DatabaseAddress,
  to: DatabaseAddress,
  onProgress: (table: string, rows: number) => void,
): Promise<Copied> {
  if (from.kind !== 'sqlite' || to.kind !== 'postgres') {
    throw new TypeError('books are copied from SQLite to PostgreSQL');
  }
  if (!existsSync(from.path)) {
    throw new StartError('database-unusable', `There is no database ${from.shown}.`);
  }
  // A file of an earlier version gets the tables that are copied.
  await migrateDatabase({ database: from });
  return usable(to, () => copyToPostgres(from.path, to.url, onProgress));
}

function migrateFile(path: string): number {
  const db = openForWriting(path);
  try {
    return migrate(db);
  } finally {
    db.close();
  }
}

async function usable<T>(database: DatabaseAddress, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw databaseUnusable(database, error);
  }
}

export function databaseUnusable({ shown }: DatabaseAddress, error: unknown): StartError {
  if (error instanceof CannotDistribute) {
    const sentence = `The database ${shown} cannot be distributed: ${error.message}.`;
    return new StartError('cannot-distribute', sentence);
  }
  return new StartError(
    'database-unusable',
    `The database ${shown} cannot be used: ${reasonOf(error)}. Check DATABASE_URL.`,
  );
}

/** A host with several addresses fails with all of their failures, and no words of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
