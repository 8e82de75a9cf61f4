import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { DatabaseAddress, PostgresAddress, SqliteAddress } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { ErasingRealm } from '../domain/queries.ts';
import { firstOf, reasonOf } from '../ledger/errors.ts';
import { InProcessLedger } from '../ledger/in-process-ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { erasingRealms } from '../store/erasure.ts';
import type { Inspection, ServerFacts } from '../store/inspection.ts';
import type { Copied, CopyWatch, Source } from '../store/postgres/copy.ts';
import { isAddressError, isUnavailable, lacksSchema } from '../store/postgres/errors.ts';
import type { Distribution } from '../store/postgres/migrate.ts';
import { refuseNewer, StoreRefusal, type StoreRefusalReason } from '../store/refusal.ts';
import {
  claim,
  migrate,
  migrations,
  openExclusive,
  openForWriting,
  refuseUnknown,
  refuseUnwritable,
  vacuum,
} from '../store/sqlite/database.ts';
import { Reserve } from '../store/sqlite/disk.ts';
import {
  isForeign,
  isFull,
  isNoDatabase,
  isPathError,
  isReadOnly,
} from '../store/sqlite/errors.ts';
import { realmFault, startFault } from '../store/sqlite/integrity.ts';
import { inspectSqlite, openSqliteStore } from '../store/sqlite/store.ts';
import { startWriter, type WriterThread } from '../store/threads/thread.ts';
import {
  postgresThreads,
  type StorageEvents,
  sqliteThreads,
  ThreadedLedger,
} from '../store/threads/threaded-ledger.ts';

export type { StorageEvents };
export { reasonOf };

/** What PostgreSQL needs is loaded on first use: on SQLite, commands take a fifth less time. */
const postgres = () => import('../store/postgres/ledger.ts');

/** Keeps a second service off a SQLite file, until it is disposed of; PostgreSQL may have many. */
export const claimDatabase = (database: DatabaseAddress): Promise<Disposable | null> =>
  on<Disposable | null>(database, claim, () => null);

/** The storage of the service, as DATABASE_URL selects it. */
export const openStorage = (database: DatabaseAddress, events: StorageEvents): Promise<Ledger> =>
  on<Ledger>(
    database,
    (path) => {
      refuseUnusable(path);
      return ThreadedLedger.open(sqliteThreads(path), events);
    },
    async (url, { migratePostgres }) => {
      // Here, since an error that comes from a thread has lost its class.
      await migratePostgres(url);
      return ThreadedLedger.open(postgresThreads(url), events);
    },
  );

function refuseUnusable(path: string): void {
  refuseUnwritable(path);
  const reserve = new Reserve(path);
  const fault = reserve.opening(() => startFault(path));
  if (fault !== null) throw new StoreRefusal('database-damaged', fault);
  // Here, since an error that comes from a thread has lost its class.
  reserve.opening(() => refuseUnknown(path));
  const changed = reserve.opening(() => realmFault(path));
  if (changed !== null) throw new StoreRefusal('database-damaged', changed);
}

/** A ledger in this thread, for the command line. */
export const openLedger = (database: DatabaseAddress, clock?: () => number): Promise<Ledger> =>
  on<Ledger>(
    database,
    (path) => new InProcessLedger(openSqliteStore(path), clock),
    (url, store) => store.openPostgresLedger(url, { clock }),
  );

/** Executes commands beside this thread; null on PostgreSQL, which has processes of its own. */
export const openWriter = (database: DatabaseAddress): Promise<WriterThread | null> =>
  on<WriterThread | null>(database, startWriter, () => null);

export const migrateDatabase = (database: DatabaseAddress): Promise<number> =>
  on(
    database,
    (path) => {
      using db = openForWriting(path);
      return migrate(db);
    },
    (url, store) => store.migratePostgres(url),
  );

/** Looks at a database without changing it; a file must exist. */
export const inspectDatabase = <T>(
  database: DatabaseAddress,
  look: (inspection: Inspection, servers?: () => Promise<ServerFacts[]>) => Promise<T>,
): Promise<T> =>
  on(
    database,
    (path) => inspectSqlite(path, look),
    (url, store) => store.inspectPostgres(url, look),
  );

/** The first realms with members whose erasure is not finished. */
export const unfinishedErasures = (
  database: DatabaseAddress,
  limit: number,
): Promise<ErasingRealm[]> =>
  inspectDatabase(database, async ({ run }) => run(erasingRealms({ limit })));

/** The schema version of a database, 0 if it has no tables, and that of this program. */
export async function schemaVersions(
  database: DatabaseAddress,
): Promise<{ version: number; target: number }> {
  if (database.kind === 'sqlite' && !existsSync(database.path)) {
    return { version: 0, target: migrations.length };
  }
  return inspectDatabase(database, async ({ version, migrations: { length: target } }) => {
    refuseNewer(version, target);
    return { version, target };
  });
}

/** Refuses to go on while another process has the database open. */
export const refuseInUse = (database: DatabaseAddress): Promise<void> =>
  on(
    database,
    (path) => openExclusive(path).close(),
    (url, store) => store.refuseOthers(url),
  );

/** The size of the files, or the tables that were rewritten on a server. */
interface Rewritten {
  bytes: number | null;
  tables: readonly string[];
}

/** Rewrites the database without what deleted and changed rows leave behind. */
export const vacuumDatabase = (
  database: DatabaseAddress,
  onTable: (table: string) => void,
): Promise<Rewritten> =>
  on<Rewritten>(
    database,
    (path) => {
      refuseUnusable(path);
      return { bytes: vacuum(path), tables: [] };
    },
    async (url, store) => ({ bytes: null, tables: await store.vacuumPostgres(url, onTable) }),
  );

/** Applies migrations, then distributes the tables over the servers of a cluster, atomically. */
export const distributeDatabase = (
  to: PostgresAddress,
  onProgress: (table: string) => void,
): Promise<Distribution> =>
  reporting(to, async () => (await postgres()).distributePostgres(to.url, onProgress));

/**
 * Copies all realms of a SQLite file into a PostgreSQL database without realms, atomically. The
 * file stays locked until `check` has looked for faults in the copy, given the heads of the
 * journals; if it finds none, the file gets a note that it was copied.
 */
export async function copyRealms(
  from: SqliteAddress,
  to: PostgresAddress,
  watch: CopyWatch,
  check: (heads: Source['heads']) => Promise<string[]>,
): Promise<Copied & { realms: number; faults: string[] }> {
  if (!existsSync(from.path)) {
    const sentence = `There is no database ${from.shown}. Check ${from.name}.`;
    throw new OperatorError('database-unusable', sentence);
  }
  const { copyToPostgres, noteCopied, openSource } = await import('../store/postgres/copy.ts');
  const source = await reporting(from, async () => openSource(from.path));
  using _file = source.db;
  const copied = await copyToPostgres(source, to.url, watch).catch((error) => {
    const isFromFile = (error as { code?: unknown }).code === 'ERR_SQLITE_ERROR';
    throw toOperatorError(isFromFile ? from : to, error);
  });
  const faults = await check(source.heads);
  if (faults.length === 0) noteCopied(source.db, to.shown);
  return { ...copied, realms: source.heads.size, faults };
}

const on = <T>(
  database: DatabaseAddress,
  file: (path: string) => T | Promise<T>,
  server: (url: string, store: Awaited<ReturnType<typeof postgres>>) => T | Promise<T>,
): Promise<T> =>
  reporting(database, async () =>
    database.kind === 'sqlite' ? file(database.path) : server(database.url, await postgres()),
  );

/** What fails is told to the operator. */
async function reporting<T>(database: DatabaseAddress, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toOperatorError(database, error);
  }
}

/** The sentence for each reason that a store has for refusing. */
const refusals: Record<StoreRefusalReason, (database: DatabaseAddress, why: string) => string> = {
  'cannot-distribute': ({ shown }, why) => `The database ${shown} cannot be distributed: ${why}.`,
  'database-in-use': ({ shown }, why) => `The database ${shown} is in use: ${why}.`,
  'database-damaged': ({ shown }, why) =>
    `The database ${shown} is damaged: ${why}. Stop the service and restore a backup: ` +
    'npx realmkeep restore <backup> --force. It keeps the damaged file under another name.',
  'database-newer': ({ shown }, why) =>
    `The database ${shown} was migrated by a newer program: ${why}. Run that program, or a later ` +
    'one. To go back, restore a backup made before the upgrade (docs/upgrading.md).',
  'not-rewritten': ({ shown }, why) =>
    `The database ${shown} may still contain erased texts: ${why}. Run this as that user.`,
  'nothing-to-copy': ({ shown, name }, why) =>
    `There is nothing to copy from ${shown}: ${why}. Check ${name}.`,
  'backup-exists': ({ shown }) =>
    `There is a file ${shown} already. Name another one, or a folder: there, each backup gets a ` +
    'name of its own.',
  'backup-damaged': ({ shown }, why) =>
    `The backup ${shown} is damaged: ${why}. Nothing was changed. Restore another one.`,
  'copy-faulty': ({ shown }, why) =>
    `The copy for ${shown} has a fault and was deleted: ${why}. Earlier backups are as they ` +
    'were. Check the database with "npx realmkeep verify".',
  'would-overwrite': ({ shown }, why) =>
    `There is a database ${shown}. ${why} Nothing was changed. To replace it, add --force: the ` +
    'file is kept under another name.',
  'no-space': ({ shown }, why) =>
    `There is too little space for ${shown}: ${why}. Nothing was changed. Free some space.`,
  interrupted: ({ shown }) => `Interrupted: nothing was copied to ${shown}. Run it again.`,
};

export function toOperatorError(database: DatabaseAddress, error: unknown): OperatorError {
  const why = reasonOf(error);
  if (error instanceof StoreRefusal) {
    return new OperatorError(error.reason, refusals[error.reason](database, why));
  }
  const sentence = `The database ${database.shown} cannot be used: ${why}.`;
  const advice =
    database.kind === 'sqlite'
      ? adviceOnFile(database, error)
      : adviceOnServer(database, firstOf(error));
  return new OperatorError('database-unusable', `${sentence}${advice}`);
}

/** Only if there is something that the operator can do. */
export function adviceOnFile({ path, name }: SqliteAddress, error: unknown): string {
  const folder = dirname(resolve(path));
  if (isFull(error)) return ` Free some space on the disk of ${folder}.`;
  if (isReadOnly(error)) {
    return ` Let user ${userName()} write to the file and its folder ${folder}, or set ${name}.`;
  }
  if (isNoDatabase(error) && !isForeign(error)) {
    return ` Check ${name}; if the file was a database before, it is damaged: restore a backup.`;
  }
  return isPathError(error) ? ` Check ${name}.` : '';
}

/** A user without an entry in the list of users has only a number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

function adviceOnServer({ name }: PostgresAddress, error: unknown): string {
  if (isAddressError(error)) return ` Check ${name}.`;
  if (isUnavailable(error)) return ' Run it again when the database is back.';
  if (!lacksSchema(error)) return '';
  return ' Its user must own the database, or have the CREATE privilege on its schema public.';
}
