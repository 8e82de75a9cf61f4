import type { Housekeeping } from '../../engine/store.ts';
import type { Table } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';
import { asyncTransaction } from './async-transaction.ts';
import type { Connection } from './connection.ts';
import type { ExclusivePool } from './pools.ts';
import { sql as projectorSql } from './projections/projector-statements.ts';
import { type Sql, type Statement, statement } from './statement.ts';

/** Few enough rows in one transaction not to delay writers. */
const ROWS_AT_ONCE = 2_000;

const MIN_BIGINT = String(-(2n ** 63n));

/** The columns of a primary key behind the realm's id, with their types. */
type Key = Record<string, 'text' | 'bigint'>;

const sql = {
  // Whoever has the lock makes the next step, and nobody removes the realm itself meanwhile.
  lockDeleted: statement<unknown, [string]>(
    'SELECT 1 FROM realms WHERE realm_id = $1 AND deleted_at IS NOT NULL FOR UPDATE',
  ),
  removeRealm: statement<never, [string]>(
    'DELETE FROM realms WHERE realm_id = $1 AND deleted_at IS NOT NULL',
  ),
  someKeys: statement<{ key_id: string }, [string]>(
    `SELECT key_id FROM api_keys WHERE realm_id = $1 ORDER BY key_id LIMIT ${ROWS_AT_ONCE}`,
  ),
  removeFromDirectory: statement<never, [string[]]>(
    'DELETE FROM key_directory WHERE key_id = ANY ($1::text[])',
  ),
  removeSessions: statement<never, [string[]]>(
    'DELETE FROM sessions WHERE key_id = ANY ($1::text[])',
  ),
  removeKeys: statement<never, [string, string[]]>(
    'DELETE FROM api_keys WHERE realm_id = $1 AND key_id = ANY ($2::text[])',
  ),
  removePosition: statement<never, [string]>(
    'DELETE FROM projection_positions WHERE realm_id = $1',
  ),
};

/** The statements that remove a realm's rows from one table, from a key on. */
interface Removal {
  /** Precedes or equals every key. */
  first: Sql[];
  /** The key of the last row of the next step; none if all that is left fits into one. */
  last: Statement<Record<string, string>, Sql[]>;
  upTo: Statement<never, Sql[]>;
  rest: Statement<never, Sql[]>;
}

/** By ranges of the primary key: on a cluster a row's ctid is of no use. */
function removalFrom(table: string, key: Key): Removal {
  const names = Object.keys(key);
  const types = Object.values(key);
  const columns = names.map((name) => `${table}.${name}`).join(', ');
  const parameters = (before: number) =>
    types.map((type, index) => `$${before + index + 1}::${type}`).join(', ');
  const rest = `FROM ${table} WHERE realm_id = $1 AND (${columns}) >= (${parameters(1)})`;
  return {
    first: types.map((type) => (type === 'text' ? '' : MIN_BIGINT)),
    last: statement(
      `SELECT ${names.map((name, index) => `${name}::text AS key${index}`).join(', ')} ${rest}
       ORDER BY ${columns} OFFSET ${ROWS_AT_ONCE - 1} LIMIT 1`,
    ),
    upTo: statement(`DELETE ${rest} AND (${columns}) <= (${parameters(1 + names.length)})`),
    rest: statement(`DELETE ${rest}`),
  };
}

function keyOf({ key, columns }: Table<never>): Key {
  const typeOf = (name: string) =>
    columns.find((column) => column.name === name)?.type === 'text' ? 'text' : 'bigint';
  return Object.fromEntries(key.slice(1).map((name) => [name, typeOf(name)]));
}

const { realms: _realms, apiKeys: _apiKeys, ...others } = tables;

const fromTables = Object.values(others).map((table) => removalFrom(table.name, keyOf(table)));

const fromProjections = [
  removalFrom('entries', { member_id: 'bigint', realm_point_id: 'text', seq: 'bigint' }),
  removalFrom('movements', { realm_point_id: 'text', type: 'text', seq: 'bigint' }),
  removalFrom('standings', { leaderboard: 'text', member_id: 'bigint' }),
  removalFrom('rank_buckets', { leaderboard: 'text', lower: 'bigint' }),
  removalFrom('member_words', { word: 'text', member_id: 'bigint' }),
  removalFrom('member_names', { member_id: 'bigint' }),
  removalFrom('daily_totals', { day: 'bigint', realm_point_id: 'text' }),
];

/**
 * Removes deleted realms. What a crash of the server undoes is removed again, so no step waits for
 * the disk.
 */
export function realmRemoval(
  pool: ExclusivePool,
): Pick<Housekeeping, 'removeRealmRows' | 'removeRealmProjections' | 'removeRealm'> {
  const rows = new Sweep(fromTables);
  const projections = new Sweep(fromProjections);
  /** Makes a step, unless the id is free or has a new realm: another node was faster. */
  const step = (
    realmId: string,
    remove: (connection: Connection) => Promise<boolean>,
  ): Promise<boolean> =>
    pool.useInBackground((connection) =>
      asyncTransaction(connection, async () => {
        const deleted = await connection.query(sql.lockDeleted, realmId);
        return deleted.length > 0 && remove(connection);
      }),
    );
  return {
    removeRealmRows: (realmId) =>
      step(
        realmId,
        async (connection) =>
          (await removeKeys(connection, realmId)) || (await rows.step(connection, realmId)),
      ),
    removeRealmProjections: (realmId) =>
      step(realmId, async (connection) => {
        // A projector that started before the realm was deleted may still be writing.
        await connection.query(projectorSql.lock, realmId);
        if (await projections.step(connection, realmId)) return true;
        await connection.change(sql.removePosition, realmId);
        return false;
      }),
    removeRealm: async (realmId) => {
      await pool.useInBackground((connection) => connection.change(sql.removeRealm, realmId));
    },
  };
}

/** The directory of keys and the sessions have no realms: their rows are found by the keys. */
async function removeKeys(connection: Connection, realmId: string): Promise<boolean> {
  const keys = (await connection.query(sql.someKeys, realmId)).map(({ key_id }) => key_id);
  if (keys.length === 0) return false;
  await connection.change(sql.removeFromDirectory, keys);
  await connection.change(sql.removeSessions, keys);
  await connection.change(sql.removeKeys, realmId, keys);
  return keys.length === ROWS_AT_ONCE;
}

/** Where a removal goes on: before it there are only dead rows, which would be read each time. */
interface Place {
  table: number;
  from: Sql[];
}

/** Removes the rows of deleted realms from some tables, a step at a time. */
class Sweep {
  readonly #removals: readonly Removal[];
  readonly #places = new Map<string, Place>();

  constructor(removals: readonly Removal[]) {
    this.#removals = removals;
  }

  /**
   * Returns whether another step is needed. The last one starts at the first row: it finds what a
   * crash of the server has undone, and what was left by an earlier realm's place.
   */
  async step(connection: Connection, realmId: string): Promise<boolean> {
    const place = this.#places.get(realmId);
    const next = await this.#removeFrom(place, connection, realmId);
    if (next) this.#places.set(realmId, next);
    else this.#places.delete(realmId);
    return next !== null || place !== undefined;
  }

  /** Null if nothing is left behind the place. */
  async #removeFrom(
    place: Place | undefined,
    connection: Connection,
    realmId: string,
  ): Promise<Place | null> {
    const start = place?.table ?? 0;
    for (const [index, { first, last, upTo, rest }] of this.#removals.slice(start).entries()) {
      const from = (index === 0 && place?.from) || first;
      const [end] = await connection.query(last, realmId, ...from);
      if (end) {
        const to = Object.values(end);
        await connection.change(upTo, realmId, ...from, ...to);
        return { table: start + index, from: to };
      }
      await connection.change(rest, realmId, ...from);
    }
    return null;
  }
}
