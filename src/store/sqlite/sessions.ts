import type { DatabaseSync } from 'node:sqlite';
import { MAX_SESSIONS } from '../../domain/model.ts';
import type { SessionMaintenance } from '../../engine/store.ts';
import { sessions } from '../tables/tables.ts';
import { durableTransaction, transaction } from './database.ts';
import { globalRowInserter, statementsOn } from './rows.ts';

export function sessionMaintenance(db: DatabaseSync): SessionMaintenance {
  const sql = statementsOn(db);
  const insert = globalRowInserter(db, sessions);
  const endOldest = sql.run<[string]>(
    `DELETE FROM sessions WHERE session_id IN (SELECT session_id FROM sessions
       WHERE key_id = ? ORDER BY created_at DESC LIMIT -1 OFFSET ${MAX_SESSIONS})`,
  );
  const end = sql.run<[string]>('DELETE FROM sessions WHERE session_id = ?');
  const recordUse = sql.run<[number, string]>(
    'UPDATE sessions SET last_used_at = max(last_used_at, ?) WHERE session_id = ?',
  );
  const expire = sql.run<[number]>('DELETE FROM sessions WHERE expires_at < ?');
  return {
    createSession: (session) =>
      durableTransaction(db, () => {
        insert(session);
        endOldest(session.keyId);
      }),
    endSession: (sessionId) => durableTransaction(db, () => end(sessionId) === 1),
    recordSessionUse: (uses) =>
      transaction(db, () => {
        for (const { sessionId, at } of uses) recordUse(at, sessionId);
      }),
    expireSessions: (before) => expire(before),
  };
}
