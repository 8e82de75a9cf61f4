import type { Hold } from '../../domain/model.ts';
import type { HoldParams, Reader } from '../../domain/queries.ts';
import { holdSources } from '../../domain/rules/holds.ts';
import type { Page } from '../../domain/rules/pages.ts';
import { hasRealm } from '../has-realm.ts';
import { tables } from '../tables/tables.ts';
import { readPage } from './pages.ts';
import type { SharedPool } from './pools.ts';
import { columnsOf, rowsOf } from './rows.ts';
import { columns, statement } from './statement.ts';

const PRESENT = `(SELECT m.status <> 'removed' FROM members m
  WHERE m.realm_id = $1 AND m.member_id = holds.member_id)`;

/** The sources of a page, before which hold it starts, the instant and the number of rows. */
type PageArgs = [
  realmId: string,
  statuses: string[],
  isExpired: (boolean | null)[],
  before: number,
  now: number,
  limit: number,
];

/** Holds are ordered within a status; the newest of all make up the page. */
const newest = (where: string, others = ''): string =>
  `SELECT ${columnsOf(tables.holds)} FROM (
     SELECT one.* FROM unnest($2::text[], $3::boolean[]) AS source(status, is_expired)
     CROSS JOIN LATERAL (SELECT * FROM holds WHERE realm_id = $1 AND ${where}
       AND status = source.status AND hold_id < $4::bigint
       AND (source.is_expired IS NULL OR (expires_at <= $5::bigint) = source.is_expired)
       ORDER BY hold_id DESC LIMIT $6) one
     ${others}) found
   ORDER BY hold_id DESC LIMIT $6`;

const find = {
  hold: rowsOf(tables.holds).select<[string, number]>(
    `WHERE realm_id = $1 AND hold_id = $2::bigint AND ${PRESENT}`,
  ),
  due: statement<{ realmId: string; holdId: number }, [number, number]>(
    `SELECT realm_id AS "realmId", hold_id AS "holdId" FROM holds
     WHERE status = 'open' AND expires_at <= $1::bigint AND ${hasRealm('holds')} LIMIT $2`,
  ),
  // A job records within a second or so that a hold has expired, so few are unrecorded ($7).
  holds: statement<Hold, [...PageArgs, withUnrecorded: boolean]>(
    newest(
      PRESENT,
      `UNION ALL (SELECT * FROM (SELECT * FROM holds WHERE realm_id = $1
         AND status = 'open' AND expires_at <= $5::bigint AND $7::boolean AND ${PRESENT}
         OFFSET 0) unrecorded
       WHERE hold_id < $4::bigint ORDER BY hold_id DESC LIMIT $6)`,
    ),
  ),
  ofMember: statement<Hold, [...PageArgs, memberId: string]>(newest('member_id = $7::bigint')),
  isMember: statement<unknown, [string, string]>(
    `SELECT 1 FROM members
     WHERE realm_id = $1 AND member_id = $2::bigint AND status <> 'removed'`,
  ),
};

type HoldReader = Pick<Reader, 'hold' | 'dueHolds' | 'holds' | 'holdsOf'>;

/** Answers the queries about holds. */
export function holdReader(readers: SharedPool): HoldReader {
  return {
    hold: ({ realmId, holdId }) => readers.first(find.hold, realmId, holdId),
    dueHolds: ({ now, limit }) => readers.query(find.due, now, limit),
    holds: (params) => {
      const all = holdSources(params.status);
      const isUnrecorded = ({ status, isExpired }: (typeof all)[number]) =>
        status === 'open' && isExpired === true;
      const sources = all.filter((source) => !isUnrecorded(source));
      return pageFrom(params, sources, (args) =>
        readers.query(find.holds, ...args, sources.length < all.length),
      );
    },
    holdsOf: async (params) => {
      const { realmId, memberId } = params;
      const [member] = await readers.query(find.isMember, realmId, memberId);
      if (!member) return null;
      return pageFrom(params, holdSources(params.status), (args) =>
        readers.query(find.ofMember, ...args, memberId),
      );
    },
  };
}

const pageFrom = (
  { realmId, before, limit, now }: HoldParams,
  sources: ReturnType<typeof holdSources>,
  read: (args: PageArgs) => Promise<Hold[]>,
): Promise<Page<Hold>> =>
  readPage<Hold, Hold>(
    { realmId, limit },
    (last, count) => {
      const from = last?.id ?? before ?? Number.MAX_SAFE_INTEGER;
      return read([realmId, ...columns(sources, 'status', 'isExpired'), from, now, count]);
    },
    (hold) => hold,
  );
