import type { DatabaseSync } from 'node:sqlite';
import { carried, decodeValues, type SqlValue, selectList, type Table } from '../tables/table.ts';

const toHex = (column: string): string => `lower(hex(${column}))`;

const columnsOf = (table: Table<never>): string => selectList(table, toHex);

/** Every column of a table, as its value is carried. */
export const carriedColumns = ({ columns }: Table<never>): string =>
  columns.map((column) => carried(column, toHex)).join(', ');

interface RowStatement<Row, Args extends SqlValue[]> {
  get(...args: Args): Row | undefined;
  all(...args: Args): Row[];
}

/** Whole rows of a table. What follows the table's name in the statement is the caller's. */
export const rowsOf = <Row>(db: DatabaseSync, table: Table<Row>) => ({
  select<Args extends SqlValue[]>(rest: string): RowStatement<Row, Args> {
    const statement = db.prepare(`SELECT ${columnsOf(table)} FROM ${table.name} ${rest}`);
    statement.setReturnArrays(true);
    const row = (values: unknown) => decodeValues(table, values as SqlValue[]);
    return {
      get: (...args) => {
        const values = statement.get(...args);
        return values && row(values);
      },
      all: (...args) => statement.all(...args).map(row),
    };
  },
});

/** A row of a realm by the rest of its primary key. */
export const rowByKey = <Row, Key extends SqlValue = string>(
  db: DatabaseSync,
  table: Table<Row>,
): ((realmId: string, key: Key) => Row | undefined) =>
  rowsOf(db, table).select<[string, Key]>(
    `WHERE ${table.key.map((name) => `${name} = ?`).join(' AND ')}`,
  ).get;
