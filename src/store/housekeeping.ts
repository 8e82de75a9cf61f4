import { isPersonId } from '../domain/key-format.ts';
import type { Housekeeping, KeyUse, Note } from '../ledger/store.ts';
import { erasePersonalParts } from './erasure.ts';
import { enrolInKinds } from './kind-enrolments.ts';
import { rebuildProjections } from './rebuild.ts';
import { removeRealm, removeRealmRows } from './removal.ts';
import * as signIns from './sign-ins.ts';
import { askChange, change, first, type Operation, query, run, together } from './statement.ts';
import { leaseWebhooks, releaseWebhooks, saveReports } from './webhooks.ts';

/** Rows removed at once: few enough not to delay writers. */
const EXPIRED_AT_ONCE = 5_000;

const sql = {
  recordKeyUse: change<{ realmId: string; keyId: string; at: number }>(
    `UPDATE api_keys SET last_used_at = :at
     WHERE realm_id = :realmId AND key_id = :keyId AND coalesce(last_used_at, 0) < :at`,
  ),
  recordPersonUse: change<{ realmId: string; keyId: string; at: number }>(
    `UPDATE people SET last_seen_at = :at
     WHERE realm_id = :realmId AND person_id = :keyId AND coalesce(last_seen_at, 0) < :at`,
  ),
  // A retry whose first attempt was stored before the connection dropped counts as stored.
  storeNote: change<{ name: string; value: string; replaced: string | null }>(
    `INSERT INTO service (name, value) VALUES (:name, :value) ON CONFLICT (name)
       DO UPDATE SET value = excluded.value WHERE service.value IN (excluded.value, :replaced)`,
  ),
};

/** In the order of the keys, so that processes that record the same ones do not wait crosswise. */
function* recordKeyUse({ uses }: { uses: KeyUse[] }): Operation<void> {
  const sorted = uses.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1));
  const of = ({ keyId }: KeyUse) => (isPersonId(keyId) ? sql.recordPersonUse : sql.recordKeyUse);
  yield* together(...sorted.map((use) => askChange(of(use), { ...use })));
}

function* storeNote(note: Note): Operation<boolean> {
  return (yield* run(sql.storeNote, { ...note })) === 1;
}

/**
 * Removes the oldest rows of a table. PostgreSQL finds them by an index, up to the instant of the
 * last of them. SQLite stores them by age, and passes over those that are later than the newest
 * one: they are of a clock that was ahead.
 */
function expiring(table: string, time: string): (before: number) => Operation<number> {
  const end = query<{ end: number }, { before: number }>(({ name }) =>
    name === 'sqlite'
      ? `SELECT ${time} AS "end" FROM ${table} ORDER BY rowid DESC LIMIT 1`
      : `SELECT ${time} AS "end" FROM ${table} WHERE ${time} < :before
         ORDER BY ${time} LIMIT 1 OFFSET ${EXPIRED_AT_ONCE - 1}`,
  );
  const expire = change<{ before: number; end: number }>(({ name }) =>
    name === 'sqlite'
      ? `DELETE FROM ${table} WHERE ${time} < :before AND rowid IN (SELECT rowid FROM ${table}
           WHERE ${time} <= :end ORDER BY rowid LIMIT ${EXPIRED_AT_ONCE})`
      : `DELETE FROM ${table} WHERE ${time} < :before AND ${time} <= :end`,
  );
  return function* (before) {
    const last = yield* first(end, { before });
    return yield* run(expire, { before, end: last?.end ?? before });
  };
}

type Leaderboard = { realmId: string; leaderboard: string };

const ended = {
  next: query<Leaderboard, { before: number }>(
    `SELECT realm_id AS "realmId", leaderboard FROM rank_buckets WHERE ends_at < :before
     ORDER BY ends_at LIMIT 1`,
  ),
  drop: change<Leaderboard>(
    'DELETE FROM rank_buckets WHERE realm_id = :realmId AND leaderboard = :leaderboard',
  ),
};

/** One leaderboard at a time. The scores of its members are replaced when they earn again. */
function* dropEndedLeaderboards(before: number): Operation<number> {
  const leaderboard = yield* first(ended.next, { before });
  return leaderboard ? yield* run(ended.drop, leaderboard) : 0;
}

/** The calls of a port as operations. */
type Operations<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Operation<Awaited<Result>>
    : never;
};

/**
 * What is written beside commands. Each is one transaction, and can be repeated when the connection
 * drops.
 */
export const housekeeping: Operations<Omit<Housekeeping, 'probe' | 'checkIntegrity'>> = {
  recordKeyUse,
  storeNote,
  expireAnswers: expiring('idempotency_keys', 'at'),
  expireChallenges: expiring('challenges', 'expires_at'),
  ...signIns,
  leaseWebhooks,
  releaseWebhooks,
  saveReports,
  erasePersonalParts,
  removeRealmRows,
  removeRealm,
  enrolInKinds,
  dropEndedLeaderboards,
  rebuildProjections,
};
