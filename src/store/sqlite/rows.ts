import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  carried,
  type SqlValue,
  selectList,
  type Table,
  type TableColumn,
} from '../tables/table.ts';

/** A member id as a number; as text it would need a CAST, which keeps indexes from being used. */
type SqlArgument = SqlValue | bigint;

/**
 * Prepares statements on a connection, with typed arguments and results: the only casts of the
 * driver's types.
 */
export const statementsOn = (db: DatabaseSync) => ({
  /** The first row as an object. */
  get<Row, Args extends SqlValue[]>(sql: string): (...args: Args) => Row | undefined {
    const statement = db.prepare(sql);
    return (...args) => statement.get(...args) as Row | undefined;
  },
  /** The first value of the first row. */
  value<Value extends SqlValue, Args extends SqlValue[]>(
    sql: string,
  ): (...args: Args) => Value | undefined {
    const statement = returningArrays(db, sql);
    return (...args) => (statement.get(...args) as unknown as Value[] | undefined)?.[0];
  },
  /** The first value of each row. */
  values<Value extends SqlValue, Args extends SqlValue[]>(sql: string): (...args: Args) => Value[] {
    const statement = returningArrays(db, sql);
    return (...args) =>
      statement.all(...args).map((row) => (row as unknown as Value[])[0] as Value);
  },
  /** All rows as objects. */
  all<Row, Args extends SqlArgument[]>(sql: string): (...args: Args) => Row[] {
    const statement = db.prepare(sql);
    return (...args) => statement.all(...args) as Row[];
  },
  /**
   * All rows as arrays. Node returns objects that are slow to read: measured on a page of 51 rows,
   * arrays take a third less time.
   */
  page<Row extends SqlValue[], Args extends SqlArgument[]>(sql: string): (...args: Args) => Row[] {
    const statement = returningArrays(db, sql);
    return (...args) => statement.all(...args) as unknown as Row[];
  },
  /** All rows, each read when it is asked for. */
  each<Row, Args extends SqlArgument[]>(sql: string): (...args: Args) => Iterable<Row> {
    const statement = db.prepare(sql);
    return (...args) => statement.iterate(...args) as Iterable<unknown> as Iterable<Row>;
  },
  /** The number of rows changed. */
  run<Args extends SqlValue[]>(sql: string): (...args: Args) => number {
    const statement = db.prepare(sql);
    return (...args) => Number(statement.run(...args).changes);
  },
});

function returningArrays(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

const toHex = (column: string): string => `lower(hex(${column}))`;

/** What to select for whole rows. */
export const columnsOf = (table: Table<never>): string => selectList(table, toHex);

/** What to select for some properties of rows. */
export const someOf = <Row>(table: Table<Row>, ...properties: (keyof Row & string)[]): string =>
  selectList(table, toHex, properties);

/** Every column of a table, as its value is carried. */
export const carriedColumns = ({ columns }: Table<never>): string =>
  columns.map((column) => carried(column, toHex)).join(', ');

export interface RowStatement<Row, Args extends SqlValue[]> {
  get(...args: Args): Row | undefined;
  all(...args: Args): Row[];
  /** The same, each row read when it is asked for. */
  iterate(...args: Args): Iterable<Row>;
}

/** Whole rows of a table, or of a subquery on it. What follows in the statement is the caller's. */
export const rowsOf = <Row>(db: DatabaseSync, table: Table<Row>) => ({
  select<Args extends SqlValue[]>(rest: string, from = table.name): RowStatement<Row, Args> {
    const sql = `SELECT ${columnsOf(table)} FROM ${from} ${rest}`;
    const statement = returningArrays(db, sql);
    const row = (values: unknown) => decode(table, values as SqlValue[]);
    return {
      get: (...args) => {
        const values = statement.get(...args);
        return values && row(values);
      },
      all: (...args) => statement.all(...args).map(row),
      *iterate(...args) {
        for (const values of statement.iterate(...args)) yield row(values);
      },
    };
  },
});

/** A row of a realm by the rest of its primary key. */
export const rowByKey = <Row, Key extends SqlValue = string>(
  db: DatabaseSync,
  table: Table<Row>,
): RowStatement<Row, [realmId: string, key: Key]> =>
  rowsOf(db, table).select(`WHERE ${equalTo(table.key)}`);

/** The row of the domain, from its values in the order of the table's `selectList`. */
function decode<Row>({ read }: Table<Row>, values: readonly SqlValue[]): Row {
  const row: Record<string, unknown> = {};
  read.forEach(({ property, decode }, index) => {
    const value = values[index] ?? null;
    row[property] = decode ? decode(value) : value;
  });
  return row as Row;
}

const equalTo = (columns: readonly string[]): string =>
  columns.map((name) => `${name} = ?`).join(' AND ');

const namesIn = (columns: string): string[] => columns.split(', ');

/**
 * Inserts rows. The columns are separated by commas; `end` follows the values. If it is for several
 * rows, a failure rolls the transaction back: to undo the statement alone, SQLite would copy every
 * page before it changes it.
 */
export function insert(
  db: DatabaseSync,
  table: string,
  columns: string,
  end = '',
  rows = 1,
): StatementSync {
  const placeholders = `(${namesIn(columns).fill('?').join(', ')})`;
  const values = Array(rows).fill(placeholders).join(', ');
  const verb = rows > 1 ? 'INSERT OR ROLLBACK' : 'INSERT';
  return db.prepare(`${verb} INTO ${table} (${columns}) VALUES ${values} ${end}`);
}

/** Inserts rows or, where a key exists, updates its row. */
export const upsert = (db: DatabaseSync, table: string, key: string, rest: string): StatementSync =>
  insert(db, table, `${key}, ${rest}`, orUpdate(key, namesIn(rest)));

/** What follows the values so that a row whose key exists is updated. */
export function orUpdate(key: string, rest: readonly string[]): string {
  const updates = rest.map((name) => `${name} = excluded.${name}`);
  return `ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`;
}

export const remove = (db: DatabaseSync, table: string, key: string): StatementSync =>
  db.prepare(`DELETE FROM ${table} WHERE ${equalTo(namesIn(key))}`);

/** Writes rows of a realm. */
type RowsWriter<Row> = (realmId: string, rows: readonly Row[]) => void;

type Bound = SqlValue | Uint8Array;

/** How rows are inserted into a table. */
export interface Insertion<Row> {
  readonly table: string;
  /** Separated by commas. */
  readonly columns: string;
  /** What follows the values. */
  readonly end: string;
  valuesOf(realmId: string, row: Row): Bound[];
}

/** Rows of a statement; an import took this thread 5 % less time with eight than with one. */
const ROWS = 8;

/** Inserts rows, in a transaction. */
export function bulkInserter<Row>(db: DatabaseSync, insertion: Insertion<Row>): RowsWriter<Row> {
  const { table, columns, end, valuesOf } = insertion;
  const one = insert(db, table, columns, end);
  let several: StatementSync | null = null;
  return (realmId, rows) => {
    const rest = rows.length - (rows.length % ROWS);
    for (let from = 0; from < rest; from += ROWS) {
      const values: Bound[] = [];
      for (const row of rows.slice(from, from + ROWS)) values.push(...valuesOf(realmId, row));
      several ??= insert(db, table, columns, end, ROWS);
      several.run(...values);
    }
    for (const row of rows.slice(rest)) one.run(...valuesOf(realmId, row));
  };
}

/** Rows of a table; that the key of one exists is an error, unless `end` says otherwise. */
export function insertionInto<Row>({ name, written }: Table<Row>, end = ''): Insertion<Row> {
  const bindings = written.map(binding);
  return {
    table: name,
    columns: ['realm_id', ...written.map((column) => column.name)].join(', '),
    end,
    valuesOf: (realmId, row) => {
      const values: Bound[] = [realmId];
      for (const bound of bindings) values.push(bound(row));
      return values;
    },
  };
}

/** Rows of a table; where a key exists, its row is updated. */
export function upsertionInto<Row>(table: Table<Row>): Insertion<Row> {
  const names = table.written.map(({ name }) => name);
  const rest = names.filter((name) => !table.key.includes(name));
  return insertionInto(table, orUpdate(table.key.join(', '), rest));
}

/** Inserts a row that belongs to no realm; fails if its key exists. */
export function globalRowInserter<Row>(
  db: DatabaseSync,
  { name, written }: Table<Row>,
): (row: Row) => void {
  const columns = written.map((column) => column.name).join(', ');
  const statement = insert(db, name, columns);
  const bindings = written.map(binding);
  return (row) => {
    statement.run(...bindings.map((bound) => bound(row)));
  };
}

/** What is bound to a column for a row. */
const binding =
  <Row>({ type, property, encode, compute }: TableColumn<Row>) =>
  (row: Row): Bound => {
    if (compute) return compute(row);
    const value = row[property as keyof Row] as never;
    if (type === 'bytes' && value !== null) return Buffer.from(value, 'hex');
    return encode ? encode(value) : value;
  };
