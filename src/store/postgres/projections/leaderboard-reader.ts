import type { LeaderboardParams, QueryParams } from '../../../domain/queries.ts';
import { leaderboardOf } from '../../../domain/rules/leaderboards.ts';
import { pageOfSmall } from '../../../domain/rules/pages.ts';
import { rankPage, type StandingRow, standingOf } from '../../../domain/rules/ranks.ts';
import type { Connection } from '../connection.ts';
import { statement } from '../statement.ts';
import { BELOW_ALL } from './rank-buckets.ts';

interface Found<Row> {
  rows: Row[] | null;
  /** The ranks of the scores that were looked up. */
  ranks: { score: number; rank: number }[] | null;
  total: number;
}

/** The highest bigint, above every score: the page after it is the first. */
const ABOVE_ALL = '9223372036854775807';

const ON_LEADERBOARD = 'realm_id = $1 AND leaderboard = $2';
/** The condition under which the partial index by score can be used. */
const BY_SCORE = `${ON_LEADERBOARD} AND score > ${BELOW_ALL}`;

const TOTAL = `(SELECT coalesce(sum(count), 0)::bigint FROM rank_buckets WHERE ${ON_LEADERBOARD})`;

/** One more than the number of members above: whole buckets, and a part of the score's own. */
const ranksOf = (scores: string): string =>
  `SELECT s.score, 1 + above.count + within.count AS rank FROM (${scores}) s
   CROSS JOIN LATERAL (SELECT (SELECT lower FROM rank_buckets WHERE ${ON_LEADERBOARD}
       AND lower <= s.score ORDER BY lower DESC LIMIT 1) AS lower) bucket
   CROSS JOIN LATERAL (SELECT coalesce(sum(count), 0)::bigint AS count, min(lower) AS next
     FROM rank_buckets WHERE ${ON_LEADERBOARD} AND lower > bucket.lower) above
   CROSS JOIN LATERAL (SELECT count(*) AS count FROM standings WHERE ${BY_SCORE}
     AND score > s.score AND score < coalesce(above.next, ${ABOVE_ALL})) within
   ORDER BY s.score DESC`;

/** The primary wallet of a member, and its standing on the all-time leaderboard of a kind. */
const besideScore = (member: string, kind: string): string =>
  `LEFT JOIN LATERAL (SELECT address FROM wallets WHERE realm_id = $1
     AND member_id = ${member} AND is_primary = 1 OFFSET 0) w ON true
   LEFT JOIN LATERAL (SELECT score, moved_at FROM standings WHERE realm_id = $1
     AND leaderboard = ${kind} AND member_id = ${member} OFFSET 0) a ON true`;

const find = {
  kind: statement<{ realm_point_id: string }, [string, string | null]>(
    `SELECT realm_point_id FROM point_kinds WHERE realm_id = $1
       AND CASE WHEN $2::text IS NULL THEN is_default = 1 ELSE realm_point_id = $2 END`,
  ),
  /**
   * The next rows in ranking order: first those that tie with the last one of the page before. One
   * statement for page, ranks and total, so that they are of one instant. $3 is the point kind for
   * a day, a week or a month, else null, $4 and $5 the last row of the page before, $6 the limit.
   * Ranks are looked up for the first two scores, except on the first page.
   */
  page: statement<
    Found<StandingRow>,
    [string, string, string | null, number | string, string, number]
  >(
    `WITH page AS MATERIALIZED (
       SELECT * FROM (
         (SELECT score, member_id, moved_at FROM standings WHERE ${BY_SCORE} AND score = $4::bigint
            AND member_id > $5::bigint ORDER BY member_id LIMIT $6)
         UNION ALL
         (SELECT score, member_id, moved_at FROM standings WHERE ${BY_SCORE} AND score < $4::bigint
          ORDER BY score DESC, member_id LIMIT $6)) upcoming
       ORDER BY score DESC, member_id LIMIT $6)
     SELECT (SELECT json_agg(r) FROM (
         SELECT page.member_id::text AS "memberId", page.score, m.username,
           m.display_name AS "displayName", coalesce(a.score, page.score) AS balance,
           w.address AS wallet,
           coalesce(a.moved_at, page.moved_at, m.created_at, 0) AS "updatedAt"
         FROM page
         LEFT JOIN LATERAL (SELECT username, display_name, created_at FROM members
           WHERE realm_id = $1 AND member_id = page.member_id
             AND status <> 'removed' OFFSET 0) m ON true
         ${besideScore('page.member_id', '$3')}
         ORDER BY page.score DESC, page.member_id) r) AS rows,
       (SELECT json_agg(k) FROM (${ranksOf(
         `SELECT DISTINCT score FROM page WHERE $4 < ${ABOVE_ALL} ORDER BY score DESC LIMIT 2`,
       )}) k) AS ranks,
       ${TOTAL} AS total`,
  ),
  standing: statement<Found<Omit<StandingRow, 'score'>>, [string, string, string, string]>(
    `SELECT (SELECT json_agg(r) FROM (SELECT m.member_id::text AS "memberId", m.username,
           m.display_name AS "displayName", coalesce(a.score, 0) AS balance,
           w.address AS wallet, coalesce(a.moved_at, m.created_at) AS "updatedAt"
         FROM members m ${besideScore('$3::bigint', '$4')}
         WHERE m.realm_id = $1 AND m.member_id = $3::bigint
           AND m.status <> 'removed') r) AS rows,
       (SELECT json_agg(k) FROM (${ranksOf(
         `SELECT score FROM standings WHERE ${ON_LEADERBOARD} AND member_id = $3::bigint`,
       )}) k) AS ranks,
       ${TOTAL} AS total`,
  ),
};

async function kindOf(
  connection: Connection,
  { realmId, realmPointId }: LeaderboardParams,
): Promise<string | undefined> {
  return (await connection.query(find.kind, realmId, realmPointId))[0]?.realm_point_id;
}

export async function leaderboard(connection: Connection, params: QueryParams<'leaderboard'>) {
  const realmPointId = await kindOf(connection, params);
  if (realmPointId === undefined) return null;
  const { realmId, window, at, after, limit } = params;
  const name = leaderboardOf(realmPointId, window, at);
  const allTime = window === 'all' ? null : realmPointId;
  const from = [after?.score ?? ABOVE_ALL, after?.memberId ?? '0'] as const;
  const page = [realmId, name, allTime, ...from, limit + 1] as const;
  const [found] = await connection.query(find.page, ...page);
  if (!found) return null;
  const rankOf = (score: number) => found.ranks?.find((one) => one.score === score)?.rank ?? 1;
  const { rows, hasMore } = pageOfSmall(found.rows ?? [], limit);
  return { rows: rankPage(rows, after && rankOf), hasMore, total: found.total };
}

export async function standing(connection: Connection, params: QueryParams<'standing'>) {
  const realmPointId = await kindOf(connection, params);
  if (realmPointId === undefined) return null;
  const { realmId, memberId, window, at } = params;
  const name = leaderboardOf(realmPointId, window, at);
  const [found] = await connection.query(find.standing, realmId, name, memberId, realmPointId);
  const [member] = found?.rows ?? [];
  const total = found?.total ?? 0;
  if (!member) return { standing: null, total };
  const { score = null, rank = 1 } = found?.ranks?.[0] ?? {};
  return { standing: standingOf({ ...member, score }, () => rank), total };
}
