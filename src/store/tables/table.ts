/** A value as both databases take and return it. */
export type SqlValue = string | number | null;

/**
 * How a column is stored and carried. An `integer` is a safe integer. An `id` has 64 bits, more
 * than a JavaScript number holds, so it is carried as decimal text; `bytes` are carried as
 * hexadecimal text, and a `boolean` is stored as 0 or 1.
 */
export type ColumnType = 'text' | 'integer' | 'id' | 'boolean' | 'bytes';

/** A column for a property of type `Value`. Without a codec, the value is stored as it is. */
interface Column<Value> {
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
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
export const boolean = column<boolean>('boolean', {
  encode: Number,
  decode: (stored) => stored === 1,
});

/** An object as JSON. A row written before a property was added takes its default. */
export const json = <V extends object>(name: string, defaults: V): Column<V> =>
  column<V>('text', {
    encode: (value) => JSON.stringify(value),
    decode: (stored) => ({ ...defaults, ...JSON.parse(String(stored)) }),
  })(name);

/** A list of words, separated by spaces. */
export const words = <V extends string>(name: string): Column<V[]> =>
  column<V[]>('text', {
    encode: (value) => value.join(' '),
    decode: (stored) => String(stored).split(' ') as V[],
  })(name);

export const nullable = <V extends string | number>({ name, type }: Column<V>) =>
  ({ name, type, isNullable: true }) as Column<V | null>;

/** A column of a table whose rows are `Row` in the domain. */
export interface TableColumn<Row> {
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
  /** The property read from the column; null for one that is written but never read. */
  readonly property: string | null;
  /** What is stored for a row. */
  readonly value: (row: Row) => SqlValue;
  readonly decode?: (stored: SqlValue) => unknown;
}

export interface Table<Row> {
  readonly name: string;
  /** The columns of the primary key, in order. */
  readonly key: readonly string[];
  /** Every column. */
  readonly columns: readonly TableColumn<Row>[];
  /** The columns written from a row: not `realm_id`, nor those updated separately. */
  readonly written: readonly TableColumn<Row>[];
  /** The columns that make up a row when it is read. */
  readonly read: readonly ReadColumn<Row>[];
}

type ReadColumn<Row> = TableColumn<Row> & { readonly property: string };

interface Description<Row> {
  /** The primary key, after `realm_id`. */
  key: readonly string[];
  /** A column for each property. */
  columns: { readonly [P in keyof Row & string]: Column<Row[P]> };
  /** Columns computed from a row when it is written. */
  computed?: readonly TableColumn<Row>[];
  /** Properties that have a statement of their own, and that a write of the row leaves alone. */
  updatedSeparately?: readonly (keyof Row)[];
}

export const computed = <Row>(
  { name, type, isNullable }: Pick<Column<never>, 'name' | 'type' | 'isNullable'>,
  value: (row: Row) => SqlValue,
): TableColumn<Row> => ({ name, type, isNullable, property: null, value });

const REALM_ID = 'realm_id';

/** A table whose rows belong to realms: `realm_id` is its first column and leads its key. */
export function realmTable<Row extends object>(
  name: string,
  description: Description<Row>,
): Table<Row> {
  const key = [REALM_ID, ...description.key];
  const { columns, ...table } = globalTable(name, { ...description, key });
  if (columns.some((one) => one.name === REALM_ID)) return { ...table, columns };
  return { ...table, columns: [computed(text(REALM_ID), () => null), ...columns] };
}

/** A table whose rows belong to no realm. */
export function globalTable<Row extends object>(
  name: string,
  { key, columns: described, computed = [], updatedSeparately = [] }: Description<Row>,
): Table<Row> {
  const properties = Object.entries(described) as [keyof Row & string, Column<never>][];
  const columns = [...properties.map(([property, one]) => bind<Row>(property, one)), ...computed];
  const separate = new Set<unknown>(updatedSeparately);
  return {
    name,
    key,
    columns,
    written: columns.filter((one) => one.name !== REALM_ID && !separate.has(one.property)),
    read: columns.filter((one): one is ReadColumn<Row> => one.property !== null),
  };
}

function bind<Row>(
  property: keyof Row & string,
  { encode, ...column }: Column<never>,
): TableColumn<Row> {
  const plain = (row: Row) => row[property] as never;
  return { ...column, property, value: encode ? (row) => encode(plain(row)) : plain };
}

/** The table with one more column, whose value is written along with a row. */
export const withColumn = <Row, Extra>(
  table: Table<Row>,
  extra: TableColumn<Row & Extra>,
): Table<Row & Extra> => ({
  ...table,
  columns: [...table.columns, extra],
  written: [...table.written, extra],
});

/** A row as a database returns it: encoded, with each column named as its property. */
export type Stored<Row> = Readonly<Record<keyof Row & string, SqlValue>>;

/** The row of the domain. Whatever else was selected is left out. */
export function decode<Row>({ read }: Table<Row>, stored: Stored<Row>): Row {
  const row: Record<string, unknown> = {};
  for (const { property, decode } of read) {
    const value = stored[property as keyof Row & string];
    row[property] = decode ? decode(value) : value;
  }
  return row as Row;
}

/** SQL that turns a column of bytes into lower-case hexadecimal text. */
export type ToHex = (column: string) => string;

/** The SQL of a column's value as it is carried. */
export function carried({ name, type }: TableColumn<never>, toHex: ToHex): string {
  if (type === 'id') return `CAST(${name} AS TEXT)`;
  return type === 'bytes' ? toHex(name) : name;
}

/** What to select for `decode`. */
export const selectList = (table: Table<never>, toHex: ToHex): string =>
  table.read
    .map((one) => {
      const value = carried(one, toHex);
      return value === one.property ? value : `${value} AS "${one.property}"`;
    })
    .join(', ');
