import { existsSync } from 'node:fs';
import type { Config, DatabaseAddress } from './config.ts';
import { InProcessLedger } from './engine/in-process-ledger.ts';
import type { Ledger } from './engine/ledger.ts';
import { StartError } from './start-error.ts';
import { CalledOff, type Copied, type CopyWatch, copyToPostgres } from './store/copy/copy.ts';
import { NothingToCopy, noteCopied, openSource } from './store/copy/source.ts';
import { DatabaseInUse } from './store/copy/target.ts';
import { CannotDistribute, type Distribution } from './store/postgres/citus/distribute.ts';
import { isAddressError, isUnavailable, lacksSchema } from './store/postgres/errors.ts';
import {
  distributePostgres,
  hasTables,
  migratePostgres,
  openPostgresStore,
} from './store/postgres/store.ts';
import { FileInUse, isPathError, migrate, openForWriting } from './store/sqlite/database.ts';
import { openSqliteStore } from './store/sqlite/store.ts';
import { ThreadedLedger } from './store/threads/threaded-ledger.ts';

/** What a running storage tells of itself. */
export interface StorageEvents {
  /** It failed, and the service cannot go on. */
  onDeath(error: Error): void;
  /** It can't be reached for the time being, or can be again. */
  onUnavailable(reason: Error): void;
  onAvailable(): void;
  /** It can be reached, but some of its work has to wait for a further connection. */
  onRefused(reason: Error): void;
}

/** The storage of a service: DATABASE_URL alone decides which. */
export function openStorage({ database }: Config, events: StorageEvents): Promise<Ledger> {
  return usable(database, async () => {
    if (database.kind === 'sqlite') return ThreadedLedger.open(database.path, events.onDeath);
    // PostgreSQL does its waiting in processes of its own: no thread is needed here.
    return new InProcessLedger(await openPostgresStore(database.url, events));
  });
}

/** A ledger in this thread, for the command line: no server, no second thread. */
export function openLedger(
  { database }: Pick<Config, 'database'>,
  clock?: () => number,
): Promise<Ledger> {
  return usable(database, async () => {
    const store =
      database.kind === 'sqlite'
        ? openSqliteStore(database.path)
        : await openPostgresStore(database.url);
    return new InProcessLedger(store, clock);
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
): Promise<Distribution> {
  if (to.kind !== 'postgres') throw new TypeError('only PostgreSQL can be distributed');
  return usable(to, () => distributePostgres(to.url, onProgress));
}

/**
 * Copies the books of a SQLite file into a PostgreSQL database without realms, all or nothing. What
 * is done with the copy then is done while nobody else can open the file, too; it may leave a note
 * of the copy in it.
 */
export async function copyBooks<T>(
  from: DatabaseAddress,
  to: DatabaseAddress,
  watch: CopyWatch,
  then: (copied: Copied, noteInFile: () => void) => Promise<T>,
): Promise<T> {
  if (from.kind !== 'sqlite' || to.kind !== 'postgres') {
    throw new TypeError('books are copied from SQLite to PostgreSQL');
  }
  if (!existsSync(from.path)) {
    const sentence = `There is no database ${from.shown}. Check ${from.name}.`;
    throw new StartError('database-unusable', sentence);
  }
  const source = await usable(from, async () => openSource(from.path));
  try {
    const copied = await copyToPostgres(source, to.url, watch).catch((error) => {
      // What is read may be damaged as well.
      const isOfFile = (error as { code?: unknown }).code === 'ERR_SQLITE_ERROR';
      throw databaseUnusable(isOfFile ? from : to, error);
    });
    return await then(copied, () => noteCopied(source, to.shown, Date.now()));
  } finally {
    source.db.close();
  }
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

export function databaseUnusable(database: DatabaseAddress, error: unknown): StartError {
  const { shown, name } = database;
  const reason = reasonOf(error);
  if (error instanceof CannotDistribute) {
    const sentence = `The database ${shown} cannot be distributed: ${reason}.`;
    return new StartError('cannot-distribute', sentence);
  }
  if (error instanceof FileInUse || error instanceof DatabaseInUse) {
    const sentence = `The database ${shown} is in use: ${reason}.`;
    return new StartError('database-in-use', sentence);
  }
  if (error instanceof NothingToCopy) {
    const sentence = `There is nothing to copy from ${shown}: ${reason}. Check ${name}.`;
    return new StartError('nothing-to-copy', sentence);
  }
  if (error instanceof CalledOff) {
    const sentence = `Interrupted: nothing was kept in ${shown}. It can be run again.`;
    return new StartError('interrupted', sentence);
  }
  const sentence = `The database ${shown} cannot be used: ${reason}.`;
  return new StartError('database-unusable', `${sentence}${adviceOn(database, error)}`);
}

/** Only where there is something that could be done. */
function adviceOn({ kind, name }: DatabaseAddress, error: unknown): string {
  const isMistaken = kind === 'sqlite' ? isPathError(error) : isAddressError(firstOf(error));
  if (isMistaken) return ` Check ${name}.`;
  if (isUnavailable(error)) return ' Run it again when the database is back.';
  if (!lacksSchema(error)) return '';
  return ' Its user must own the database, or be given CREATE on its schema public.';
}

/** A host with several addresses fails with all of their failures, and no words of its own. */
const firstOf = (error: unknown): unknown =>
  error instanceof AggregateError ? error.errors[0] : error;

export function reasonOf(error: unknown): string {
  const first = firstOf(error);
  return first instanceof Error ? first.message : String(first);
}
