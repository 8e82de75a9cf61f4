import { decode, type Stored, selectList, type Table } from '../tables/table.ts';
import { type Sql, type Statement, statement } from './statement.ts';

const toHex = (column: string): string => `encode(${column}, 'hex')`;

export const columnsOf = (table: Table<never>): string => selectList(table, toHex);

/** What to select for some properties of rows. */
export const someOf = <Row>(table: Table<Row>, ...properties: (keyof Row & string)[]): string =>
  selectList(table, toHex, properties);

/** Whole rows of a table. What follows the table's name in the statement is the caller's. */
export const rowsOf = <Row>(table: Table<Row>) => ({
  select: <Args extends Sql[]>(rest: string): Statement<Row, Args> => ({
    ...statement(`SELECT ${columnsOf(table)} FROM ${table.name} ${rest}`),
    decode: (row) => decode(table, row as Stored<Row>),
  }),
});
