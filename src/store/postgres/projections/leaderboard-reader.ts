import type { LeaderboardParams, QueryParams, Reader, Standing } from '../../../domain/queries.ts';
import { leaderboardOf } from '../../../domain/rules/leaderboards.ts';
import type { Connection } from '../connection.ts';
import type { SharedPool } from '../pools.ts';
import { statement } from '../statement.ts';

interface StandingRow {
  member_id: string;
  score: number;
  username: string | null;
  display_name: string | null;
  balance: number | null;
}

interface Board {
  rows: StandingRow[] | null;
  /** The ranks of the first score of the page and of the second. */
  ranks: { score: number; rank: number }[] | null;
  total: number;
}

const ON_BOARD = 'realm_id = $1 AND board = $2';
/** The words by which the index by score is found. */
const BY_SCORE = `${ON_BOARD} AND score > -9007199254740992`;

const TOTAL = `(SELECT coalesce(sum(count), 0)::bigint FROM rank_buckets WHERE ${ON_BOARD})`;

/** One more than the number of members above: whole buckets, and a part of the score's own. */
const ranksOf = (scores: string): string =>
  `SELECT s.score, 1 + above.count + within.count AS rank FROM (${scores}) s
   CROSS JOIN LATERAL (SELECT (SELECT lower FROM rank_buckets WHERE ${ON_BOARD}
       AND lower <= s.score ORDER BY lower DESC LIMIT 1) AS lower) bucket
   CROSS JOIN LATERAL (SELECT coalesce(sum(count), 0)::bigint AS count, min(lower) AS next
     FROM rank_buckets WHERE ${ON_BOARD} AND lower > bucket.lower) above
   CROSS JOIN LATERAL (SELECT count(*) AS count FROM standings WHERE ${BY_SCORE}
     AND score > s.score AND score < coalesce(above.next, 9223372036854775807)) within
   ORDER BY s.score DESC`;

const find = {
  kind: statement<{ realm_point_id: string }, [string, string | null]>(
    `SELECT realm_point_id FROM point_kinds WHERE realm_id = $1
       AND CASE WHEN $2::text IS NULL THEN is_default = 1 ELSE realm_point_id = $2 END`,
  ),
  /**
   * The next rows in the order of the board: first those that tie with the last one seen. Page,
   * ranks and total by one statement, so that they are of one instant. $3 is the kind of points
   * whose balance a row should tell, $4 and $5 what was seen last, $6 how many are wanted.
   */
  page: statement<Board, [string, string, string | null, number | string, string, number]>(
    `WITH page AS MATERIALIZED (
       SELECT * FROM (
         (SELECT score, member_id FROM standings WHERE ${BY_SCORE} AND score = $4::bigint
            AND member_id > $5::bigint ORDER BY member_id LIMIT $6)
         UNION ALL
         (SELECT score, member_id FROM standings WHERE ${BY_SCORE} AND score < $4::bigint
          ORDER BY score DESC, member_id LIMIT $6)) upcoming
       ORDER BY score DESC, member_id LIMIT $6)
     SELECT (SELECT json_agg(r) FROM (
         SELECT page.member_id::text, page.score, m.username, m.display_name, b.balance
         FROM page
         LEFT JOIN LATERAL (SELECT username, display_name FROM members WHERE realm_id = $1
           AND member_id = page.member_id AND status <> 'removed' OFFSET 0) m ON true
         LEFT JOIN LATERAL (SELECT balance FROM balances WHERE realm_id = $1
           AND member_id = page.member_id AND realm_point_id = $3 OFFSET 0) b ON true
         ORDER BY page.score DESC, page.member_id) r) AS rows,
       (SELECT json_agg(k) FROM (${ranksOf(
         'SELECT DISTINCT score FROM page ORDER BY score DESC LIMIT 2',
       )}) k) AS ranks,
       ${TOTAL} AS total`,
  ),
  standing: statement<Board, [string, string, string, string]>(
    `SELECT (SELECT json_agg(r) FROM (SELECT member_id::text, username, display_name,
           (SELECT balance FROM balances WHERE realm_id = $1 AND member_id = $3::bigint
              AND realm_point_id = $4) AS balance
         FROM members WHERE realm_id = $1 AND member_id = $3::bigint
           AND status <> 'removed') r) AS rows,
       (SELECT json_agg(k) FROM (${ranksOf(
         `SELECT score FROM standings WHERE ${ON_BOARD} AND member_id = $3::bigint`,
       )}) k) AS ranks,
       ${TOTAL} AS total`,
  ),
};

/** Above every score: a page that begins behind it begins at the top. */
const ABOVE_ALL = '9223372036854775807';

/** A cursor that somebody has written may name an id beyond all that can be. */
const idWithin = (id: string): string => (BigInt(id) > BigInt(ABOVE_ALL) ? ABOVE_ALL : id);

type LeaderboardReader = {
  [N in 'leaderboard' | 'standing']: (
    params: QueryParams<N>,
  ) => Promise<Awaited<ReturnType<Reader[N]>>>;
};

export function leaderboardReader(readers: SharedPool): LeaderboardReader {
  return {
    leaderboard: (params) => readers.use((connection) => leaderboard(connection, params)),
    standing: (params) => readers.use((connection) => standing(connection, params)),
  };
}

async function kindOf(
  connection: Connection,
  { realmId, realmPointId }: LeaderboardParams,
): Promise<string | undefined> {
  return (await connection.query(find.kind, realmId, realmPointId))[0]?.realm_point_id;
}

async function leaderboard(connection: Connection, params: QueryParams<'leaderboard'>) {
  const realmPointId = await kindOf(connection, params);
  if (realmPointId === undefined) return null;
  const { realmId, window, at, after, limit } = params;
  const board = leaderboardOf(realmPointId, window, at);
  const balanceOf = window === 'all' ? null : realmPointId;
  const from = [after?.score ?? ABOVE_ALL, idWithin(after?.memberId ?? '0')] as const;
  const [found] = await connection.query(find.page, realmId, board, balanceOf, ...from, limit);
  if (!found) return null;
  return { standings: ranked(found, balanceOf === null), total: found.total };
}

/**
 * Ties share a rank; whoever comes after them counts them all. Only the ranks of the first score
 * and of the second must be looked up: from there on, rows tell how many are above.
 */
function ranked({ rows, ranks }: Board, scoreIsBalance: boolean): Standing[] {
  let rank = 0;
  let tiesStart: number | null = null;
  let scoreBefore: number | null = null;
  return (rows ?? []).map((row, index) => {
    const { score } = row;
    if (score !== scoreBefore) {
      const known = ranks?.find((one) => one.score === score)?.rank;
      rank = known ?? rank + (index - (tiesStart ?? 0));
      tiesStart = index;
      scoreBefore = score;
    }
    const balance = scoreIsBalance ? score : (row.balance ?? 0);
    const { member_id: memberId, username, display_name: displayName } = row;
    return { rank, memberId, username, displayName, score, balance };
  });
}

async function standing(connection: Connection, params: QueryParams<'standing'>) {
  const realmPointId = await kindOf(connection, params);
  if (realmPointId === undefined) return null;
  const { realmId, memberId, window, at } = params;
  const board = leaderboardOf(realmPointId, window, at);
  const [found] = await connection.query(find.standing, realmId, board, memberId, realmPointId);
  const [member] = found?.rows ?? [];
  const total = found?.total ?? 0;
  if (!member) return { standing: null, total };
  const place = found?.ranks?.[0];
  const { username, display_name: displayName } = member;
  const score = place?.score ?? 0;
  // For all time that of the instant that was ranked: balances may be some writes ahead.
  const balance = window === 'all' ? score : (member.balance ?? 0);
  const told: Standing = {
    rank: place?.rank ?? null,
    memberId,
    username,
    displayName,
    score,
    balance,
  };
  return { standing: told, total };
}
