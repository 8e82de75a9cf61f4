import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Change } from '../../domain/facts.ts';
import type { Table, TableColumn } from '../tables/table.ts';
import { insert, remove, upsert } from './write-statements.ts';

type RowWriter<Row> = (realmId: string, row: Row) => void;
type ChangeListWriter<Row> = (realmId: string, changes: readonly Change<Row>[]) => void;

const namesOf = (columns: readonly TableColumn<never>[]): string =>
  columns.map(({ name }) => name).join(', ');

/** Inserts a row of a realm; fails if its key exists. */
export function rowInserter<Row>(db: DatabaseSync, { name, written }: Table<Row>): RowWriter<Row> {
  return rowWriter(insert(db, name, `realm_id, ${namesOf(written)}`), written);
}

/** Inserts a row of a realm or, if its key exists, updates it. */
export function rowUpserter<Row>(db: DatabaseSync, table: Table<Row>): RowWriter<Row> {
  const isKey = ({ name }: TableColumn<Row>): boolean => table.key.includes(name);
  const key = table.written.filter(isKey);
  const rest = table.written.filter((column) => !isKey(column));
  const statement = upsert(db, table.name, table.key.join(', '), namesOf(rest));
  return rowWriter(statement, [...key, ...rest]);
}

/**
 * Upserts the rows of a realm that changed, and removes those that are null. For tables whose key
 * is one column besides the realm.
 */
export function changeListWriter<Row>(db: DatabaseSync, table: Table<Row>): ChangeListWriter<Row> {
  const upsertRow = rowUpserter(db, table);
  const removeRow = remove(db, table.name, table.key.join(', '));
  return (realmId, changes) => {
    for (const { key, row } of changes) {
      if (row) upsertRow(realmId, row);
      else removeRow.run(realmId, key);
    }
  };
}

function rowWriter<Row>(
  statement: StatementSync,
  columns: readonly TableColumn<Row>[],
): RowWriter<Row> {
  const bindings = columns.map(({ type, value }) =>
    type === 'bytes' ? (row: Row) => Buffer.from(String(value(row)), 'hex') : value,
  );
  return (realmId, row) => {
    statement.run(realmId, ...bindings.map((binding) => binding(row)));
  };
}
