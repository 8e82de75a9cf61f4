import type { BucketCount, Change, PastScore, Scores } from '../facts.ts';
import { type Sum, sumOf, type Window } from '../model.ts';
import { amountIn, effectOf, isClaim, type Movement, type Posting } from '../movements.ts';
import { endOfWindow, firstDay } from './calendar.ts';
import { balanceKey } from './tables.ts';
import { DAY_MS } from './time.ts';

/** The buckets of a leaderboard are deleted this long after its day ends. */
export const LEADERBOARD_RETENTION_MS = DAY_MS;

const WINDOWS = ['day', 'week', 'month'] as const;

/** What a member has earned is stored in 64 bits, and the end of its bucket, too. */
export const MAX_SCORE = 2n ** 62n;

/** The leaderboard's name: the point kind, then the window and its first day if it has one. */
export function leaderboardOf(realmPointId: string, window: Window, at: number): string {
  if (window === 'all') return realmPointId;
  const first = new Date(firstDay(window, at) * DAY_MS).toISOString().slice(0, 10);
  return `${realmPointId}@${window}:${first}`;
}

const KEPT_WINDOWS = ['week', 'month'] as const;

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

/** What the realm granted, less what it took back: no transfers, and no opening balances. */
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

  /** The counts that are not 0 when these moves are added. */
  after(moves: Iterable<ScoreMove>): BucketCount[] {
    for (const move of moves) this.add(move);
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

export const bucketKey = ({
  leaderboard,
  width,
  bucket,
}: Pick<BucketCount, 'leaderboard' | 'width' | 'bucket'>): string =>
  `${leaderboard} ${width} ${bucket}`;

interface ScoreChanges {
  scores: Change<Scores>[];
  moves: ScoreMove[];
}

interface Tracked {
  before: Scores | null;
  after: Scores | null;
}

type Earner = Pick<Scores, 'memberId' | 'realmPointId'>;
type Earning = Earner & Pick<PastScore, 'seq'>;
type FirstDays = Pick<Scores, 'day' | 'week' | 'month'>;

export class ScoreTable {
  readonly past: PastScore[] = [];
  readonly #members = new Map<string, Map<string, Tracked>>();
  readonly #firstDays = new Map<number, FirstDays>();
  readonly #names = new Map<string, string>();

  constructor(scores: readonly Scores[]) {
    for (const row of scores) {
      const tracked = this.#tracked(row);
      tracked.before = row;
      tracked.after = row;
    }
  }

  add({ memberId, realmPointId, seq }: Earning, earned: number, at: number): void {
    const tracked = this.#tracked({ memberId, realmPointId });
    const { day, week, month } = this.#firstDaysAt(at);
    const last = tracked.after;
    if (last) this.#keepPast(last, seq, at);
    tracked.after = {
      memberId,
      realmPointId,
      day,
      dayScore: sum(last?.day === day ? last.dayScore : 0, earned),
      week,
      weekScore: sum(last?.week === week ? last.weekScore : 0, earned),
      month,
      monthScore: sum(last?.month === month ? last.monthScore : 0, earned),
    };
  }

  removeAll({ memberId, seq }: Pick<PastScore, 'memberId' | 'seq'>, at: number): void {
    for (const tracked of this.#members.get(memberId)?.values() ?? []) {
      if (tracked.after) this.#keepPast(tracked.after, seq, at);
      tracked.after = null;
    }
  }

  #keepPast(last: Scores, seq: number, at: number): void {
    const current = this.#firstDaysAt(at);
    for (const window of KEPT_WINDOWS) {
      if (last[window] >= current[window]) continue;
      const { memberId } = last;
      const score = last[`${window}Score`];
      const leaderboard = pastOf(this.#leaderboardOf(last, window));
      this.past.push({ leaderboard, seq, memberId, score });
    }
  }

  changes(): ScoreChanges {
    const scores: Change<Scores>[] = [];
    const moves: ScoreMove[] = [];
    for (const [memberId, kinds] of this.#members) {
      for (const [realmPointId, tracked] of kinds) {
        if (tracked.before === tracked.after) continue;
        scores.push({ key: balanceKey(memberId, realmPointId), row: tracked.after });
        this.#addMoves(moves, tracked);
      }
    }
    return { scores, moves };
  }

  /** On the leaderboard of another day, week or month, a member leaves the last one. */
  #addMoves(moves: ScoreMove[], { before, after }: Tracked): void {
    for (const window of WINDOWS) {
      const isSame = before && after && before[window] === after[window];
      const to = after && this.#leaderboardOf(after, window);
      const from = isSame ? to : before && this.#leaderboardOf(before, window);
      const [lost, won] = [before?.[`${window}Score`] ?? 0, after?.[`${window}Score`] ?? 0];
      if (from && from === to) moves.push({ leaderboard: from, before: lost, after: won });
      else {
        if (from) moves.push({ leaderboard: from, before: lost, after: null });
        if (to) moves.push({ leaderboard: to, before: null, after: won });
      }
    }
  }

  #tracked({ memberId, realmPointId }: Earner): Tracked {
    return this.#members
      .getOrInsertComputed(memberId, () => new Map<string, Tracked>())
      .getOrInsertComputed(realmPointId, () => ({ before: null, after: null }));
  }

  #firstDaysAt(at: number): FirstDays {
    return this.#firstDays.getOrInsertComputed(Math.floor(at / DAY_MS), () => ({
      day: firstDay('day', at),
      week: firstDay('week', at),
      month: firstDay('month', at),
    }));
  }

  /** Names are costly to format. */
  #leaderboardOf(row: Scores, window: (typeof WINDOWS)[number]): string {
    const { realmPointId, [window]: first } = row;
    return this.#names.getOrInsertComputed(`${first} ${window} ${realmPointId}`, () =>
      leaderboardOf(realmPointId, window, first * DAY_MS),
    );
  }
}

/** Points earned are unbounded, since they can be spent and earned again; a stored score is not. */
function sum(score: Sum, earned: number): Sum {
  // Nearly always a number holds it.
  const rough = typeof score === 'number' ? score + earned : Number.NaN;
  if (Number.isSafeInteger(rough)) return rough;
  const exact = BigInt(score) + BigInt(earned);
  return sumOf(exact > MAX_SCORE ? MAX_SCORE : exact < -MAX_SCORE ? -MAX_SCORE : exact);
}
