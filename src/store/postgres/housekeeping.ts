import type { Housekeeping, Projecting } from '../../engine/store.ts';
import type { Connection } from './connection.ts';
import type { Readers } from './database.ts';
import type { KeyDirectory } from './key-directory.ts';
import { statement } from './statement.ts';

/** Answers or challenges forgotten in one go: few enough to hold up no writer. */
const FORGET_AT_ONCE = 5_000;

/**
 * Other nodes may be at it too: each takes rows that nobody else has. Where the tables are
 * distributed, rows can be taken so from one server at a time: then those of one realm.
 */
const forgetting = (table: string, key: string, time: string) => {
  const oldest = (found: string, where: string) =>
    `ARRAY(SELECT ${found} FROM ${table} WHERE ${where} LIMIT ${FORGET_AT_ONCE}
       FOR UPDATE SKIP LOCKED)`;
  const sql = {
    rows: statement<never, [number]>(
      `DELETE FROM ${table} WHERE ctid = ANY (${oldest('ctid', `${time} < $1::bigint`)})`,
    ),
    realm: statement<{ realm_id: string }, [number]>(
      `SELECT realm_id FROM ${table} WHERE ${time} < $1::bigint LIMIT 1`,
    ),
    ofRealm: statement<never, [string, number]>(
      `DELETE FROM ${table} WHERE realm_id = $1
         AND ${key} = ANY (${oldest(key, `realm_id = $1 AND ${time} < $2::bigint`)})`,
    ),
  };
  return async (connection: Connection, before: number): Promise<number> => {
    if (!connection.isDistributed) return connection.change(sql.rows, before);
    const [found] = await connection.query(sql.realm, before);
    return found ? connection.change(sql.ofRealm, found.realm_id, before) : 0;
  };
};

const forgetAnswers = forgetting('idempotency_keys', 'idempotency_key', 'at');
const forgetChallenges = forgetting('challenges', 'nonce', 'expires_at');

const sql = {
  touch: statement<never, [string, string, number]>(
    `UPDATE api_keys SET last_used_at = $3::bigint
     WHERE realm_id = $1 AND key_id = $2 AND coalesce(last_used_at, 0) < $3::bigint`,
  ),
  // Kept by this very call before its connection broke, it counts as kept.
  keepRoot: statement<never, [string]>(
    `INSERT INTO service (name, value) VALUES ('root_key_hash', $1) ON CONFLICT (name)
       DO UPDATE SET value = excluded.value WHERE service.value = excluded.value`,
  ),
};

/** Each of these may be done twice without harm, so one whose connection broke is done again. */
export function housekeeping(
  readers: Readers,
  keys: KeyDirectory,
): Omit<Housekeeping, keyof Projecting> {
  return {
    touchKeys: async (uses) => {
      const placed = await Promise.all(
        uses.map(async (use) => ({ ...use, realmId: await keys.realmOf(use.keyId) })),
      );
      await readers.read((connection) =>
        Promise.all(
          placed.map(({ realmId, keyId, at }) =>
            realmId === null ? 0 : connection.change(sql.touch, realmId, keyId, at),
          ),
        ),
      );
    },
    keepRootKeyHash: async (hash) =>
      (await readers.read((connection) => connection.change(sql.keepRoot, hash))) === 1,
    forgetAnswers: (before) => readers.read((connection) => forgetAnswers(connection, before)),
    forgetChallenges: (before) =>
      readers.read((connection) => forgetChallenges(connection, before)),
  };
}
