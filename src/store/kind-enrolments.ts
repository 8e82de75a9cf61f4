import type { MemberStatus } from '../domain/model.ts';
import { noPoints } from '../domain/rules/tables.ts';
import { insertInto, lockRealm, selectRows } from './rows.ts';
import {
  type Ask,
  all,
  askChange,
  askWrite,
  change,
  first,
  type Operation,
  query,
} from './statement.ts';
import { tables } from './tables.ts';

const MEMBERS_AT_ONCE = 1_000;

type Enrolment = { realmId: string; realmPointId: string };

const sql = {
  next: selectRows(tables.enrolments, 'WHERE realm_id = :realmId ORDER BY realm_point_id LIMIT 1'),
  members: query<{ memberId: string; status: MemberStatus }, { realmId: string; after: bigint }>(
    `SELECT CAST(member_id AS TEXT) AS "memberId", status FROM members
     WHERE realm_id = :realmId AND member_id > :after
     ORDER BY members.member_id LIMIT ${MEMBERS_AT_ONCE}`,
  ),
  moveTo: change<Enrolment & { enrolledTo: string }>(
    `UPDATE kind_enrolments SET enrolled_to = :enrolledTo
     WHERE realm_id = :realmId AND realm_point_id = :realmPointId`,
  ),
  end: change<Enrolment>(
    'DELETE FROM kind_enrolments WHERE realm_id = :realmId AND realm_point_id = :realmPointId',
  ),
  realms: query<{ realmId: string }, { limit: number }>(
    `SELECT DISTINCT realm_id AS "realmId" FROM kind_enrolments
     WHERE (SELECT r.deleted_at IS NULL FROM realms r WHERE r.realm_id = kind_enrolments.realm_id)
     LIMIT :limit`,
  ),
};

const insertBalances = insertInto(tables.balances, 'ON CONFLICT DO NOTHING');

/**
 * Gives some members a balance of 0 of a new kind of points, unless they have one. Members that
 * come later have one from the start, and the counts of ranks have everybody since the kind was
 * created. Returns whether there was anything to do.
 */
export function* enrolInKinds(realmId: string): Operation<boolean> {
  if (!(yield* first(lockRealm, { realmId }))) return false;
  const enrolment = yield* first(sql.next, { realmId });
  if (!enrolment) return false;
  const { realmPointId, enrolledTo } = enrolment;
  const members = yield* all(sql.members, { realmId, after: BigInt(enrolledTo) });
  const rows = members
    .filter(({ status }) => status !== 'removed')
    .map(({ memberId }) => ({ realmId, row: noPoints(memberId, realmPointId) }));
  const last = members.length < MEMBERS_AT_ONCE ? undefined : members.at(-1)?.memberId;
  const asks: Ask[] = rows.length > 0 ? [askWrite(insertBalances, rows)] : [];
  asks.push(
    last === undefined
      ? askChange(sql.end, { realmId, realmPointId })
      : askChange(sql.moveTo, { realmId, realmPointId, enrolledTo: last }),
  );
  yield asks;
  return true;
}

/** The realms with new kinds of points that some members have no balance of yet. */
export function* enrollingRealms({ limit }: { limit: number }): Operation<string[]> {
  return (yield* all(sql.realms, { limit })).map(({ realmId }) => realmId);
}
