import type { Following, Housekeeping } from '../../domain/store.ts';
import { statement } from './connection.ts';
import type { Readers } from './database.ts';
import type { KeyDirectory } from './key-directory.ts';

/** Answers or challenges forgotten in one go: few enough to hold up no writer. */
const FORGET_AT_ONCE = 5_000;

/** Other nodes may be at it too: each takes rows that nobody else has. */
const forget = (table: string, time: string) =>
  statement<never, [number]>(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table}
       WHERE ${time} < $1::bigint LIMIT ${FORGET_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
  );

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
  forgetAnswers: forget('remembered', 'at'),
  forgetChallenges: forget('challenges', 'expires_at'),
};

/** Each of these may be done twice without harm, so one whose connection broke is done again. */
export function housekeeping(
  readers: Readers,
  keys: KeyDirectory,
): Omit<Housekeeping, keyof Following> {
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
    forgetAnswers: (before) =>
      readers.read((connection) => connection.change(sql.forgetAnswers, before)),
    forgetChallenges: (before) =>
      readers.read((connection) => connection.change(sql.forgetChallenges, before)),
  };
}
