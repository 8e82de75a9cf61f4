import type { ColumnType } from '../dialect.ts';
import { postgres } from '../dialect.ts';
import { orUpdate, textOf as sqlOf } from '../rows.ts';
import type { OfRealm, RowWrite } from '../statement.ts';
import { type Table, type TableColumn, valuesOf } from '../table.ts';
import { arrayText, type PgStatement, statement } from './statement.ts';

/** The types of the arrays that carry values. Bytes are carried as hexadecimal text. */
const carriers: Record<ColumnType, string> = {
  text: 'text',
  integer: 'bigint',
  id: 'bigint',
  boolean: 'smallint',
  bytes: 'text',
};

type Columns = readonly TableColumn<never>[];

type Variant = 'one' | 'many';

/** Any number of rows of one table, written by one statement. */
class Writer {
  readonly #write: RowWrite<never>;
  readonly #texts = new Map<Variant, PgStatement<never, string[]>>();
  readonly #values: ((row: never) => unknown)[];

  constructor(write: RowWrite<never>) {
    this.#write = write;
    const { table, verb } = write;
    const keys = table.key.slice(1);
    this.#values =
      verb === 'delete'
        ? keys.map((_, index) => (row: readonly string[]) => row[index])
        : valuesOf(table);
  }

  of(rows: readonly OfRealm<unknown>[]) {
    const realmId = rows[0]?.realmId ?? '';
    const isOne = rows.every((row) => row.realmId === realmId);
    const variant = isOne ? 'one' : 'many';
    const realms = isOne ? realmId : arrayText(rows.map((row) => row.realmId));
    const arrays = this.#values.map((value) =>
      arrayText(rows.map(({ row }) => value(row as never) as string)),
    );
    const which = this.#texts.getOrInsertComputed(variant, () => statement(this.#text(variant)));
    return { statement: which, values: [realms, ...arrays] };
  }

  #text(variant: Variant): string {
    const { table, verb, end = '' } = this.#write;
    if (verb === 'delete') return deletion(table, variant);
    if (verb === 'update') return update(table, variant);
    return insertion(table, variant, verb === 'insert' ? sqlOf(postgres, end) : orUpdate(table));
  }
}

/** Inserts every column of rows of any table, each column as an array. */
export function insertWhole({ name, columns }: Table<never>): string {
  const names = namesOf(columns);
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${carriers[type]}[]`).join(', ');
  return `INSERT INTO ${name} (${names})
    SELECT ${newValuesOf(columns)} FROM unnest(${arrays}) AS new(${names})`;
}

const writers = new WeakMap<RowWrite<never>, Writer>();

export const writing = (write: RowWrite<never>, rows: readonly OfRealm<unknown>[]) =>
  writers.getOrInsertComputed(write, () => new Writer(write)).of(rows);

function insertion(table: Table<never>, variant: Variant, end: string): string {
  const { names, values, from, realm } = partsOf(table, variant);
  const into = `INSERT INTO ${table.name} (realm_id, ${names})`;
  return `${into} SELECT ${realm}, ${values} FROM ${from} ${end}`;
}

/** Updates the one row that each realm has in a table. */
function update(table: Table<never>, variant: Variant): string {
  const { names, values, from } = partsOf(table, variant);
  const set = `UPDATE ${table.name} SET (${names}) = ROW(${values}) FROM ${from}`;
  // By ctid, which cannot change while the rows are locked: the planner might turn a join by id
  // into a scan of all realms.
  return variant === 'many'
    ? `${set} CROSS JOIN LATERAL
         (SELECT ctid FROM ${table.name} WHERE realm_id = new.realm_id OFFSET 0) found
       WHERE ${table.name}.ctid = found.ctid`
    : `${set} WHERE ${table.name}.realm_id = $1`;
}

/**
 * Removes rows by the rest of their primary key. By ctid the planner scans nothing, but one that
 * another process updates meanwhile, without the realm's lock, would have another and stay.
 */
function deletion(table: Table<never>, variant: Variant): string {
  const keys = table.key.slice(1).map((name) => columnOf(table, name));
  const { from, realm } = parts(keys, variant);
  const found = keys.map(({ name }) => `${table.name}.${name} = new.${name}`).join(' AND ');
  const isMine = `${table.name}.realm_id = ${realm} AND ${found}`;
  const isUpdatedByOthers = table.columns.some((one) => one.isUpdatedSeparately);
  if (isUpdatedByOthers) return `DELETE FROM ${table.name} USING ${from} WHERE ${isMine}`;
  return `DELETE FROM ${table.name} WHERE ctid = ANY (ARRAY(
    SELECT found.ctid FROM ${from} CROSS JOIN LATERAL
      (SELECT ctid FROM ${table.name} WHERE ${isMine} OFFSET 0) found))`;
}

const columnOf = ({ columns }: Table<never>, name: string): TableColumn<never> => {
  const column = columns.find((one) => one.name === name);
  if (!column) throw new Error(`there is no column ${name}`);
  return column;
};

const partsOf = ({ written }: Table<never>, variant: Variant) => parts(written, variant);

function parts(columns: Columns, variant: Variant) {
  const names = namesOf(columns);
  const arrays = columns.map(({ type }, index) => `$${index + 2}::${carriers[type]}[]`).join(', ');
  return {
    names,
    values: newValuesOf(columns),
    realm: variant === 'many' ? 'new.realm_id' : '$1',
    from:
      variant === 'many'
        ? `unnest($1::text[], ${arrays}) AS new(realm_id, ${names})`
        : `unnest(${arrays}) AS new(${names})`,
  };
}

const namesOf = (columns: Columns): string => columns.map(({ name }) => name).join(', ');

const newValuesOf = (columns: Columns): string =>
  columns
    .map(({ name, type }) => (type === 'bytes' ? `decode(new.${name}, 'hex')` : `new.${name}`))
    .join(', ');
