import type { Dialect } from './dialect.ts';
import {
  type LookUp,
  lookUp,
  type Params,
  query,
  type RowWrite,
  type Statement,
  type Text,
} from './statement.ts';
import { columnsOf, decodeRow, type Table } from './table.ts';

/**
 * Takes the lock of a realm, as every writer does; no row if the realm is deleted or being removed.
 * Who has it sees what was committed before, and makes the realm's next step.
 */
export const lockRealm = query<{ found: number }, { realmId: string }>(
  ({ lock }) =>
    `SELECT 1 AS found FROM realms WHERE realm_id = :realmId AND deleted_at IS NULL ${lock}`,
);

/** Whole rows of a table. What follows its name in the statement is the caller's. */
export const selectRows = <Row, P extends Params = Params>(
  table: Table<Row>,
  rest: Text,
): Statement<Row, P> =>
  query<Row, P>(
    (dialect) => `SELECT ${columnsOf(dialect, table)} FROM ${table.name} ${textOf(dialect, rest)}`,
    (values) => decodeRow(table, values),
  );

/** The row with a primary key, whose columns are parameters by their names in camel case. */
export const rowWithKey = <Row, P extends Params>(
  table: Table<Row>,
  rest = '',
): Statement<Row, P> => {
  const isKey = table.key.map((name) => `${name} = :${camelCase(name)}`).join(' AND ');
  return selectRows(table, `WHERE ${isKey} ${rest}`);
};

const camelCase = (name: string): string =>
  name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Looks up whole rows of a table by a column. `rest` is a further condition or an order. SQLite has
 * to be told an index that does not begin with the primary key.
 */
export const rowsBy = <Row>(
  table: Table<Row>,
  column: string,
  { rest = '', index = '' } = {},
): LookUp<Row> =>
  lookUp(
    table.columns.some(({ name, type }) => name === column && type === 'text') ? 'text' : 'bigint',
    (dialect) =>
      `SELECT ${columnsOf(dialect, table)} FROM ${table.name} ${index && dialect.using(index)}
       WHERE realm_id = :realm AND ${column} = :key ${rest}`,
    (values) => decodeRow(table, values),
  );

export const textOf = (dialect: Dialect, text: Text): string =>
  typeof text === 'string' ? text : text(dialect);

/** Inserts rows; that the key of one exists is an error, unless `end` says otherwise. */
export const insertInto = <Row>(table: Table<Row>, end?: Text): RowWrite<Row> => ({
  table,
  verb: 'insert',
  end,
});

export const upsertInto = <Row>(table: Table<Row>): RowWrite<Row> => ({ table, verb: 'upsert' });

export const updateIn = <Row>(table: Table<Row>): RowWrite<Row> => ({ table, verb: 'update' });

/** Deletes rows by the values of their keys behind the realm's id. */
export const deleteFrom = (table: Table<never>): RowWrite<readonly string[]> =>
  ({ table, verb: 'delete' }) as RowWrite<readonly string[]>;

/** What follows the values of an upsert. */
export function orUpdate({ key, written }: Table<never>): string {
  const rest = written.filter(({ name }) => !key.includes(name));
  const updates = rest.map(({ name }) => `${name} = excluded.${name}`).join(', ');
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${updates}`;
}
