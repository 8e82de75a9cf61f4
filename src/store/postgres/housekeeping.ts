import type { Housekeeping } from '../../engine/store.ts';
import { expireOnCluster } from './citus/expire.ts';
import type { Connection } from './connection.ts';
import type { KeyDirectory } from './key-directory.ts';
import type { SharedPool } from './pools.ts';
import { statement } from './statement.ts';

/** Rows removed at once: few enough not to delay writers. */
const EXPIRED_AT_ONCE = 5_000;

/** Other nodes may be removing rows too: each takes rows that no other has locked. */
const expiring = (table: string, key: string, time: string) => {
  const onCluster = expireOnCluster(table, key, time, EXPIRED_AT_ONCE);
  const expire = statement<never, [number]>(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table}
       WHERE ${time} < $1::bigint LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
  );
  return (connection: Connection, before: number): Promise<number> =>
    connection.isDistributed ? onCluster(connection, before) : connection.change(expire, before);
};

const expireAnswers = expiring('idempotency_keys', 'idempotency_key', 'at');
const expireChallenges = expiring('challenges', 'nonce', 'expires_at');

const sql = {
  recordKeyUse: statement<never, [string, string, number]>(
    `UPDATE api_keys SET last_used_at = $3::bigint
     WHERE realm_id = $1 AND key_id = $2 AND coalesce(last_used_at, 0) < $3::bigint`,
  ),
  // A retry whose first attempt was stored before the connection dropped counts as stored.
  storeRootKeyHash: statement<never, [hash: string, replaced: string | null]>(
    `INSERT INTO service (name, value) VALUES ('root_key_hash', $1) ON CONFLICT (name)
       DO UPDATE SET value = excluded.value WHERE service.value IN (excluded.value, $2)`,
  ),
};

/**
 * A row of 256 kB, which has to find space in a table and in the log. The commands of one text are
 * one transaction, and the row is gone at its end. A missing standby delays writes, but does not
 * fail them, so the probe does not wait for it.
 */
const PROBE = `
  SET LOCAL synchronous_commit = local;
  INSERT INTO service (name, value) SELECT 'probe-' || pg_backend_pid(),
    string_agg(md5(random()::text), '') FROM generate_series(1, 8192);
  DELETE FROM service WHERE name = 'probe-' || pg_backend_pid()`;

/** All of these are idempotent, so they are repeated when the connection drops. */
export function housekeeping(
  readers: SharedPool,
  realmOf: KeyDirectory,
): Pick<
  Housekeeping,
  'recordKeyUse' | 'storeRootKeyHash' | 'expireChallenges' | 'expireAnswers' | 'probe'
> {
  return {
    recordKeyUse: async (uses) => {
      const located = await Promise.all(
        uses.map(async (use) => ({ ...use, realmId: await realmOf(use.keyId) })),
      );
      await readers.use((connection) =>
        Promise.all(
          located.map(({ realmId, keyId, at }) =>
            realmId === null ? 0 : connection.change(sql.recordKeyUse, realmId, keyId, at),
          ),
        ),
      );
    },
    storeRootKeyHash: async ({ hash, replaced }) => {
      const store = (connection: Connection) =>
        connection.change(sql.storeRootKeyHash, hash, replaced);
      return (await readers.use(store)) === 1;
    },
    probe: async () => {
      await readers.use((connection) => connection.run(PROBE));
    },
    expireAnswers: (before) => readers.use((connection) => expireAnswers(connection, before)),
    expireChallenges: (before) => readers.use((connection) => expireChallenges(connection, before)),
  };
}
