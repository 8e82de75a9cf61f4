import type { ColumnType, SqlValue, Table, TableColumn } from '../tables/table.ts';
import { insertRows, type Statement, statement } from './statement.ts';

/** The types of the arrays that carry values. Bytes are carried as hexadecimal text. */
const carriers: Record<ColumnType, string> = {
  text: 'text',
  integer: 'bigint',
  id: 'bigint',
  boolean: 'smallint',
  bytes: 'text',
};

type Columns = readonly TableColumn<never>[];

/** A statement for rows of one realm, and one for rows of several realms. */
interface Pair {
  one: Statement<never, string[]>;
  many: Statement<never, string[]>;
}

/** Writes any number of rows of one table by one statement. */
export interface Write<Row> extends Pair {
  values: ((row: Row) => SqlValue)[];
  /** The same if the cache was valid, and nothing if not; null if it cannot be guarded. */
  guarded: Pair | null;
}

/** Whether the cache that a batch was decided by is valid (optimistic-commit.ts). */
const CACHE_VALID = 'realmkeep.cache_valid';
const cacheValid = `current_setting('${CACHE_VALID}')::boolean`;
export const setCacheValid = (is: string): string =>
  `set_config('${CACHE_VALID}', (${is})::text, true)`;

/** Inserts rows that are stored with their realm. */
export const insert = <Row>(table: Table<Row>, end = ''): Write<Row> => ({
  ...insertApart(table, end),
  guarded: insertPair(table, ` WHERE ${cacheValid}${end}`),
});

/** Inserts realms themselves, and rows that are not stored with their realm. */
export const insertApart = <Row>(table: Table<Row>, end = ''): Write<Row> => ({
  values: valuesOf(table),
  ...insertPair(table, end),
  guarded: null,
});

function insertPair(table: Table<never>, end: string): Pair {
  const { into, values, names, arrays, from } = partsOf(table);
  return {
    one: insertRows(into, values, from, end),
    many: statement(
      `INSERT INTO ${into} SELECT new.realm_id, ${values}
     FROM unnest($1::text[], ${arrays}) AS new(realm_id, ${names})${end}`,
    ),
  };
}

function partsOf({ name, written }: Table<never>) {
  const names = namesOf(written);
  const arrays = arraysOf(written, 2);
  return {
    names,
    arrays,
    into: `${name} (realm_id, ${names})`,
    values: newValuesOf(written),
    from: `unnest(${arrays}) AS new(${names})`,
  };
}

/** Inserts rows or, where their keys exist, updates them. */
export function upsert<Row>(table: Table<Row>): Write<Row> {
  const rest = table.written.filter(({ name }) => !table.key.includes(name));
  const updates = rest.map(({ name }) => `${name} = excluded.${name}`).join(', ');
  return insert(table, ` ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${updates}`);
}

/** Updates the one row that each realm has in a table. */
export function update<Row>(table: Table<Row>): Write<Row> {
  const { names, arrays, values, from } = partsOf(table);
  const set = `UPDATE ${table.name} SET (${names}) = ROW(${values}) FROM`;
  const pair = (end: string): Pair => ({
    one: statement(`${set} ${from} WHERE ${table.name}.realm_id = $1${end}`),
    // By ctid, which cannot change while the rows are locked: the planner might turn a join by id
    // into a scan of all realms.
    many: statement(
      `${set} unnest($1::text[], ${arrays}) AS new(realm_id, ${names})
       CROSS JOIN LATERAL
         (SELECT ctid FROM ${table.name} WHERE realm_id = new.realm_id OFFSET 0) found
       WHERE ${table.name}.ctid = found.ctid${end}`,
    ),
  });
  return { values: valuesOf(table), ...pair(''), guarded: pair(` AND ${cacheValid}`) };
}

/** Removes rows by the rest of their primary key. */
export function remove({ name: table, key: [, key] }: Table<never>): Write<string> {
  const found = (realm: string) =>
    `CROSS JOIN LATERAL (SELECT ctid FROM ${table}
       WHERE realm_id = ${realm} AND ${key} = gone.key OFFSET 0) found`;
  const gone = (from: string) =>
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT found.ctid FROM ${from}))`;
  return {
    values: [(row) => row],
    guarded: null,
    one: statement(gone(`unnest($2::text[]) AS gone(key) ${found('$1')}`)),
    many: statement(
      gone(`unnest($1::text[], $2::text[]) AS gone(realm_id, key) ${found('gone.realm_id')}`),
    ),
  };
}

/** Inserts whole rows, each value given, from arrays that start with the first parameter. */
export const insertWhole = ({ name, columns }: Table<never>): string =>
  `INSERT INTO ${name} (${namesOf(columns)}) SELECT ${newValuesOf(columns)}
   FROM unnest(${arraysOf(columns, 1)}) AS new(${namesOf(columns)})`;

/** The arrays of `insertWhole` for rows that belong to no realm. */
export const wholeValues = <Row>(table: Table<Row>, rows: readonly Row[]): SqlValue[][] =>
  valuesOf(table).map((value) => rows.map(value));

const valuesOf = <Row>({ written }: Table<Row>): Write<Row>['values'] =>
  written.map(({ property, encode, compute }) => {
    if (compute) return compute;
    const value = (row: Row) => row[property as keyof Row] as never;
    return encode ? (row) => encode(value(row)) : value;
  });

const namesOf = (columns: Columns): string => columns.map(({ name }) => name).join(', ');

const newValuesOf = (columns: Columns): string =>
  columns
    .map(({ name, type }) => (type === 'bytes' ? `decode(new.${name}, 'hex')` : `new.${name}`))
    .join(', ');

/** A parameter for each column, from this number on. */
const arraysOf = (columns: Columns, first: number): string =>
  columns.map(({ type }, index) => `$${index + first}::${carriers[type]}[]`).join(', ');
