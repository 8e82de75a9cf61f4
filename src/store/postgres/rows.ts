import { decode, type Stored, selectList, type Table } from '../tables/table.ts';
import type { Connection } from './connection.ts';
import { type Sql, type Statement, statement } from './statement.ts';

const toHex = (column: string): string => `encode(${column}, 'hex')`;

export const columnsOf = (table: Table<never>): string => selectList(table, toHex);

/** A statement that selects whole rows of a table. */
export interface RowStatement<Row, Args extends Sql[]> extends Statement<Stored<Row>, Args> {
  readonly table: Table<Row>;
}

/** Whole rows of a table. What follows the table's name in the statement is the caller's. */
export const rowsOf = <Row>(table: Table<Row>) => ({
  select: <Args extends Sql[]>(rest: string): RowStatement<Row, Args> => ({
    ...statement(`SELECT ${columnsOf(table)} FROM ${table.name} ${rest}`),
    table,
  }),
});

export async function queryRows<Row, Args extends Sql[]>(
  connection: Connection,
  which: RowStatement<Row, Args>,
  ...args: Args
): Promise<Row[]> {
  const found = await connection.query(which, ...args);
  return found.map((row) => decode(which.table, row));
}
