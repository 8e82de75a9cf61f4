import type { DatabaseSync } from 'node:sqlite';
import type { Hold, HoldStatus } from '../../domain/model.ts';
import type { HoldParams, Reader } from '../../domain/queries.ts';
import { type HoldSource, holdSources } from '../../domain/rules/holds.ts';
import { jsonBytes, type Page, pageOf } from '../../domain/rules/pages.ts';
import { hasRealm } from '../has-realm.ts';
import { tables } from '../tables/tables.ts';
import { rowsOf, statementsOn } from './rows.ts';

const PRESENT = `EXISTS (SELECT 1 FROM members m WHERE m.realm_id = ?1
  AND m.member_id = holds.member_id AND m.status <> 'removed')`;

/** Of holds that are stored as open, those that have expired (1) or have not (0); null for all. */
type Expired = 0 | 1 | null;
type PageArgs = [before: number, now: number, expired: Expired, limit: number];

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  const holds = rowsOf(db, tables.holds);
  return {
    hold: holds.select<[string, number]>(`WHERE realm_id = ?1 AND hold_id = ?2 AND ${PRESENT}`),
    due: sql.all<{ realmId: string; holdId: number }, [number, number]>(
      `SELECT realm_id AS realmId, hold_id AS holdId FROM holds
       WHERE status = 'open' AND expires_at <= ? AND ${hasRealm('holds')} LIMIT ?`,
    ),
    byStatus: holds.select<[string, HoldStatus, ...PageArgs]>(
      `INDEXED BY holds_by_status WHERE realm_id = ?1 AND status = ?2 AND hold_id < ?3
         AND (?5 IS NULL OR (expires_at <= ?4) = ?5) AND ${PRESENT}
       ORDER BY hold_id DESC LIMIT ?6`,
    ),
    ofMember: holds.select<[string, HoldStatus, ...PageArgs, string]>(
      `INDEXED BY holds_by_member WHERE realm_id = ?1 AND member_id = ?7 AND status = ?2
         AND hold_id < ?3 AND (?5 IS NULL OR (expires_at <= ?4) = ?5)
       ORDER BY hold_id DESC LIMIT ?6`,
    ),
    // A job records within a second or so that a hold has expired, so that few are sorted here.
    unrecorded: holds.select<[string, number, number, number]>(
      `INDEXED BY holds_due WHERE status = 'open' AND expires_at <= ?3 AND realm_id = ?1
         AND hold_id < ?2 AND ${PRESENT} ORDER BY hold_id DESC LIMIT ?4`,
    ),
    isMember: sql.value<1, [string, string]>(
      `SELECT 1 FROM members WHERE realm_id = ? AND member_id = ? AND status <> 'removed'`,
    ),
  };
}

/** Answers the queries about holds. */
export function holdReader(db: DatabaseSync) {
  const find = statements(db);
  return {
    hold: ({ realmId, holdId }) => find.hold.get(realmId, holdId) ?? null,
    dueHolds: ({ now, limit }) => find.due(now, limit),
    holds: (params) =>
      newest(params, ({ status, isExpired }, before, count) =>
        status === 'open' && isExpired
          ? find.unrecorded.all(params.realmId, before, params.now, count)
          : find.byStatus.all(params.realmId, status, before, params.now, bit(isExpired), count),
      ),
    holdsOf: (params) => {
      const { realmId, memberId, now } = params;
      if (!find.isMember(realmId, memberId)) return null;
      return newest(params, ({ status, isExpired }, before, count) =>
        find.ofMember.all(realmId, status, before, now, bit(isExpired), count, memberId),
      );
    },
  } satisfies Partial<Reader>;
}

const bit = (isExpired: boolean | null): Expired => {
  if (isExpired === null) return null;
  return isExpired ? 1 : 0;
};

/** Holds are ordered within a status; the newest of all make up the page. */
function newest(
  { status, before, limit }: HoldParams,
  read: (source: HoldSource, before: number, count: number) => Hold[],
): Page<Hold> {
  const end = before ?? Number.MAX_SAFE_INTEGER;
  const found = holdSources(status).flatMap((source) => read(source, end, limit + 1));
  return pageOf(
    found.sort((a, b) => b.id - a.id),
    limit,
    jsonBytes,
  );
}
