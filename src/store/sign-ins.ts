import { MAX_SESSIONS, type Session } from '../domain/model.ts';
import type { Passkey, Person } from '../domain/person.ts';
import type { OwnerChange, PasskeyUse } from '../ledger/store.ts';
import { owners, passkeys, sessions } from './service-tables.ts';
import { askChange, change, type Operation, run, together } from './statement.ts';
import type { Table } from './table.ts';

// What is written of owners, passkeys and sessions: every export is a call of `Housekeeping`.

type Named = { personId: string };

/** Inserts a row, whose properties are the parameters, unless there is one of its id. */
function insertInto({ name, read }: Table<never>) {
  const columns = read.map((column) => column.name).join(', ');
  const values = read.map(({ property }) => `:${property}`).join(', ');
  return change(`INSERT INTO ${name} (${columns}) VALUES (${values}) ON CONFLICT DO NOTHING`);
}

const ofPeople = {
  insertOwner: insertInto(owners),
  rename: change<Named & { name: string | null }>(
    'UPDATE owners SET name = :name WHERE person_id = :personId',
  ),
  remove: change<Named & { at: number }>(
    'UPDATE owners SET removed_at = :at WHERE person_id = :personId AND removed_at IS NULL',
  ),
  recordOwnerUse: change<Named & { at: number }>(
    `UPDATE owners SET last_seen_at = :at
     WHERE person_id = :personId AND coalesce(last_seen_at, 0) < :at`,
  ),
  insertPasskey: insertInto(passkeys),
  usePasskey: change<PasskeyUse>(
    `UPDATE passkeys SET counter = :counter, last_used_at = :at WHERE passkey_id = :passkeyId
       AND (counter < :counter OR (counter = 0 AND :counter = 0))`,
  ),
  lockPasskeys: change<Named>('UPDATE passkeys SET counter = counter WHERE person_id = :personId'),
  removePasskey: change<Named & { passkeyId: string }>(
    `DELETE FROM passkeys WHERE passkey_id = :passkeyId AND person_id = :personId AND EXISTS
       (SELECT 1 FROM passkeys other
        WHERE other.person_id = :personId AND other.passkey_id <> :passkeyId)`,
  ),
};

export function* createOwner({ role: _, ...owner }: Person): Operation<boolean> {
  return (yield* run(ofPeople.insertOwner, { ...owner })) === 1;
}

export function* changeOwner({ personId, name, removedAt: at }: OwnerChange): Operation<void> {
  yield* together(
    ...(name === undefined ? [] : [askChange(ofPeople.rename, { personId, name })]),
    ...(at === undefined ? [] : [askChange(ofPeople.remove, { personId, at })]),
  );
}

/** In one order, so that processes that record the same ones do not wait for each other. */
export function* recordOwnerUse(uses: { personId: string; at: number }[]): Operation<void> {
  const sorted = uses.toSorted((a, b) => (a.personId < b.personId ? -1 : 1));
  yield* together(...sorted.map((use) => askChange(ofPeople.recordOwnerUse, use)));
}

export function* createPasskey(passkey: Passkey): Operation<boolean> {
  return (yield* run(ofPeople.insertPasskey, { ...passkey })) === 1;
}

/** False if its counter has not gone on: of two with the same, one is of a copy. */
export function* usePasskey(use: PasskeyUse): Operation<boolean> {
  return (yield* run(ofPeople.usePasskey, use)) === 1;
}

/** False if it is the person's last one. Of two removals at once, the second sees the first. */
export function* removePasskey(of: Named & { passkeyId: string }): Operation<boolean> {
  yield* run(ofPeople.lockPasskeys, { personId: of.personId });
  return (yield* run(ofPeople.removePasskey, of)) === 1;
}

const ofSessions = {
  insert: insertInto(sessions),
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

export function* createSession({ isCode, ...session }: Session): Operation<boolean> {
  const { keyId } = session;
  const [inserted] = yield* together(
    askChange(ofSessions.insert, { ...session, isCode: Number(isCode) }),
    askChange(ofSessions.endOldest, { keyId }),
  );
  return inserted === 1;
}

/** A code in place of those that its key or person has. */
export function* replaceCodes(code: Session): Operation<void> {
  yield* run(ofSessions.endCodes, { keyId: code.keyId });
  yield* createSession(code);
}

/** Everything that a person can sign in with, or has signed in with. */
export function* removeAccess(personId: string): Operation<void> {
  yield* together(
    askChange(ofSessions.endAll, { keyId: personId }),
    askChange(ofSessions.removePasskeys, { keyId: personId }),
  );
}

/**
 * If it is repeated because the connection dropped, its own first attempt counts as the end by
 * somebody else: of two who redeem a code, never both succeed.
 */
export function* endSession(sessionId: string): Operation<boolean> {
  return (yield* run(ofSessions.end, { sessionId })) === 1;
}

/** In one order, so that processes that record the same sessions do not wait for each other. */
export function* recordSessionUse(uses: { sessionId: string; at: number }[]): Operation<void> {
  const sorted = uses.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  yield* together(...sorted.map((use) => askChange(ofSessions.recordUse, use)));
}

export const expireSessions = (before: number): Operation<number> =>
  run(ofSessions.expire, { before });
