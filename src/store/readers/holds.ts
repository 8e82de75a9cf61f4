import type { Hold } from '../../domain/model.ts';
import type { HoldParams } from '../../domain/queries.ts';
import { type HoldSource, holdSources } from '../../domain/rules/holds.ts';
import { jsonBytes, type Page, pageOf } from '../../domain/rules/pages.ts';
import { rowWithKey, selectRows } from '../rows.ts';
import {
  type Asked,
  all,
  ask,
  firstOrNull,
  type Operation,
  query,
  together,
} from '../statement.ts';
import { tables } from '../tables.ts';
import { askPresent } from './members.ts';
import type { Readers } from './readers.ts';

/** Holds of removed members are not shown. */
const OF_PRESENT = `(SELECT m.status <> 'removed' FROM members m
  WHERE m.realm_id = :realmId AND m.member_id = holds.member_id)`;

/** Of holds that are stored as open, those that have expired (1) or have not (0); null for all. */
const BY_EXPIRY = `(CAST(:expired AS bigint) IS NULL
  OR CASE WHEN expires_at <= :now THEN 1 ELSE 0 END = :expired)`;

const NEWEST = 'ORDER BY hold_id DESC LIMIT :limit';

type Range = { realmId: string; before: number; now: number; limit: number };
type OfStatus = Range & { status: string; expired: number | null };

const find = {
  hold: rowWithKey<Hold, { realmId: string; holdId: number }>(tables.holds, `AND ${OF_PRESENT}`),
  due: query<{ realmId: string; holdId: number }, { now: number; limit: number }>(
    `SELECT realm_id AS "realmId", hold_id AS "holdId" FROM holds
     WHERE status = 'open' AND expires_at <= :now AND
       (SELECT r.deleted_at IS NULL FROM realms r WHERE r.realm_id = holds.realm_id) LIMIT :limit`,
  ),
  ofStatus: selectRows<Hold, OfStatus>(
    tables.holds,
    ({ using }) =>
      `${using('holds_by_status')} WHERE realm_id = :realmId AND status = :status
         AND hold_id < :before AND ${BY_EXPIRY} AND ${OF_PRESENT} ${NEWEST}`,
  ),
  ofMember: selectRows<Hold, OfStatus & { memberId: string }>(
    tables.holds,
    ({ using }) =>
      `${using('holds_by_member')} WHERE realm_id = :realmId AND member_id = :memberId
         AND status = :status AND hold_id < :before AND ${BY_EXPIRY} ${NEWEST}`,
  ),
  // A job records within a second or so that a hold has expired, so few are sorted here: by an
  // expression, so that no index seems to have them in this order.
  unrecorded: selectRows<Hold, Range>(
    tables.holds,
    ({ using }) =>
      `${using('holds_due')} WHERE status = 'open' AND expires_at <= :now
         AND realm_id = :realmId AND hold_id < :before AND ${OF_PRESENT}
       ORDER BY hold_id + 0 DESC LIMIT :limit`,
  ),
};

/** Holds are ordered within a status; the newest of all make up the page. */
function* newest(
  params: HoldParams,
  from: (source: HoldSource, range: Range & { expired: number | null }) => Asked<Hold[]>,
): Operation<Page<Hold>> {
  const { realmId, limit, now } = params;
  const before = params.before ?? Number.MAX_SAFE_INTEGER;
  const asks = holdSources(params.status).map((source) => {
    const expired = source.isExpired === null ? null : Number(source.isExpired);
    return from(source, { realmId, before, now, limit: limit + 1, expired });
  });
  const found = (yield* together(...asks)).flat();
  return pageOf(
    found.sort((a, b) => b.id - a.id),
    limit,
    jsonBytes,
  );
}

export const holdReaders = {
  hold: (which) => firstOrNull(find.hold, which),
  dueHolds: ({ now, limit }) => all(find.due, { now, limit }),
  holds: (params) =>
    newest(params, ({ status, isExpired }, range) =>
      status === 'open' && isExpired
        ? ask(find.unrecorded, range)
        : ask(find.ofStatus, { ...range, status }),
    ),
  *holdsOf(params) {
    const { realmId, memberId } = params;
    const [[present]] = yield* together(askPresent(realmId, memberId));
    if (!present) return null;
    return yield* newest(params, ({ status }, range) =>
      ask(find.ofMember, { ...range, status, memberId }),
    );
  },
} satisfies Partial<Readers>;
