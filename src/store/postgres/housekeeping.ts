import type { Following, Housekeeping } from '../../domain/store.ts';
import { statement } from './connection.ts';
import type { Readers } from './database.ts';

/** Answers forgotten in one go: few enough to hold up no writer. */
const FORGET_AT_ONCE = 5_000;

const sql = {
  // A row that somebody is writing is left alone: a use noted late is better than a wait.
  touch: statement<never, [string[], number[]]>(
    `UPDATE api_keys k SET last_used_at = used.at
     FROM (SELECT f.*, u.at FROM unnest($1::text[], $2::bigint[]) AS u(key_id, at)
       CROSS JOIN LATERAL (SELECT d.realm_id, d.key_id FROM key_directory d
         WHERE d.key_id = u.key_id OFFSET 0) d
       CROSS JOIN LATERAL (SELECT realm_id, key_id FROM api_keys
         WHERE realm_id = d.realm_id AND key_id = d.key_id AND coalesce(last_used_at, 0) < u.at
         FOR UPDATE SKIP LOCKED) f) used
     WHERE k.realm_id = used.realm_id AND k.key_id = used.key_id`,
  ),
  // Kept by this very call before its connection broke, it counts as kept.
  keepRoot: statement<never, [string]>(
    `INSERT INTO service (name, value) VALUES ('root_key_hash', $1) ON CONFLICT (name)
       DO UPDATE SET value = excluded.value WHERE service.value = excluded.value`,
  ),
  // Other nodes may be at it too: each takes rows that nobody else has.
  forget: statement<never, [number]>(
    `DELETE FROM remembered WHERE ctid = ANY (ARRAY(SELECT ctid FROM remembered
       WHERE at < $1::bigint LIMIT ${FORGET_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
  ),
};

/** Each of these may be done twice without harm, so one whose connection broke is done again. */
export function housekeeping(readers: Readers): Omit<Housekeeping, keyof Following> {
  return {
    touchKeys: async (uses) => {
      const keys = uses.map(({ keyId }) => keyId);
      const times = uses.map(({ at }) => at);
      await readers.read((connection) => connection.change(sql.touch, keys, times));
    },
    keepRootKeyHash: async (hash) =>
      (await readers.read((connection) => connection.change(sql.keepRoot, hash))) === 1,
    forgetAnswers: (before) => readers.read((connection) => connection.change(sql.forget, before)),
  };
}
