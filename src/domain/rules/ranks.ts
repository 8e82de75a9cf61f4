import type { Standing } from '../queries.ts';

/**
 * A leaderboard counts its members in buckets of neighbouring scores, so that a rank is a sum of
 * counts and a short count within one bucket. A score that moves within its bucket changes no
 * count. A million members make about a thousand buckets of a thousand. Ties of thousands have a
 * bucket of their own, which contains no other score: a rank needs no count within it, and members
 * whose scores change leave it for buckets that can be split.
 */
export interface RankBucket {
  /** The lowest score it may contain; the next bucket's `lower` is the first above it. */
  lower: number;
  count: number;
  /** The count at which the bucket is split, if it may contain more than one score. */
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
/** Neighbours that have fewer members together are joined. */
const JOIN_BELOW = SPLIT_AT / 2;
/**
 * A bucket of several scores is split at this count whatever its `splitAt`: that of a large bucket
 * of equal scores is twice their count.
 */
const ALWAYS_SPLIT_AT = 4 * SPLIT_AT;
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
  const all = buckets.length > 0 ? buckets : [bucketOf(LOWEST_SCORE, 0)];
  const deltas = countDeltas(all, moves);
  const planned: RankBucket[] = [];
  for (const [index, bucket] of all.entries()) {
    const end = (all[index + 1]?.lower ?? HIGHEST_SCORE + 1) - 1;
    for (const part of yield* partsOf(bucket, deltas.get(index) ?? 0, end)) {
      const before = planned.at(-1);
      if (before && isJoinable(before, part)) planned[planned.length - 1] = join(before, part);
      else planned.push(part);
    }
  }
  const unchanged = new Set(all);
  const bounds = new Set(planned.map(({ lower }) => lower));
  return {
    put: planned.filter((bucket) => !unchanged.has(bucket)),
    removed: all.map(({ lower }) => lower).filter((lower) => !bounds.has(lower)),
  };
}

const bucketOf = (lower: number, count: number): RankBucket => {
  return { lower, count, splitAt: Math.max(SPLIT_AT, count * 2) };
};

/** The bucket with its new count, or the buckets that it is split into. */
function* partsOf(bucket: RankBucket, delta: number, end: number): Planning<RankBucket[]> {
  const { lower, splitAt } = bucket;
  const count = bucket.count + delta;
  if (lower < end && count >= Math.min(splitAt, ALWAYS_SPLIT_AT)) {
    return yield* split(lower, count, end);
  }
  return [delta === 0 ? bucket : { lower, count, splitAt }];
}

/**
 * Joining small neighbours keeps buckets few after members have moved on. An empty bucket is
 * joined to a large one too, unless that contains a single score: given a second one, it would
 * have to be split again when its ties diverge.
 */
function isJoinable(before: RankBucket, { lower, count }: RankBucket): boolean {
  const isSingleScore = before.lower === lower - 1;
  return before.count + count < JOIN_BELOW || (count === 0 && !isSingleScore);
}

const join = (before: RankBucket, { count }: RankBucket): RankBucket =>
  count === 0 ? before : { ...before, count: before.count + count };

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

/**
 * Halves a bucket of several scores. Many members may have arrived at once, so a large one is cut
 * into buckets of a thousand, from the lowest up: that reads each score no more than twice.
 */
function* split(from: number, members: number, to: number): Planning<RankBucket[]> {
  const parts: RankBucket[] = [];
  let lower = from;
  let count = members;
  do {
    const least = yield { find: 'score', from: lower, to, offset: 0 };
    if (least === undefined) break;
    const offset = Math.min(count >> 1, SPLIT_AT);
    const next = (yield { find: 'score', from: lower, to, offset }) ?? least;
    // Ties are not cut.
    const bound = Math.max(next, least + 1);
    const below = (yield { find: 'count', from: lower, to: bound - 1 }) ?? 0;
    parts.push(...lowestPart(lower, below, bound - 1));
    lower = bound;
    count -= below;
  } while (lower < to && count >= 2 * SPLIT_AT);
  if (lower <= to) parts.push(bucketOf(lower, count));
  return parts;
}

/** So large a part consists of ties at its highest score, which get a bucket of their own. */
function lowestPart(lower: number, count: number, to: number): RankBucket[] {
  if (lower === to || count < 2 * SPLIT_AT) return [bucketOf(lower, count)];
  return [bucketOf(lower, 0), bucketOf(to, count)];
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
