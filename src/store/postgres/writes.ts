import { insertRows } from './insert-rows.ts';
import { arrayText, type Statement, statement } from './statement.ts';

type One = string | number | null;

/** How one column of a table is made from what its rows are made from. */
interface Column<V> {
  type: string;
  of: (row: V) => One;
}

type Columns<V> = Record<string, Column<V>>;

const column =
  (type: string) =>
  <V>(of: (row: V) => One): Column<V> => ({ type, of });
export const text = column('text');
export const bigint = column('bigint');
export const smallint = column('smallint');
/** Bytes come as text in hexadecimal. */
export const bytes = column('bytes');

/** The statement about rows of one realm, and the one about rows of several. */
interface Pair {
  one: Statement<never, string[]>;
  many: Statement<never, string[]>;
}

/** Writes many rows of one table by one statement. */
export interface Write<V> extends Pair {
  columns: Column<V>[];
  /** The same where the transaction found its memory right, and nothing where not. */
  guarded: Pair | null;
}

/**
 * A setting of the transaction: whether the memory that a batch was decided by is right, as found
 * at its beginning (optimistic-commit.ts). To fail there would end it as well, but fill the log of
 * the server with what is no failure.
 */
const CACHE_VALID = 'realmkeep.cache_valid';
const cacheValid = `current_setting('${CACHE_VALID}')::boolean`;
export const setCacheValid = (is: string): string =>
  `set_config('${CACHE_VALID}', (${is})::text, true)`;

/** Into a table whose rows lie with their realm. */
export function insert<V>(table: string, columns: Columns<V>, end = ''): Write<V> {
  const { into, values, from } = partsOf(table, columns);
  return {
    columns: Object.values(columns),
    one: insertRows(into, values, from, end),
    many: insertOfMany(table, columns, end),
    guarded: {
      one: insertOfOne(table, columns, ` WHERE ${cacheValid}${end}`),
      many: insertOfMany(table, columns, ` WHERE ${cacheValid}${end}`),
    },
  };
}

/** Into a table where no row of `realms` leads to the place: itself, and what no realm owns. */
export function insertApart<V>(table: string, columns: Columns<V>, end = ''): Write<V> {
  const one = insertOfOne(table, columns, end);
  const many = insertOfMany(table, columns, end);
  return { columns: Object.values(columns), one, many, guarded: null };
}

function insertOfOne(table: string, columns: Columns<never>, end: string): Pair['one'] {
  const { into, values, from } = partsOf(table, columns);
  return statement(`INSERT INTO ${into} SELECT $1, ${values} FROM ${from}${end}`);
}

function insertOfMany(table: string, columns: Columns<never>, end: string): Pair['many'] {
  const { into, values, names, arrays } = partsOf(table, columns);
  return statement(
    `INSERT INTO ${into} SELECT new.realm_id, ${values}
     FROM unnest($1::text[], ${arrays}) AS new(realm_id, ${names})${end}`,
  );
}

function partsOf(table: string, columns: Columns<never>) {
  const names = Object.keys(columns).join(', ');
  const arrays = arraysOf(columns);
  return {
    names,
    arrays,
    into: `${table} (realm_id, ${names})`,
    values: valuesOf(columns),
    from: `unnest(${arrays}) AS new(${names})`,
  };
}

/** The same, whether or not the keys are there. */
export function upsert<V>(table: string, key: Columns<V>, rest: Columns<V>): Write<V> {
  const names = Object.keys(key).join(', ');
  const updates = Object.keys(rest).map((name) => `${name} = excluded.${name}`);
  const end = ` ON CONFLICT (realm_id, ${names}) DO UPDATE SET ${updates.join(', ')}`;
  return insert(table, { ...key, ...rest }, end);
}

/** Writes over the one row that each realm has in a table. */
export function update<V>(table: string, columns: Columns<V>): Write<V> {
  const names = Object.keys(columns).join(', ');
  const values = valuesOf(columns);
  const set = `UPDATE ${table} SET (${names}) = ROW(${values}) FROM`;
  const pair = (end: string): Pair => ({
    one: statement(
      `${set} unnest(${arraysOf(columns)}) AS new(${names}) WHERE ${table}.realm_id = $1${end}`,
    ),
    // By their places, which nobody moves while we have them locked: a join by their names could
    // become a walk over all realms.
    many: statement(
      `${set} unnest($1::text[], ${arraysOf(columns)}) AS new(realm_id, ${names})
       CROSS JOIN LATERAL
         (SELECT ctid FROM ${table} WHERE realm_id = new.realm_id OFFSET 0) found
       WHERE ${table}.ctid = found.ctid${end}`,
    ),
  });
  return {
    columns: Object.values(columns),
    ...pair(''),
    guarded: pair(` AND ${cacheValid}`),
  };
}

/** Removes the rows with these keys. */
export function remove(table: string, key: string): Write<string> {
  const found = (realm: string) =>
    `CROSS JOIN LATERAL (SELECT ctid FROM ${table}
       WHERE realm_id = ${realm} AND ${key} = gone.key OFFSET 0) found`;
  const gone = (from: string) =>
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT found.ctid FROM ${from}))`;
  return {
    columns: [text((row: string) => row)],
    guarded: null,
    one: statement(gone(`unnest($2::text[]) AS gone(key) ${found('$1')}`)),
    many: statement(
      gone(`unnest($1::text[], $2::text[]) AS gone(realm_id, key) ${found('gone.realm_id')}`),
    ),
  };
}

const valuesOf = (columns: Columns<never>): string =>
  Object.entries(columns)
    .map(([name, { type }]) => (type === 'bytes' ? `decode(new.${name}, 'hex')` : `new.${name}`))
    .join(', ');

/** The parameters from the second on: the first one tells the realm. */
const arraysOf = (columns: Columns<never>): string =>
  Object.values(columns)
    .map(({ type }, index) => `$${index + 2}::${type === 'bytes' ? 'text' : type}[]`)
    .join(', ');

/** Rows of one table, and the realm of each. */
export interface RealmRows<V> {
  realmIds: string[];
  rows: V[];
}

/** A statement with all that it is sent with. */
export interface ReadyWrite {
  statement: Statement<never, string[]>;
  /** What to send instead for a batch that was decided by memory; null where there is none. */
  guarded: Statement<never, string[]> | null;
  values: string[];
}

/** What a batch writes to one table: by the statement about one realm, where it is one. */
export function readyWrite<V>(write: Write<V>, { realmIds, rows }: RealmRows<V>): ReadyWrite[] {
  const first = realmIds[0];
  if (first === undefined) return [];
  const values = write.columns.map(({ of }) => arrayText(rows.map(of)));
  const isOne = realmIds.every((realmId) => realmId === first);
  const which = isOne ? 'one' : 'many';
  return [
    {
      statement: write[which],
      guarded: write.guarded?.[which] ?? null,
      values: [isOne ? first : arrayText(realmIds), ...values],
    },
  ];
}
