import type { Standing } from '../queries.ts';

/**
 * A leaderboard counts its members in buckets of neighbouring scores, so that a rank is a sum of
 * counts and a short count within one bucket. A score that moves within its bucket changes no
 * count. A million members make about a thousand buckets of a thousand.
 */
export interface RankBucket {
  /** The lowest score it may contain; the next bucket's `lower` is the first above it. */
  lower: number;
  count: number;
  /** The count at which the bucket is split. */
  splitAt: number;
}

/** A member's score changed; null means not on the leaderboard. */
export interface ScoreMove {
  before: number | null;
  after: number | null;
}

interface BucketChanges {
  /** New or changed buckets. */
  put: RankBucket[];
  /** The lower bounds of the buckets to remove. */
  removed: number[];
}

/**
 * Asks about the scores between `from` and `to`, both included: how many there are, or the score
 * at an offset in ascending order (undefined past the end).
 */
export type ScoreQuery = { from: number; to: number } & (
  | { find: 'count' }
  | { find: 'score'; offset: number }
);

/** Yields the queries whose results the plan depends on, and returns the plan. */
type Planning<Plan> = Generator<ScoreQuery, Plan, number | undefined>;

const SPLIT_AT = 1_000;
/** The lower bound of the first bucket, which is never removed. */
export const LOWEST_SCORE = -Number.MAX_SAFE_INTEGER;
const HIGHEST_SCORE = Number.MAX_SAFE_INTEGER;

/**
 * Plans how the buckets of a leaderboard, in ascending order, follow moves of scores. The queries
 * have to see the scores after the moves.
 */
export function* planBuckets(
  buckets: readonly RankBucket[],
  moves: readonly ScoreMove[],
): Planning<BucketChanges> {
  const all = buckets.length > 0 ? buckets : [{ lower: LOWEST_SCORE, count: 0, splitAt: SPLIT_AT }];
  const changes: BucketChanges = { put: [], removed: [] };
  for (const [index, delta] of countDeltas(all, moves)) {
    if (delta === 0) continue;
    const { lower, count, splitAt } = all[index] as RankBucket;
    const bucket = { lower, count: count + delta, splitAt };
    const end = (all[index + 1]?.lower ?? HIGHEST_SCORE + 1) - 1;
    if (bucket.count === 0 && index > 0) changes.removed.push(lower);
    else if (bucket.count < splitAt) changes.put.push(bucket);
    else changes.put.push(...(yield* split(lower, bucket.count, end)));
  }
  return changes;
}

/** By how many members each touched bucket grows or shrinks, by its index. */
function countDeltas(
  buckets: readonly RankBucket[],
  moves: readonly ScoreMove[],
): Map<number, number> {
  const deltas = new Map<number, number>();
  const add = (score: number | null, by: number): void => {
    if (score === null) return;
    const index = bucketIndex(buckets, score);
    deltas.set(index, (deltas.get(index) ?? 0) + by);
  };
  for (const { before, after } of moves) {
    add(before, -1);
    add(after, 1);
  }
  return deltas;
}

/** The last bucket whose lower bound is not above the score. */
function bucketIndex(buckets: readonly RankBucket[], score: number): number {
  let low = 0;
  let high = buckets.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((buckets[middle] as RankBucket).lower <= score) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Halves a bucket at its median. A bucket of equal scores can't be split and is left to grow. */
function* split(lower: number, count: number, to: number): Planning<RankBucket[]> {
  const least = (yield { find: 'score', from: lower, to, offset: 0 }) ?? lower;
  const median = (yield { find: 'score', from: lower, to, offset: count >> 1 }) ?? least;
  const bound = median > least ? median : yield { find: 'score', from: least + 1, to, offset: 0 };
  if (bound === undefined) return [{ lower, count, splitAt: count * 2 }];
  const above = (yield { find: 'count', from: bound, to }) ?? 0;
  return [...(yield* half(lower, count - above, bound - 1)), ...(yield* half(bound, above, to))];
}

/** Many members may have arrived at once: a half that is still too large is split again. */
function* half(lower: number, count: number, to: number): Planning<RankBucket[]> {
  if (count >= 2 * SPLIT_AT) return yield* split(lower, count, to);
  return [{ lower, count, splitAt: Math.max(SPLIT_AT, count * 2) }];
}

/** A member on a leaderboard. */
export type StandingRow = Omit<Standing, 'rank'>;

/**
 * Ranks consecutive rows of a leaderboard. Ties share a rank, and the rank below counts all of
 * them. `rankOf` is called for the first two scores only: the first ties may have started on the
 * page before, but from the second score on, the rows above are counted. It is null for the first
 * page, where nothing is above.
 */
export function rankPage(
  rows: readonly StandingRow[],
  rankOf: ((score: number) => number) | null,
): Standing[] {
  let rank = 1;
  let lookUps = 0;
  let tiesStart = 0;
  return rows.map((row, index) => {
    const { score } = row;
    if (index === 0 || score !== rows[index - 1]?.score) {
      rank = rankOf && lookUps < 2 ? rankOf(score) : rank + index - tiesStart;
      lookUps += 1;
      tiesStart = index;
    }
    return { ...row, rank };
  });
}

/** The standing of one member; a score of null means that it is not on the leaderboard. */
export function standingOf(
  { score, ...row }: Omit<StandingRow, 'score'> & { score: number | null },
  rankOf: (score: number) => number,
): Standing {
  return { ...row, rank: score === null ? null : rankOf(score), score: score ?? 0 };
}

/** Counts scores, given from the highest to the lowest, by the bucket that they belong to. */
export function bucketCounts(buckets: readonly RankBucket[]) {
  const counts = buckets.map(() => 0);
  let outside = 0;
  let at = buckets.length - 1;
  return {
    add: (score: number): void => {
      while (at > 0 && score < (buckets[at]?.lower ?? 0)) at -= 1;
      if (at < 0 || score < (buckets[at]?.lower ?? 0)) outside += 1;
      else counts[at] = (counts[at] ?? 0) + 1;
    },
    match: (): boolean =>
      outside === 0 &&
      (buckets[0]?.lower ?? LOWEST_SCORE) === LOWEST_SCORE &&
      buckets.every(
        ({ lower, count }, index) =>
          count === counts[index] && (index === 0 || (buckets[index - 1]?.lower ?? 0) < lower),
      ),
  };
}
