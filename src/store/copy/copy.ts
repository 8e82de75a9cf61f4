import type { DatabaseSync } from 'node:sqlite';
import { Connection } from '../postgres/connection.ts';
import { migrate } from '../postgres/migrate.ts';
import { type Sql, statement } from '../postgres/statement.ts';
import { openForReading } from '../sqlite/database.ts';
import { columnsOf, insertOf, selectOf, tables } from './tables.ts';

const ROWS_AT_ONCE = 2_000;

type Value = string | number | null;

const COUNT_REALMS = statement<{ count: number }, []>('SELECT count(*) AS count FROM realms');
const FILL_DIRECTORY = statement<never, []>(
  'INSERT INTO key_directory (key_id, realm_id) SELECT key_id, realm_id FROM api_keys',
);
// Nobody else may fill it meanwhile.
const ALONE = 'LOCK TABLE realms, service IN EXCLUSIVE MODE';

export interface Copied {
  rows: number;
  /** The last hash of each realm's journal, as the source has it. */
  heads: Map<string, string>;
}

/**
 * Copies all books of a file into an empty PostgreSQL database: all of it or nothing, by one
 * transaction there, as they stood when it began, by one transaction here. So it can be done again
 * after it was interrupted.
 */
export async function copyToPostgres(
  path: string,
  url: string,
  onProgress: (table: string, rows: number) => void,
): Promise<Copied> {
  const source = openForReading(path);
  const connection = await Connection.open({ url, purpose: 'copy', isPatient: true });
  try {
    await migrate(connection);
    source.exec('BEGIN');
    await connection.run('BEGIN; SET LOCAL statement_timeout = 0');
    await connection.run(ALONE);
    const [found] = await connection.query(COUNT_REALMS);
    if (found?.count !== 0) throw new NotEmpty('there are realms in it already');
    // The root key of a first start there gives way to the one that is known, if there is one.
    const isKeyKnown = source.prepare('SELECT 1 FROM service').get() !== undefined;
    if (isKeyKnown) await connection.run('DELETE FROM service');
    let rows = 0;
    for (const table of Object.keys(tables)) {
      rows += await copyTable(source, connection, table, (done) => onProgress(table, done));
    }
    await connection.change(FILL_DIRECTORY);
    const heads = headsOf(source);
    const end = await connection.run('COMMIT');
    if (end !== 'COMMIT') throw new Error(`COMMIT answered ${end}`);
    return { rows, heads };
  } finally {
    source.close();
    await connection.close();
  }
}

/** Thrown where something would have to be overwritten. */
class NotEmpty extends Error {}

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

function headsOf(source: DatabaseSync): Map<string, string> {
  const rows = source.prepare('SELECT realm_id, lower(hex(head)) AS head FROM realms').all();
  return new Map(rows.map(({ realm_id, head }) => [String(realm_id), String(head)]));
}
