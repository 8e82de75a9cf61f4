import type { Dialect } from './dialect.ts';
import type { SqlValue, Table } from './table.ts';

/** The arguments of a statement by name; a list is one for `Dialect.list`. */
export type Params = Readonly<Record<string, SqlValue | readonly SqlValue[]>>;

/** The text of a statement, the same for both databases but for what the dialect says. */
export type Text = string | ((dialect: Dialect) => string);

type Decode<Row> = (values: readonly SqlValue[]) => Row;

/** A statement with parameters such as `:realmId`, which each connection prepares once. */
export interface Statement<Row, P extends Params> {
  readonly text: Text;
  /** Whether its result is the number of rows changed. */
  readonly isChange: boolean;
  /** Makes a row of its values; absent where a row is an object by the names of its columns. */
  readonly decode?: Decode<Row> | undefined;
  /** Never set: it carries the type. */
  readonly takes?: (params: P) => void;
}

/** A look-up of rows by a key, which is made for each of many keys of many realms. */
export interface LookUp<Row> {
  /** Has `:realm` and `:key`, and further parameters that are the same for all keys. */
  readonly select: Text;
  readonly keyType: 'text' | 'bigint';
  readonly decode: Decode<Row>;
}

/** Writes rows of one table, each with its realm. */
export interface RowWrite<Row> {
  readonly table: Table<Row>;
  readonly verb: 'insert' | 'upsert' | 'update' | 'delete';
  /** What follows the values of an insertion in place of the usual end. */
  readonly end?: Text | undefined;
}

export interface OfRealm<Row> {
  realmId: string;
  row: Row;
}

/** What an operation asks of the database. */
export type Ask =
  | { readonly statement: Statement<unknown, never>; readonly params: Params }
  | {
      readonly lookUp: LookUp<unknown>;
      readonly realmIds: readonly string[];
      readonly keys: readonly SqlValue[];
      readonly params: Params;
    }
  | { readonly write: RowWrite<never>; readonly rows: readonly OfRealm<unknown>[] };

/** An `Ask` with the type of its result. */
export type Asked<Result> = Ask & { readonly returns?: () => Result };

/**
 * An operation of the store, the same for both databases: a generator that yields what it asks,
 * several at once where they are independent. The driver of SQLite executes them at once, that of
 * PostgreSQL sends them as one pipeline.
 */
export type Operation<T> = Generator<readonly Ask[], T, readonly unknown[]>;

/** Every statement of this program, so that tests can look at their plans. */
export const statements: Statement<unknown, never>[] = [];
export const lookUps: LookUp<unknown>[] = [];

export function query<Row, P extends Params = Params>(
  text: Text,
  decode?: Decode<Row>,
): Statement<Row, P> {
  const made: Statement<Row, P> = { text, isChange: false, decode };
  statements.push(made);
  return made;
}

export function change<P extends Params = Params>(text: Text): Statement<never, P> {
  const made: Statement<never, P> = { text, isChange: true };
  statements.push(made);
  return made;
}

export function lookUp<Row>(
  keyType: LookUp<Row>['keyType'],
  select: Text,
  decode: Decode<Row>,
): LookUp<Row> {
  const made = { select, keyType, decode };
  lookUps.push(made);
  return made;
}

export const ask = <Row, P extends Params>(
  statement: Statement<Row, P>,
  params: P,
): Asked<Row[]> => ({ statement, params });

export const askChange = <P extends Params>(
  statement: Statement<never, P>,
  params: P,
): Asked<number> => ({ statement, params });

export const askRows = <Row>(
  which: LookUp<Row>,
  realmIds: readonly string[],
  keys: readonly SqlValue[],
  params: Params = {},
): Asked<OfRealm<Row>[]> => ({ lookUp: which, realmIds, keys, params });

export const askWrite = <Row>(
  write: RowWrite<Row>,
  rows: readonly OfRealm<Row>[],
): Asked<number> => ({ write: write as RowWrite<never>, rows });

type Results<Asks extends readonly Asked<unknown>[]> = {
  -readonly [Index in keyof Asks]: Asks[Index] extends Asked<infer Result> ? Result : never;
};

/** Asks all of these at once. */
export function* together<const Asks extends readonly Asked<unknown>[]>(
  ...asks: Asks
): Operation<Results<Asks>> {
  return (yield asks) as Results<Asks>;
}

export function* all<Row, P extends Params>(
  statement: Statement<Row, P>,
  params: P,
): Operation<Row[]> {
  return (yield [{ statement, params }])[0] as Row[];
}

export function* first<Row, P extends Params>(
  statement: Statement<Row, P>,
  params: P,
): Operation<Row | undefined> {
  return ((yield [{ statement, params }])[0] as Row[])[0];
}

/** The same, with null in place of no row. */
export function* firstOrNull<Row, P extends Params>(
  statement: Statement<Row, P>,
  params: P,
): Operation<Row | null> {
  return (yield* first(statement, params)) ?? null;
}

export function* run<P extends Params>(
  statement: Statement<never, P>,
  params: P,
): Operation<number> {
  return (yield [{ statement, params }])[0] as number;
}

type Operations = { readonly [name: string]: (argument: never) => Operation<unknown> };

type ResultOf<O> = O extends (argument: never) => Operation<infer T> ? T : never;

type Calls<O extends Operations> = {
  [Name in keyof O]: (
    argument: Parameters<O[Name]>[0],
    part?: unknown,
  ) => ResultOf<O[Name]> | Promise<ResultOf<O[Name]>>;
};

/** Each operation of a table as a call that runs it; `part` is of the database that it is for. */
export const callsOf = <O extends Operations>(
  operations: O,
  run: (operation: () => Operation<unknown>, name: string, part?: never) => unknown,
): Calls<O> => {
  const calls = Object.entries(operations).map(([name, operation]) => [
    name,
    (argument: never, part?: never) => run(() => operation(argument), name, part),
  ]);
  return Object.fromEntries(calls);
};
