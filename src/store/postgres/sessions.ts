import { MAX_SESSIONS } from '../../domain/model.ts';
import type { SessionMaintenance } from '../../engine/store.ts';
import { sessions } from '../tables/tables.ts';
import type { SharedPool } from './pools.ts';
import { type Sql, statement } from './statement.ts';
import { insertWhole, wholeValues } from './writes.ts';

const sql = {
  insert: statement<never, Sql[]>(`${insertWhole(sessions)} ON CONFLICT DO NOTHING`),
  endOldest: statement<never, [string]>(
    `DELETE FROM sessions WHERE key_id = $1 AND session_id = ANY (ARRAY(SELECT session_id
       FROM sessions WHERE key_id = $1 ORDER BY created_at DESC OFFSET ${MAX_SESSIONS}))`,
  ),
  end: statement<never, [string]>('DELETE FROM sessions WHERE session_id = $1'),
  recordUse: statement<never, [string, number]>(
    `UPDATE sessions SET last_used_at = greatest(last_used_at, $2::bigint)
     WHERE session_id = $1`,
  ),
  expire: statement<never, [number]>('DELETE FROM sessions WHERE expires_at < $1::bigint'),
};

/**
 * Repeated if the connection drops. If an end was carried out before that, it counts as the end by
 * somebody else: of two who redeem a code, never both succeed.
 */
export function sessionMaintenance(pool: SharedPool): SessionMaintenance {
  return {
    createSession: (session) =>
      pool.use(async (connection) => {
        await connection.change(sql.insert, ...wholeValues(sessions, [session]));
        await connection.change(sql.endOldest, session.keyId);
      }),
    endSession: (sessionId) =>
      pool.use(async (connection) => (await connection.change(sql.end, sessionId)) === 1),
    recordSessionUse: async (uses) => {
      await pool.use((connection) =>
        Promise.all(
          uses.map(({ sessionId, at }) => connection.change(sql.recordUse, sessionId, at)),
        ),
      );
    },
    expireSessions: (before) => pool.use((connection) => connection.change(sql.expire, before)),
  };
}
