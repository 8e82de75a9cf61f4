import type { DatabaseSync } from 'node:sqlite';
import { Connection } from '../postgres/connection.ts';
import { type Sql, statement } from '../postgres/statement.ts';
import { StoreRefusal } from '../refusal.ts';
import type { Source } from './source.ts';
import { columnsOf, insertOf, selectOf, tables } from './tables.ts';
import { beginCopy } from './target.ts';

const ROWS_AT_ONCE = 2_000;

type Value = string | number | null;

const FILL_DIRECTORY = statement<never, []>(
  'INSERT INTO key_directory (key_id, realm_id) SELECT key_id, realm_id FROM api_keys',
);

export interface Copied {
  rows: number;
  /** Whether the books were there already, to the last record: then nothing was copied. */
  wasThere: boolean;
  /** The last hash of each realm's journal, as the source has it. */
  heads: Map<string, string>;
}

/** Whoever waits for a copy hears how far it is, and may call it off. */
export interface CopyWatch {
  onProgress(table: string, rows: number): void;
  signal: AbortSignal;
}

/**
 * Copies all books of a file into a PostgreSQL database without realms: all of it or nothing, by
 * one transaction there. So it can be done again after it was interrupted.
 */
export async function copyToPostgres(
  { db, heads }: Source,
  url: string,
  { onProgress, signal }: CopyWatch,
): Promise<Copied> {
  const connection = await Connection.open({ url, purpose: 'copy', isPatient: true });
  let isCalledOff = false;
  const callOff = (): void => {
    isCalledOff = true;
    connection.destroy(new Error('the copy was called off'));
  };
  signal.addEventListener('abort', callOff);
  try {
    if (signal.aborted) callOff();
    const wasThere = await beginCopy(connection, heads);
    const rows = wasThere ? 0 : await fill(db, connection, onProgress);
    // From here on nobody could tell whether it was kept: it comes to its end.
    signal.removeEventListener('abort', callOff);
    const end = await connection.run('COMMIT');
    if (end !== 'COMMIT') throw new Error(`COMMIT answered ${end}`);
    return { rows, wasThere, heads };
  } catch (error) {
    throw isCalledOff ? new StoreRefusal('interrupted', 'the copy was called off') : error;
  } finally {
    signal.removeEventListener('abort', callOff);
    await connection.close();
  }
}

async function fill(
  source: DatabaseSync,
  connection: Connection,
  onProgress: CopyWatch['onProgress'],
): Promise<number> {
  // The root key of a first start there gives way to the one that is known, if there is one.
  const key = source.prepare("SELECT 1 FROM service WHERE name = 'root_key_hash'").get();
  const isKeyKnown = key !== undefined;
  if (isKeyKnown) await connection.run('DELETE FROM service');
  let rows = 0;
  for (const table of Object.keys(tables)) {
    rows += await copyTable(source, connection, table, (done) => onProgress(table, done));
  }
  // Of an earlier copy of the same file: that is no matter of this one.
  await connection.run("DELETE FROM service WHERE name = 'copied_to'");
  await connection.change(FILL_DIRECTORY);
  return rows;
}

async function copyTable(
  source: DatabaseSync,
  connection: Connection,
  table: string,
  onProgress: (rows: number) => void,
): Promise<number> {
  const insert = statement<never, Sql[]>(insertOf(table));
  const width = columnsOf(table).length;
  const read = source.prepare(selectOf(table));
  read.setReturnArrays(true);
  let rows = 0;
  let page: Value[][] = [];
  const flush = async (): Promise<void> => {
    if (page.length === 0) return;
    const columns = Array.from({ length: width }, (_, index) =>
      page.map((row) => row[index] ?? null),
    );
    await connection.change(insert, ...columns);
    rows += page.length;
    page = [];
    onProgress(rows);
  };
  for (const row of read.iterate() as unknown as Iterable<Value[]>) {
    page.push(row);
    if (page.length === ROWS_AT_ONCE) await flush();
  }
  await flush();
  return rows;
}
