import {
  planBuckets,
  type RankBucket,
  type ScoreMove,
  type ScoreQuery,
} from '../../../domain/rules/ranks.ts';
import type { Connection } from '../connection.ts';
import { columns, insertRows, statement } from '../statement.ts';

type Key = [realmId: string, leaderboard: string];

/** Below every score: the partial index by score has the scores above it, so queries say so. */
export const BELOW_ALL = '-9007199254740992';

const between = `FROM standings WHERE realm_id = $1 AND leaderboard = $2 AND score >= $3::bigint
  AND score <= $4::bigint AND score > ${BELOW_ALL}`;

const sql = {
  buckets: statement<RankBucket & { leaderboard: string }, [string, string[]]>(
    `SELECT wanted.leaderboard, b.*
     FROM unnest($2::text[]) AS wanted(leaderboard) CROSS JOIN LATERAL
       (SELECT lower, count, split_at AS "splitAt" FROM rank_buckets
        WHERE realm_id = $1 AND leaderboard = wanted.leaderboard ORDER BY lower OFFSET 0) b`,
  ),
  put: insertRows<[string, string, number[], number[], number[]]>(
    'rank_buckets (realm_id, leaderboard, lower, count, split_at)',
    '$2, new.*',
    'unnest($3::bigint[], $4::bigint[], $5::bigint[]) new',
    ` ON CONFLICT (realm_id, leaderboard, lower)
       DO UPDATE SET count = excluded.count, split_at = excluded.split_at`,
  ),
  // A leaderboard has few buckets, so a plan that reads all of them does no harm.
  remove: statement<never, [string, string, number[]]>(
    `DELETE FROM rank_buckets
     WHERE realm_id = $1 AND leaderboard = $2 AND lower = ANY ($3::bigint[])`,
  ),
  score: statement<{ score: number }, [...Key, number, number, number]>(
    `SELECT score ${between} ORDER BY score OFFSET $5 LIMIT 1`,
  ),
  count: statement<{ count: number }, [...Key, number, number]>(
    `SELECT count(*) AS count ${between}`,
  ),
};

/** The buckets of leaderboards, by the leaderboard. */
type BucketsByLeaderboard = ReadonlyMap<string, RankBucket[]>;

export async function readBuckets(
  connection: Connection,
  realmId: string,
  leaderboards: string[],
): Promise<BucketsByLeaderboard> {
  const stored = await connection.query(sql.buckets, realmId, leaderboards);
  return Map.groupBy(stored, ({ leaderboard }) => leaderboard);
}

/**
 * Applies moves of scores to the buckets of their leaderboards. The scores are already written to
 * the standings, or sent on this connection.
 */
export async function applyToBuckets(
  connection: Connection,
  realmId: string,
  buckets: BucketsByLeaderboard,
  moves: Map<string, ScoreMove[]>,
): Promise<void> {
  await Promise.all(
    Array.from(moves, ([leaderboard, own]) =>
      applyMoves(connection, [realmId, leaderboard], buckets.get(leaderboard) ?? [], own),
    ),
  );
}

async function applyMoves(
  connection: Connection,
  key: Key,
  buckets: RankBucket[],
  moves: ScoreMove[],
): Promise<void> {
  const planning = planBuckets(buckets, moves);
  let next = planning.next();
  while (!next.done) next = planning.next(await find(connection, key, next.value));
  const { put, removed } = next.value;
  if (removed.length > 0) connection.send(sql.remove, ...key, removed);
  const putColumns = columns(put, 'lower', 'count', 'splitAt');
  if (put.length > 0) connection.send(sql.put, ...key, ...putColumns);
}

async function find(
  connection: Connection,
  key: Key,
  query: ScoreQuery,
): Promise<number | undefined> {
  const { from, to } = query;
  return query.find === 'count'
    ? (await connection.query(sql.count, ...key, from, to))[0]?.count
    : (await connection.query(sql.score, ...key, from, to, query.offset))[0]?.score;
}
