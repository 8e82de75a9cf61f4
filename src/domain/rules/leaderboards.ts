import type { BucketCount, PastScore } from '../facts.ts';
import type { Sum, Window } from '../model.ts';
import { amountIn, type Posting } from '../postings.ts';
import type { Standing } from '../queries.ts';
import { effectOf, isClaim, type Movement } from '../records.ts';
import { DAY_MS } from './time.ts';

/** The buckets of a leaderboard are deleted this long after its day ends. */
export const LEADERBOARD_RETENTION_MS = DAY_MS;

export const WINDOWS = ['day', 'week', 'month'] as const;

/** What a member has earned is stored in 64 bits, and the end of its bucket, too. */
export const MAX_SCORE = 2n ** 62n;

type TimeWindow = (typeof WINDOWS)[number];

/** The leaderboard's name: the point kind, then the window and its first day if it has one. */
export function leaderboardOf(realmPointId: string, window: Window, at: number): string {
  if (window === 'all') return realmPointId;
  const first = new Date(firstDay(window, at) * DAY_MS).toISOString().slice(0, 10);
  return `${realmPointId}@${window}:${first}`;
}

/** The first day of the window that contains the instant, from 1970; weeks start on Monday. */
export function firstDay(window: TimeWindow, at: number): number {
  const day = Math.floor(at / DAY_MS);
  const date = new Date(day * DAY_MS);
  if (window === 'month') return day - date.getUTCDate() + 1;
  // getUTCDay counts from Sunday.
  return window === 'week' ? day - ((date.getUTCDay() + 6) % 7) : day;
}

/** When the window that contains the instant ends. */
export function endOfWindow(window: TimeWindow, at: number): number {
  const first = firstDay(window, at);
  if (window === 'month') return firstDay(window, (first + 31) * DAY_MS) * DAY_MS;
  return (first + (window === 'week' ? 7 : 1)) * DAY_MS;
}

/** Those whose past leaderboards are kept. */
export const KEPT_WINDOWS = ['week', 'month'] as const;

/**
 * Who earns again in a later week or month, or leaves, moves from the leaderboard of the last one
 * to its past one: only together are they the whole one. What is on a past one stays as it is.
 */
export const pastOf = (leaderboard: string): string => leaderboard.replace('@', '@past-');

/** When the leaderboard of a day ends; null for one that is kept. */
function leaderboardEnd(leaderboard: string): number | null {
  const [, rest = ''] = leaderboard.split('@');
  const [window, first = ''] = rest.split(':');
  return window === 'day' ? endOfWindow(window, Date.parse(first)) : null;
}

/** Whether it is the leaderboard of a day that ended before the instant. */
export function hasEnded(leaderboard: string, before: number): boolean {
  const end = leaderboardEnd(leaderboard);
  return end !== null && end < before;
}

/**
 * The points a movement counts as earned: what the realm granted, less what it took back. Points
 * transferred between members were earned before, and opening balances elsewhere.
 */
export function earnedBy(
  movement: Movement,
  { realmPointId, tokens }: Pick<Posting, 'realmPointId' | 'tokens'>,
): number {
  if (!isClaim(movement)) return effectOf(movement).isEarned ? tokens : 0;
  const gave = amountIn(movement.data.gave, realmPointId);
  return movement.type === 'claim.rejected' ? -gave : gave;
}

/**
 * A leaderboard counts its members by buckets of neighbouring scores, so that a rank is a sum of
 * counts and a short count within one bucket. The bounds are fixed: a bucket for each score up to
 * 255, then 256 buckets for each power of two. So what a bucket counts follows from scores alone,
 * and a score that moves by little stays in its bucket and changes no count. Negative scores mirror
 * the others. Wide buckets of 256 each keep the sums short.
 */
const PER_OCTAVE = 256;
const EXACT_BITS = 8;
export const WIDE = PER_OCTAVE;
/** How many buckets are counted as one. */
export const BUCKET_WIDTHS = [1, WIDE] as const;

/** The bucket that a score belongs to; a higher one has higher scores. */
export function bucketOf(exact: Sum, width = 1): number {
  const score = typeof exact === 'number' ? exact : roughly(exact);
  const size = Math.abs(score);
  const octave = Math.max(0, bitsOf(size) - 1 - EXACT_BITS);
  const bucket = octave * PER_OCTAVE + Math.floor(size / 2 ** octave);
  return Math.floor((score < 0 ? -bucket : bucket) / width);
}

/** Without its last 32 bits: where a number is not exact, buckets are wider than that. */
const roughly = (score: string): number => Number(BigInt(score) / 2n ** 32n) * 2 ** 32;

/** The first score above a bucket. */
export function endOfBucket(bucket: number): bigint {
  return bucket < 0 ? 1n - BigInt(lowestOf(-bucket)) : BigInt(lowestOf(bucket + 1));
}

function lowestOf(bucket: number): number {
  const octave = Math.max(0, Math.floor(bucket / PER_OCTAVE) - 1);
  return (bucket - octave * PER_OCTAVE) * 2 ** octave;
}

/** How many bits a whole number has. */
function bitsOf(size: number): number {
  const high = Math.floor(size / 2 ** 32);
  return high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(size);
}

/** The score of a member before and after a batch; null if it is not on the leaderboard. */
export interface ScoreMove {
  leaderboard: string;
  before: Sum | null;
  after: Sum | null;
}

/** By how many the members of each bucket become more or fewer. */
export class BucketCounts {
  readonly #rows = new Map<string, BucketCount>();

  constructor(start: Iterable<BucketCount> = []) {
    for (const row of start) this.#rows.set(bucketKey(row), { ...row });
  }

  add({ leaderboard, before, after }: ScoreMove): void {
    for (const width of BUCKET_WIDTHS) {
      const from = before === null ? null : bucketOf(before, width);
      const to = after === null ? null : bucketOf(after, width);
      if (from === to) break;
      if (from !== null) this.#count(leaderboard, width, from, -1);
      if (to !== null) this.#count(leaderboard, width, to, 1);
    }
  }

  addPast({ leaderboard, score }: PastScore): void {
    this.add({ leaderboard, before: null, after: score });
  }

  get changed(): BucketCount[] {
    return [...this.#rows.values()].filter(({ count }) => count !== 0);
  }

  #count(leaderboard: string, width: number, bucket: number, count: number): void {
    const key = bucketKey({ leaderboard, width, bucket });
    const row = this.#rows.getOrInsertComputed(key, () => {
      return { leaderboard, width, bucket, count: 0, endsAt: leaderboardEnd(leaderboard) };
    });
    row.count += count;
  }
}

export function bucketChanges(
  moves: Iterable<ScoreMove>,
  counts = new BucketCounts(),
): BucketCount[] {
  for (const move of moves) counts.add(move);
  return counts.changed;
}

export const bucketKey = ({
  leaderboard,
  width,
  bucket,
}: Pick<BucketCount, 'leaderboard' | 'width' | 'bucket'>): string =>
  `${leaderboard} ${width} ${bucket}`;

/** A member on a leaderboard. */
export type StandingRow = Omit<Standing, 'rank'>;

/**
 * Ranks consecutive rows of a leaderboard. Ties share a rank, and the rank below counts all of
 * them. On the first page the ranks follow from the rows; on another, those of the first two scores
 * must be known, since ties of the first may have begun on a page before.
 */
export function rankPage(
  rows: readonly StandingRow[],
  known: ReadonlyMap<Sum, number>,
): Standing[] {
  let rank = 1;
  let ties = 0;
  return rows.map((row, index) => {
    if (row.score !== rows[index - 1]?.score) {
      rank = known.get(row.score) ?? rank + ties;
      ties = 0;
    }
    ties += 1;
    return { ...row, rank };
  });
}
