import { deleteFrom } from './rows.ts';
import {
  type Asked,
  all,
  askChange,
  askWrite,
  change,
  first,
  type Operation,
  query,
  run,
  together,
} from './statement.ts';
import type { Table } from './table.ts';
import { tables } from './tables.ts';

/** Few enough rows in one transaction not to delay writers. */
const ROWS_AT_ONCE = 2_000;

type Some = { realmId: string; limit: number };
type Keys = readonly (readonly string[])[];

/** Removes some rows of a realm from a table, by their keys, and what else belongs to these. */
export function removalFrom(
  table: Table<never>,
  alsoOf: (keys: Keys) => Asked<number>[] = () => [],
): (some: Some) => Operation<number> {
  const columns = table.key.slice(1).map((name) => `CAST(${name} AS TEXT)`);
  const find = query<readonly string[], Some>(
    `SELECT ${columns.join(', ')} FROM ${table.name} WHERE realm_id = :realmId LIMIT :limit`,
    (values) => values as string[],
  );
  const write = deleteFrom(table);
  return function* (some) {
    const { realmId } = some;
    const keys = yield* all(find, some);
    const rows = keys.map((row) => ({ realmId, row }));
    if (rows.length > 0) yield* together(askWrite(write, rows), ...alsoOf(keys));
    return rows.length;
  };
}

const sql = {
  /** The id of a deleted realm may have a new realm by now. */
  lock: query<{ found: number }, { realmId: string }>(
    ({ lock }) =>
      `SELECT 1 AS found FROM realms WHERE realm_id = :realmId AND deleted_at IS NOT NULL ${lock}`,
  ),
  removeRealm: change<{ realmId: string }>(
    'DELETE FROM realms WHERE realm_id = :realmId AND deleted_at IS NOT NULL',
  ),
};

/** What of callers has no realm is found by the ids of the keys or people. */
const ofCallers = ['sessions.key_id', 'passkeys.person_id', 'key_directory.key_id'].map((column) =>
  change<{ keyIds: string[] }>(
    ({ isIn }) => `DELETE FROM ${column.split('.')[0]} WHERE ${isIn(column, ':keyIds', 'text')}`,
  ),
);

const removeCallers = (callers: Table<never>) =>
  removalFrom(callers, (keys) => {
    const keyIds = keys.map(([keyId = '']) => keyId);
    return ofCallers.map((each) => askChange(each, { keyIds }));
  });

const { realms: _realms, apiKeys, people, ...others } = tables;

const removals = [
  removeCallers(apiKeys as Table<never>),
  removeCallers(people as Table<never>),
  ...Object.values(others).map((table) => removalFrom(table as Table<never>)),
];

/**
 * Removes some rows of a deleted realm, from the table of this number on: those before are empty,
 * and to read past the dead rows that PostgreSQL has left in them would take longer each time.
 * Returns the table to go on with; null if nothing is left, or the realm is not deleted.
 */
export function* removeRealmRows(work: {
  realmId: string;
  from: number;
}): Operation<number | null> {
  const { realmId, from } = work;
  if (!(yield* first(sql.lock, { realmId }))) return null;
  let limit = ROWS_AT_ONCE;
  for (const [index, remove] of removals.entries()) {
    if (index >= from) limit -= yield* remove({ realmId, limit });
    if (limit === 0) return index;
  }
  return null;
}

export function* removeRealm(realmId: string): Operation<void> {
  yield* run(sql.removeRealm, { realmId });
}
