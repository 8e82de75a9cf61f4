import {
  PROJECTED,
  type ProjectedRecord,
  type ProjectedStanding,
  type RealmPosition,
} from '../../../domain/rules/projections.ts';
import { tables } from '../../tables/tables.ts';
import { someOf } from '../rows.ts';
import { insertRows, statement } from '../statement.ts';

export const ROWS_DROPPED_AT_ONCE = 5_000;
const LEADERBOARDS_AT_ONCE = 1_000;

export type LeaderboardKey = [realmId: string, leaderboard: string];

const LOCK = `SELECT seq, enrolled_to::text AS "enrolledTo" FROM projection_positions
  WHERE realm_id = $1 FOR UPDATE`;

const POSITION = '(SELECT p.seq FROM projection_positions p WHERE p.realm_id = $1)';

/** The statements of the projector. */
export const sql = {
  open: statement<never, [string]>(
    `INSERT INTO projection_positions (realm_id, seq, enrolled_to)
     SELECT realm_id, 0, 0 FROM realms WHERE realm_id = $1 AND deleted_at IS NULL
     ON CONFLICT DO NOTHING`,
  ),
  lock: statement<RealmPosition, [string]>(LOCK),
  lockIfFree: statement<RealmPosition, [string]>(`${LOCK} SKIP LOCKED`),
  moveTo: statement<never, [string, number, string]>(
    `UPDATE projection_positions SET seq = $2, enrolled_to = $3,
       hash = (SELECT j.hash FROM journal j WHERE j.realm_id = $1 AND j.seq = $2)
     WHERE realm_id = $1`,
  ),
  // Few, if the first is of a member who joins or leaves: its cost is the number of kinds.
  records: statement<ProjectedRecord, [string, number]>(
    `SELECT ${someOf(tables.records, ...PROJECTED)} FROM journal
     WHERE realm_id = $1 AND seq > ${POSITION}
     ORDER BY seq LIMIT
       CASE WHEN (SELECT j.type IN ('member.created', 'member.removed') FROM journal j
         WHERE j.realm_id = $1 AND j.seq = ${POSITION} + 1)
       THEN (SELECT greatest(1, $2::bigint / greatest(1, count(*))) FROM point_kinds k
         WHERE k.realm_id = $1) ELSE $2::bigint END`,
  ),
  // Read after the lock is held, so that journal and position are of one instant.
  end: statement<{ seq: number; clock_at: number; matches: boolean }, [string]>(
    `SELECT seq, clock_at, coalesce((SELECT p.hash IS NULL OR p.hash IS NOT DISTINCT FROM
           (SELECT j.hash FROM journal j WHERE j.realm_id = $1 AND j.seq = p.seq)
       FROM projection_positions p WHERE p.realm_id = $1), true) AS matches
     FROM realms WHERE realm_id = $1 AND deleted_at IS NULL`,
  ),
  kinds: statement<{ realm_point_id: string }, [string]>(
    'SELECT realm_point_id FROM point_kinds WHERE realm_id = $1',
  ),
  members: statement<{ memberId: string }, [string, string, number]>(
    `SELECT member_id::text AS "memberId" FROM members
     WHERE realm_id = $1 AND member_id > $2::bigint AND status <> 'removed'
     ORDER BY member_id LIMIT $3`,
  ),
  entries: insertRows<[string, string[], string[], number[], string[], number[]]>(
    'entries (realm_id, member_id, realm_point_id, seq, type, balance)',
    'new.*',
    'unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[]) new',
  ),
  movements: insertRows<[string, string[], number[], string[]]>(
    'movements (realm_id, type, seq, realm_point_id)',
    'new.*',
    'unnest($2::text[], $3::bigint[], $4::text[]) new',
  ),
  standings: statement<
    ProjectedStanding & { leaderboard: string; memberId: string },
    [string, string[], string[]]
  >(
    `SELECT wanted.leaderboard, wanted.id::text AS "memberId", s.score, s.moved_at AS "movedAt"
     FROM unnest($2::text[], $3::bigint[]) AS wanted(leaderboard, id) CROSS JOIN LATERAL
       (SELECT score, moved_at FROM standings WHERE realm_id = $1
          AND leaderboard = wanted.leaderboard AND member_id = wanted.id OFFSET 0) s`,
  ),
  setStandings: insertRows<[string, string[], string[], number[], (number | null)[]]>(
    'standings (realm_id, leaderboard, member_id, score, moved_at)',
    'new.*',
    'unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) new',
    ` ON CONFLICT (realm_id, leaderboard, member_id)
       DO UPDATE SET score = excluded.score, moved_at = excluded.moved_at`,
  ),
  removeStandings: statement<never, [string, string[], string[]]>(
    `DELETE FROM standings WHERE ctid = ANY (ARRAY(SELECT found.ctid
     FROM unnest($2::text[], $3::bigint[]) AS gone(leaderboard, id) CROSS JOIN LATERAL
       (SELECT ctid FROM standings
        WHERE realm_id = $1 AND leaderboard = gone.leaderboard AND member_id = gone.id OFFSET 0)
     found))`,
  ),
  // Every leaderboard has a bucket with the lowest bound, $3.
  windowLeaderboards: statement<
    { realm_id: string; leaderboard: string },
    [...LeaderboardKey, number]
  >(
    `SELECT realm_id, leaderboard FROM rank_buckets
     WHERE (realm_id, leaderboard) > ($1, $2) AND lower = $3::bigint AND leaderboard LIKE '%@%'
     ORDER BY realm_id, leaderboard LIMIT ${LEADERBOARDS_AT_ONCE}`,
  ),
  dropStandings: statement<never, LeaderboardKey>(
    `DELETE FROM standings WHERE realm_id = $1 AND leaderboard = $2 AND member_id <=
       (SELECT max(member_id) FROM (SELECT member_id FROM standings
        WHERE realm_id = $1 AND leaderboard = $2
        ORDER BY member_id LIMIT ${ROWS_DROPPED_AT_ONCE}) next)`,
  ),
  dropBuckets: statement<never, LeaderboardKey>(
    'DELETE FROM rank_buckets WHERE realm_id = $1 AND leaderboard = $2',
  ),
};
