/**
 * How a column is stored and carried. An `integer` is a safe integer. An `id` has 64 bits, more
 * than a JavaScript number holds, so it is carried as decimal text; `bytes` are carried as
 * hexadecimal text, and a `boolean` is stored as 0 or 1.
 */
export type ColumnType = 'text' | 'integer' | 'id' | 'boolean' | 'bytes';

/** What the databases say differently. All other SQL is the same text for both. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** The n-th parameter of a statement. */
  parameter(n: number): string;
  /** The values of a list, as a table with the columns `place`, from 0 on, and `value`. */
  list(parameter: string, type: 'text' | 'bigint', alias?: string): string;
  /** Whether a column has one of the values of a list. */
  isIn(column: string, parameter: string, type: 'text' | 'bigint'): string;
  /** For each row before it, looks up the rows of a table that the condition names by an index. */
  each(table: string, alias: string, condition: string): string;
  /** The same; a row that has none stays, with nulls. */
  eachOrNone(table: string, alias: string, condition: string): string;
  /** For each row before it, looks up the `:limit` rows with the highest `seq`, from `:from` on. */
  newest(table: string, alias: string, condition: string): string;
  /** Bytes as hexadecimal text, and back. */
  hex(column: string): string;
  bytes(text: string): string;
  /** An integer that may be damaged: one of another type, or beyond 2^53, is still a number. */
  integer(column: string): string;
  /** A field of a JSON text, as text. */
  field(json: string, name: string): string;
  /** Keeps rows as they are until the transaction ends. SQLite has locked all of them. */
  readonly lock: string;
  /** Names the index that SQLite has to use. PostgreSQL has no such hint, and needs none. */
  using(index: string): string;
  /** The sum of two texts of digits, of any length. */
  sum(a: string, b: string): string;
  /** The sum of all rows of such texts, as text. */
  total(column: string): string;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly now: string;
  /** The same of an instant as JavaScript writes it. */
  millis(instant: string): string;
  /** The words of data definitions. */
  readonly types: Readonly<Record<ColumnType, string>>;
  /** How the rows of a table are stored; by primary key unless told otherwise. */
  storage(layout: Layout | undefined): string;
}

/** In the order of insertion, or with pages that are filled up to a percentage. */
export type Layout = 'by age' | number;

export const sqlite: Dialect = {
  name: 'sqlite',
  parameter: (n) => `?${n}`,
  list: (parameter, _type, alias = 'list') =>
    `(SELECT key AS place, value FROM json_each(${parameter})) ${alias}`,
  isIn: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  each: (table, alias, condition) => `CROSS JOIN ${table} ${alias} ON ${condition}`,
  eachOrNone: (table, alias, condition) => `LEFT JOIN ${table} ${alias} ON ${condition}`,
  newest: (table, alias, condition) =>
    `CROSS JOIN ${table} ${alias} ON ${condition} AND ${alias}.seq >= coalesce(
       (SELECT seq FROM ${table} ${alias} WHERE ${condition} AND seq >= :from
        ORDER BY seq DESC LIMIT 1 OFFSET :limit - 1), :from)`,
  hex: (column) => `lower(hex(${column}))`,
  bytes: (text) => `unhex(${text})`,
  integer: (column) =>
    `CASE typeof(${column}) WHEN 'integer' THEN CAST(${column} AS REAL)
       WHEN 'null' THEN NULL ELSE -1e18 END`,
  field: (json, name) => `${json} ->> '$.${name}'`,
  lock: '',
  using: (index) => `INDEXED BY ${index}`,
  sum: (a, b) => `iif(${b} = '0', ${a}, sum_of(${a}, ${b}))`,
  total: (column) => `total_of(${column})`,
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  millis: (instant) => `CAST(round(unixepoch(${instant}, 'subsec') * 1000) AS INTEGER)`,
  types: { text: 'TEXT', integer: 'INTEGER', id: 'INTEGER', boolean: 'INTEGER', bytes: 'BLOB' },
  storage: (layout) => (layout === 'by age' ? 'STRICT' : 'STRICT, WITHOUT ROWID'),
};

export const postgres: Dialect = {
  name: 'postgres',
  parameter: (n) => `$${n}`,
  list: (parameter, type, alias = 'list') =>
    `(SELECT place - 1 AS place, value
      FROM unnest(${parameter}::${type}[]) WITH ORDINALITY AS listed(value, place)) ${alias}`,
  isIn: (column, parameter, type) => `${column} = ANY (${parameter}::${type}[])`,
  // The planner turns no subquery with OFFSET into a join, which it would plan by statistics.
  each: (table, alias, condition) =>
    `CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} OFFSET 0) ${alias}`,
  eachOrNone: (table, alias, condition) =>
    `LEFT JOIN LATERAL
       (SELECT * FROM ${table} ${alias} WHERE ${condition} OFFSET 0) ${alias} ON true`,
  newest: (table, alias, condition) =>
    `CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} AND seq >= :from
       ORDER BY seq DESC LIMIT :limit) ${alias}`,
  hex: (column) => `encode(${column}, 'hex')`,
  bytes: (text) => `decode(${text}, 'hex')`,
  integer: (column) => column,
  field: (json, name) => `(${json}::json ->> '${name}')`,
  lock: 'FOR UPDATE',
  using: () => '',
  sum: (a, b) => `(${a}::numeric + ${b}::numeric)::text`,
  total: (column) => `coalesce(sum(${column}::numeric), 0)::text`,
  // Not `clock_timestamp()`: a cluster refuses functions that differ from row to row in an update.
  now: '(extract(epoch FROM now()) * 1000)::bigint',
  millis: (instant) => `(extract(epoch FROM (${instant})::timestamptz) * 1000)::bigint`,
  types: {
    text: 'text COLLATE "C"',
    integer: 'bigint',
    id: 'bigint',
    boolean: 'smallint',
    bytes: 'bytea',
  },
  storage: (layout) => (typeof layout === 'number' ? `WITH (fillfactor = ${layout})` : ''),
};

/** A statement as one database prepares it. */
export interface Prepared {
  text: string;
  names: readonly string[];
}

const PARAMETER = /(?<![:\w]):([a-zA-Z]\w*)/g;

/** Numbers the parameters of a text. */
export function prepare(dialect: Dialect, text: string, names: string[] = []): Prepared {
  const numbered = text.replaceAll(PARAMETER, (_, name: string) => {
    const index = names.indexOf(name);
    return dialect.parameter(index < 0 ? names.push(name) : index + 1);
  });
  return { text: numbered, names };
}
