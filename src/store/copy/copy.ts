import type { DatabaseSync } from 'node:sqlite';
import { Connection } from '../postgres/connection.ts';
import { type Sql, statement } from '../postgres/statement.ts';
import { insertWhole } from '../postgres/writes.ts';
import { StoreRefusal } from '../refusal.ts';
import { carriedColumns } from '../sqlite/rows.ts';
import type { SqlValue, Table } from '../tables/table.ts';
import { service, sessions, tables } from '../tables/tables.ts';
import type { Source } from './source.ts';
import { beginCopy } from './target.ts';

const ROWS_PER_INSERT = 2_000;

/** The projections are not copied: they are rebuilt from the journal. */
const COPIED: readonly Table<never>[] = [service, sessions, ...Object.values(tables)];

const FILL_KEY_DIRECTORY = statement<never, []>(
  'INSERT INTO key_directory (key_id, realm_id) SELECT key_id, realm_id FROM api_keys',
);

export interface Copied {
  rows: number;
  /** Whether an earlier copy had already completed: then nothing was copied. */
  wasThere: boolean;
}

/** Reports the progress of a copy, and aborts it. */
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
  const connection = await Connection.open({ url, purpose: 'copy', isPatient: true });
  let isAborted = false;
  const abort = (): void => {
    isAborted = true;
    connection.destroy(new Error('the copy was aborted'));
  };
  signal.addEventListener('abort', abort);
  try {
    if (signal.aborted) abort();
    const wasThere = await beginCopy(connection, heads);
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
    await connection.close();
  }
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
  for (const table of COPIED) {
    rows += await copyTable(source, connection, table, (done) => onProgress(table.name, done));
  }
  // The note of an earlier copy of the file is about the file, not about this database.
  await connection.run("DELETE FROM service WHERE name = 'copied_to'");
  await connection.change(FILL_KEY_DIRECTORY);
  return rows;
}

async function copyTable(
  source: DatabaseSync,
  connection: Connection,
  table: Table<never>,
  onProgress: (rows: number) => void,
): Promise<number> {
  const insert = statement<never, Sql[]>(insertWhole(table));
  const read = source.prepare(`SELECT ${carriedColumns(table)} FROM ${table.name}`);
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
