import type { Passkey, Person } from '../domain/person.ts';
import type { OwnerChange, PasskeyUse } from '../ledger/store.ts';
import { askChange, change, type Operation, run, together } from './statement.ts';

type Named = { personId: string };

const sql = {
  insertOwner: change(
    `INSERT INTO owners (person_id, name, created_at, last_seen_at, removed_at)
     VALUES (:id, :name, :createdAt, :lastSeenAt, :removedAt) ON CONFLICT DO NOTHING`,
  ),
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
  insertPasskey: change(
    `INSERT INTO passkeys
       (passkey_id, person_id, public_key, counter, user_agent, created_at, last_used_at)
     VALUES (:id, :personId, :publicKey, :counter, :userAgent, :createdAt, :lastUsedAt)
     ON CONFLICT DO NOTHING`,
  ),
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

/** False if there is one of this id. */
export function* createOwner({ role: _, ...owner }: Person): Operation<boolean> {
  return (yield* run(sql.insertOwner, { ...owner })) === 1;
}

export function* changeOwner({ personId, name, removedAt: at }: OwnerChange): Operation<void> {
  yield* together(
    ...(name === undefined ? [] : [askChange(sql.rename, { personId, name })]),
    ...(at === undefined ? [] : [askChange(sql.remove, { personId, at })]),
  );
}

/** In one order, so that processes that record the same ones do not wait for each other. */
export function* recordOwnerUse(uses: { personId: string; at: number }[]): Operation<void> {
  const sorted = uses.toSorted((a, b) => (a.personId < b.personId ? -1 : 1));
  yield* together(...sorted.map((use) => askChange(sql.recordOwnerUse, use)));
}

/** False if somebody has it. */
export function* createPasskey(passkey: Passkey): Operation<boolean> {
  return (yield* run(sql.insertPasskey, { ...passkey })) === 1;
}

/** False if its counter has not gone on: of two with the same, one is of a copy. */
export function* usePasskey(use: PasskeyUse): Operation<boolean> {
  return (yield* run(sql.usePasskey, use)) === 1;
}

/** False if it is the person's last one. Of two removals at once, the second sees the first. */
export function* removePasskey(of: Named & { passkeyId: string }): Operation<boolean> {
  yield* run(sql.lockPasskeys, { personId: of.personId });
  return (yield* run(sql.removePasskey, of)) === 1;
}
