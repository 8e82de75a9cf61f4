import type { DatabaseSync } from 'node:sqlite';
import { sqlite } from '../dialect.ts';
import { StoreRefusal } from '../refusal.ts';
import { ALL_TABLES } from '../schema.ts';
import { migrate as migrateFile, openExclusive, realmEnds } from '../sqlite/database.ts';
import { carriedColumns, type SqlValue, type Table } from '../table.ts';
import { Connection } from './connection.ts';
import { refuseOthers } from './database.ts';
import { isLockTimeout } from './errors.ts';
import { migrate, schemaVersion } from './migrate.ts';
import { type Sql, statement } from './statement.ts';
import { insertWhole } from './writes.ts';

/** A file that does not change, since no other process has it open. */
export interface Source {
  db: DatabaseSync;
  heads: Map<string, string>;
}

/** Opens and migrates the file; another program's database is refused unchanged. */
export function openSource(path: string): Source {
  const db = openExclusive(path);
  try {
    const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'realms'").get();
    if (table === undefined) {
      throw new StoreRefusal('nothing-to-copy', 'it is not a Realmkeep database');
    }
    migrateFile(db);
    // Deleted realms are copied as far as they are there, and removed by the service.
    const heads = new Map(realmEnds(db).map(({ realmId, head }) => [realmId, head]));
    if (heads.size === 0) throw new StoreRefusal('nothing-to-copy', 'it has no realms');
    return { db, heads };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Leaves a note in the file, which a service that is started on it later will log. */
export function noteCopied(db: DatabaseSync, to: string): void {
  const value = `${to} at ${new Date().toISOString()}`;
  try {
    db.prepare("INSERT OR REPLACE INTO service (name, value) VALUES ('copied_to', ?)").run(value);
  } catch {
    // The disk may be full here; the copy itself has succeeded.
  }
}

const ROWS_PER_INSERT = 2_000;

const COUNT_REALMS = statement<{ count: number; deleted: number }, []>(
  `SELECT count(*) FILTER (WHERE deleted_at IS NULL) AS count, count(deleted_at) AS deleted
   FROM realms`,
);
const HEADS = statement<{ realmId: string; head: string }, []>(
  `SELECT realm_id AS "realmId", encode(head, 'hex') AS head FROM realms WHERE deleted_at IS NULL`,
);
// No other process may write to the database during the copy.
const LOCK = 'LOCK TABLE realms, service IN EXCLUSIVE MODE';

export interface Copied {
  rows: number;
  /** Whether an earlier copy had already completed: then nothing was copied. */
  wasThere: boolean;
}

export interface CopyWatch {
  onProgress(table: string, rows: number): void;
  signal: AbortSignal;
}

/**
 * Copies all realms of a file into a PostgreSQL database without realms, in one transaction: all of
 * it or nothing, so an interrupted copy can simply be run again.
 */
export async function copyToPostgres(
  { db, heads }: Source,
  url: string,
  { onProgress, signal }: CopyWatch,
): Promise<Copied> {
  await using connection = await Connection.open({ url, purpose: 'copy', isPatient: true });
  let isAborted = false;
  const abort = (): void => {
    isAborted = true;
    connection.destroy(new Error('the copy was aborted'));
  };
  signal.addEventListener('abort', abort);
  try {
    if (signal.aborted) abort();
    const wasThere = await beginCopy(connection, url, heads);
    const rows = wasThere ? 0 : await copyTables(db, connection, onProgress);
    // A commit that is cut short has an unknown outcome, so from here on the copy runs to its end.
    signal.removeEventListener('abort', abort);
    const end = await connection.run('COMMIT');
    if (end !== 'COMMIT') throw new Error(`COMMIT answered ${end}`);
    return { rows, wasThere };
  } catch (error) {
    throw isAborted ? new StoreRefusal('interrupted', 'the copy was aborted') : error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Begins the transaction of the copy and locks the tables. Returns whether an earlier copy has
 * already brought these realms here: a copy is complete or not there at all.
 */
async function beginCopy(
  connection: Connection,
  url: string,
  heads: ReadonlyMap<string, string>,
): Promise<boolean> {
  // Checked first: no operator should have to stop a service only to learn of a wrong address.
  if ((await schemaVersion(connection)) > 0) await isCopied(connection, heads);
  // A running service would not notice the root key that is copied.
  await refuseOthers(url, 'copy', 'migrate');
  await migrate(connection);
  await connection.run('BEGIN; SET LOCAL statement_timeout = 0');
  await connection.run(LOCK).catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error;
    const reason = 'its tables are locked, perhaps by another copy. Wait until it has ended';
    throw new StoreRefusal('database-in-use', reason, { cause: error });
  });
  return isCopied(connection, heads);
}

/** Whether the realms are those of the source; throws if there are others, or a part of any. */
async function isCopied(
  connection: Connection,
  heads: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { count = 0, deleted = 0 } = (await connection.query(COUNT_REALMS))[0] ?? {};
  if (count === 0 && deleted === 0) return false;
  const found = count === heads.size ? await connection.query(HEADS) : [];
  if (found.length > 0 && found.every(({ realmId, head }) => heads.get(realmId) === head)) {
    return true;
  }
  // They would clash with rows of the file: a realm may have the same id, and keys have one index.
  if (count === 0) {
    throw new Error(
      'rows of deleted realms have not been removed yet. Let a service run on it for a while, ' +
        'which removes them, and copy again',
    );
  }
  throw new Error(
    'it already has realms, other than those of the file as it is now. ' +
      'Choose a database without realms',
  );
}

async function copyTables(
  source: DatabaseSync,
  connection: Connection,
  onProgress: CopyWatch['onProgress'],
): Promise<number> {
  // A first start on the target may have made a root key. If the file has one, that one counts.
  const rootKey = source.prepare("SELECT 1 FROM service WHERE name = 'root_key_hash'").get();
  if (rootKey !== undefined) await connection.run('DELETE FROM service');
  let rows = 0;
  for (const table of ALL_TABLES) {
    rows += await copyTable(source, connection, table, (done) => onProgress(table.name, done));
  }
  // The note of an earlier copy of the file is about the file, not about this database.
  await connection.run("DELETE FROM service WHERE name = 'copied_to'");
  return rows;
}

async function copyTable(
  source: DatabaseSync,
  connection: Connection,
  table: Table<never>,
  onProgress: (rows: number) => void,
): Promise<number> {
  const insert = statement<never, Sql[]>(insertWhole(table));
  const read = source.prepare(`SELECT ${carriedColumns(sqlite, table)} FROM ${table.name}`);
  read.setReturnArrays(true);
  let rows = 0;
  let page: SqlValue[][] = [];
  const flush = async (): Promise<void> => {
    if (page.length === 0) return;
    const values = table.columns.map((_, index) => page.map((row) => row[index] ?? null));
    await connection.change(insert, ...values);
    rows += page.length;
    page = [];
    onProgress(rows);
  };
  for (const row of read.iterate() as unknown as Iterable<SqlValue[]>) {
    page.push(row);
    if (page.length === ROWS_PER_INSERT) await flush();
  }
  await flush();
  return rows;
}
