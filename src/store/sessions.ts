import { MAX_SESSIONS, type Session } from '../domain/model.ts';
import { askChange, change, type Operation, run, together } from './statement.ts';

const sql = {
  insert: change(
    `INSERT INTO sessions (session_id, key_id, is_code, secret_hash, created_at, last_used_at,
       expires_at, user_agent)
     VALUES (:id, :keyId, :isCode, :secretHash, :createdAt, :lastUsedAt, :expiresAt, :userAgent)
     ON CONFLICT DO NOTHING`,
  ),
  endOldest: change<{ keyId: string }>(
    `DELETE FROM sessions WHERE key_id = :keyId AND (created_at, session_id) <
       (SELECT created_at, session_id FROM sessions WHERE key_id = :keyId
        ORDER BY created_at DESC, session_id DESC LIMIT 1 OFFSET ${MAX_SESSIONS - 1})`,
  ),
  end: change<{ sessionId: string }>('DELETE FROM sessions WHERE session_id = :sessionId'),
  endCodes: change<{ keyId: string }>('DELETE FROM sessions WHERE key_id = :keyId AND is_code = 1'),
  endAll: change<{ keyId: string }>('DELETE FROM sessions WHERE key_id = :keyId'),
  removePasskeys: change<{ keyId: string }>('DELETE FROM passkeys WHERE person_id = :keyId'),
  recordUse: change<{ sessionId: string; at: number }>(
    `UPDATE sessions SET last_used_at = :at
     WHERE session_id = :sessionId AND last_used_at < :at`,
  ),
  expire: change<{ before: number }>('DELETE FROM sessions WHERE expires_at < :before'),
};

/** False if there is one of its id. */
export function* createSession({ isCode, ...session }: Session): Operation<boolean> {
  const { keyId } = session;
  const [inserted] = yield* together(
    askChange(sql.insert, { ...session, isCode: Number(isCode) }),
    askChange(sql.endOldest, { keyId }),
  );
  return inserted === 1;
}

/** A code in place of those that its key or person has. */
export function* replaceCodes(code: Session): Operation<void> {
  yield* run(sql.endCodes, { keyId: code.keyId });
  yield* createSession(code);
}

/** Everything that a person can sign in with, or has signed in with. */
export function* removeAccess(personId: string): Operation<void> {
  yield* together(
    askChange(sql.endAll, { keyId: personId }),
    askChange(sql.removePasskeys, { keyId: personId }),
  );
}

/**
 * If it is repeated because the connection dropped, its own first attempt counts as the end by
 * somebody else: of two who redeem a code, never both succeed.
 */
export function* endSession(sessionId: string): Operation<boolean> {
  return (yield* run(sql.end, { sessionId })) === 1;
}

/** In one order, so that processes that record the same sessions do not wait for each other. */
export function* recordSessionUse(uses: { sessionId: string; at: number }[]): Operation<void> {
  const sorted = uses.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  yield* together(...sorted.map((use) => askChange(sql.recordUse, use)));
}

export const expireSessions = (before: number): Operation<number> => run(sql.expire, { before });
