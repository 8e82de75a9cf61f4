import { type Sum, sumOf } from '../domain/model.ts';
import { Unavailable } from '../ledger/errors.ts';
import type { ColumnType, Dialect } from './dialect.ts';

/** A value as both databases take and return it. */
export type SqlValue = string | number | bigint | null;

interface StoredColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
  /** Updated by its own statement; row writes skip it. */
  readonly isUpdatedSeparately?: boolean;
}

/** A column for a property of type `Value`. Without a codec, the value is stored as it is. */
interface Column<Value> extends StoredColumn {
  readonly encode?: (value: Value) => SqlValue;
  readonly decode?: (stored: SqlValue) => Value;
}

const column =
  <Value>(type: ColumnType, codec?: Pick<Column<Value>, 'encode' | 'decode'>) =>
  (name: string): Column<Value> => ({ name, type, isNullable: false, ...codec });

export const text = <V extends string>(name: string): Column<V> => column<V>('text')(name);
export const integer = column<number>('integer');
export const id = column<string>('id');
export const bytes = column<string>('bytes');
/** A sum that 64 bits hold. */
export const sum = column<Sum>('id', { decode: (stored) => sumOf(String(stored)) });
export const boolean = column<boolean>('boolean', {
  encode: Number,
  decode: (stored) => stored === 1,
});

/** An object as JSON. A row written before a property was added takes its default. */
export const json = <V extends object>(name: string, defaults: V): Column<V> =>
  column<V>('text', {
    encode: JSON.stringify,
    decode: (stored) => ({ ...defaults, ...parsed(name, String(stored)) }),
  })(name);

function parsed(name: string, stored: string): object {
  try {
    return JSON.parse(stored);
  } catch {
    throw new Unavailable('storage-damaged', `the ${name} of a row are not JSON`);
  }
}

/** A list of words, separated by spaces. */
export const words = <V extends string>(name: string): Column<V[]> =>
  column<V[]>('text', {
    encode: (value) => value.join(' '),
    decode: (stored) => (stored === '' ? [] : String(stored).split(' ')) as V[],
  })(name);

export const nullable = <V extends string | number>({ name, type }: Column<V>) =>
  ({ name, type, isNullable: true }) as Column<V | null>;

export const updatedSeparately = <V>(column: Column<V>): Column<V> => ({
  ...column,
  isUpdatedSeparately: true,
});

/** A column of a table whose rows are `Row` in the domain. */
export interface TableColumn<Row> extends StoredColumn {
  /** The property that it stores; null for a computed column, which is written but never read. */
  readonly property: string | null;
  readonly encode?: (value: never) => SqlValue;
  readonly decode?: (stored: SqlValue) => unknown;
  readonly compute?: (row: Row) => SqlValue;
}

export interface Table<Row> {
  readonly name: string;
  /** The columns of the primary key, in order. */
  readonly key: readonly string[];
  readonly columns: readonly TableColumn<Row>[];
  /** The columns written from a row: not `realm_id`, nor those updated separately. */
  readonly written: readonly TableColumn<Row>[];
  /** The columns that make up a row when it is read. */
  readonly read: readonly (TableColumn<Row> & { readonly property: string })[];
}

/** A column for each property of a row. */
type Columns<Row> = { readonly [P in keyof Row & string]: Column<Row[P]> };

const REALM_ID = 'realm_id';

/** A table whose rows belong to realms: `realm_id` is its first column and leads its key. */
export function realmTable<Row extends object>(
  name: string,
  key: readonly string[],
  described: Columns<Row>,
): Table<Row> {
  const table = globalTable(name, [REALM_ID, ...key], described);
  if (table.columns.some((one) => one.name === REALM_ID)) return table;
  return { ...table, columns: [{ ...text(REALM_ID), property: null }, ...table.columns] };
}

/** A table whose rows belong to no realm. */
export function globalTable<Row extends object>(
  name: string,
  key: readonly string[],
  described: Columns<Row>,
): Table<Row> {
  const properties = Object.entries(described) as [string, Column<unknown>][];
  const columns = properties.map(([property, one]) => ({ ...one, property }));
  const written = columns.filter((one) => one.name !== REALM_ID && !one.isUpdatedSeparately);
  return { name, key, columns, written, read: columns };
}

/** The table with one more column, whose value is computed from a row when it is written. */
export function withComputed<Row>(
  table: Table<Row>,
  column: StoredColumn,
  compute: (row: Row) => SqlValue,
): Table<Row> {
  const computed = { ...column, property: null, compute };
  return {
    ...table,
    columns: [...table.columns, computed],
    written: [...table.written, computed],
  };
}

/** The SQL of a column's value as it is carried. */
const carried = ({ hex }: Dialect, { name, type, isNullable }: StoredColumn, of = ''): string => {
  // By its own name, PostgreSQL would sort rows by the text.
  if (type === 'id') return `CAST(${of}${name} AS TEXT) AS ${name}_text`;
  if (type !== 'bytes') return `${of}${name}`;
  // SQLite turns null into an empty text.
  const text = hex(`${of}${name}`);
  return isNullable ? `CASE WHEN ${of}${name} IS NOT NULL THEN ${text} END` : text;
};

/** What to select for whole rows, or of a table with an alias. */
export const columnsOf = (dialect: Dialect, { read }: Table<never>, alias = ''): string =>
  read.map((column) => carried(dialect, column, alias && `${alias}.`)).join(', ');

/** The same for rows that may be damaged. */
export const checkedColumns = (dialect: Dialect, { read }: Table<never>): string =>
  read
    .map((column) =>
      column.type === 'integer' ? dialect.integer(column.name) : carried(dialect, column),
    )
    .join(', ');

/** Every column of a table, as its value is carried. */
export const carriedColumns = (dialect: Dialect, { columns }: Table<never>): string =>
  columns.map((column) => carried(dialect, column)).join(', ');

/** The row of the domain, from the values of its columns, which start at an index. */
export function decodeRow<Row>({ read }: Table<Row>, values: readonly SqlValue[], from = 0): Row {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < read.length; index++) {
    const { property, decode } = read[index] as Table<Row>['read'][number];
    const value = values[from + index] ?? null;
    row[property] = decode ? decode(value) : value;
  }
  return row as Row;
}

/** Reads the value that each column stores of a row, in the order of `written`. */
export const valuesOf = <Row>({ written }: Table<Row>): ((row: Row) => SqlValue)[] =>
  written.map(({ property, encode, compute }) => {
    if (compute) return compute;
    const value = (row: Row) => row[property as keyof Row] as never;
    return encode ? (row) => encode(value(row)) : value;
  });
