import type { DatabaseSync } from 'node:sqlite';
import type { Housekeeping } from '../../engine/store.ts';
import { tables } from '../tables/tables.ts';
import { transaction } from './database.ts';
import { statementsOn } from './rows.ts';

/** Few enough rows in one transaction not to delay the writer. */
const ROWS_REMOVED_AT_ONCE = 2_000;

/** Whether a realm is deleted but not yet removed. The projections' connection asks the same. */
export const deletedRealmFinder = (db: DatabaseSync): ((realmId: string) => boolean) => {
  const find = statementsOn(db).value<1, [string]>(
    'SELECT 1 FROM realms WHERE realm_id = ? AND deleted_at IS NOT NULL',
  );
  return (realmId) => find(realmId) === 1;
};

/** Removes rows by their primary key, as many as the last parameter says. */
export const boundedDelete = (table: string, key: readonly string[], condition: string): string => {
  const columns = key.join(', ');
  return `DELETE FROM ${table} WHERE (${columns}) IN
    (SELECT ${columns} FROM ${table} WHERE ${condition} LIMIT ?2)`;
};

/**
 * Makes one step of a removal: runs the statements one after another until together they have
 * removed as many rows as a step may; returns whether there may be more.
 */
export function removeStep(
  statements: readonly ((realmId: string, limit: number) => number)[],
  realmId: string,
): boolean {
  let left = ROWS_REMOVED_AT_ONCE;
  for (const remove of statements) {
    left -= remove(realmId, left);
    if (left === 0) return true;
  }
  return false;
}

export function realmRemoval(
  db: DatabaseSync,
): Pick<Housekeeping, 'removeRealmRows' | 'removeRealm'> {
  const sql = statementsOn(db);
  const { realms: _, ...others } = tables;
  // The table of sessions has no realms, so its rows are found by those of the keys.
  const ofKeys = 'key_id IN (SELECT key_id FROM api_keys WHERE realm_id = ?1)';
  const statements = [
    boundedDelete('sessions', ['session_id'], ofKeys),
    ...Object.values(others).map(({ name, key }) => boundedDelete(name, key, 'realm_id = ?1')),
  ].map((text) => sql.run<[string, number]>(text));
  const removeRealm = sql.run<[string]>(
    'DELETE FROM realms WHERE realm_id = ? AND deleted_at IS NOT NULL',
  );
  const isDeleted = deletedRealmFinder(db);
  return {
    // The id may have a new realm by now, if another process has removed the old one.
    removeRealmRows: (realmId) =>
      transaction(db, () => isDeleted(realmId) && removeStep(statements, realmId)),
    removeRealm: (realmId) => {
      removeRealm(realmId);
    },
  };
}
