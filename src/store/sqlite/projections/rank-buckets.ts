import type { DatabaseSync } from 'node:sqlite';
import { prepare } from '../database.ts';
import { DamagedProjections } from './database.ts';

/**
 * Counts the members of a board in buckets of neighbouring scores, so that a rank is a sum of
 * counts and a short count within one bucket. A bucket that grows is split, an empty one goes; a
 * score that moves within its bucket costs nothing. With a million members there are about a
 * thousand buckets of a thousand.
 */
const SPLIT_AT = 1_000;
export const LOWEST = -Number.MAX_SAFE_INTEGER;

interface Bucket {
  lower: number;
  count: number;
  split_at: number;
}

export interface ScoreMove {
  /** Null is no score. */
  before: number | null;
  after: number | null;
}

function statements(db: DatabaseSync) {
  const inBucket = `FROM standings WHERE board = ? AND score >= ? AND score < ?`;
  return {
    bounds: prepare<{ lower: number }, [number]>(
      db,
      'SELECT lower FROM rank_buckets WHERE board = ? ORDER BY lower',
    ),
    create: prepare<never, [number, number, number, number]>(
      db,
      'INSERT INTO rank_buckets (board, lower, count, split_at) VALUES (?, ?, ?, ?)',
    ),
    add: prepare<Bucket, [number, number, number]>(
      db,
      `UPDATE rank_buckets SET count = count + ? WHERE board = ? AND lower = ?
       RETURNING lower, count, split_at`,
    ),
    set: prepare<never, [number, number, number, number]>(
      db,
      `UPDATE rank_buckets SET count = ?, split_at = ?
       WHERE board = ? AND lower = ?`,
    ),
    remove: prepare<never, [number, number]>(
      db,
      'DELETE FROM rank_buckets WHERE board = ? AND lower = ?',
    ),
    nth: prepare<{ score: number }, [number, number, number, number]>(
      db,
      `SELECT score ${inBucket} ORDER BY score LIMIT 1 OFFSET ?`,
    ),
    nextScore: prepare<{ score: number | null }, [number, number, number]>(
      db,
      `SELECT min(score) AS score FROM standings
       WHERE board = ? AND score > ? AND score < ?`,
    ),
    count: prepare<{ count: number }, [number, number, number]>(
      db,
      `SELECT count(*) AS count ${inBucket}`,
    ),
  };
}

/** Keeps the buckets of one board true while scores move. */
export class RankBuckets {
  readonly #do: ReturnType<typeof statements>;

  constructor(db: DatabaseSync) {
    this.#do = statements(db);
  }

  /** Notes scores that came, went or moved. The standings themselves are written already. */
  note(board: number, moves: readonly ScoreMove[]): void {
    const lowers = this.#lowers(board);
    const deltas = new Map<number, number>();
    const add = (score: number | null, by: number): void => {
      if (score === null) return;
      const lower = bucketOf(lowers, score);
      deltas.set(lower, (deltas.get(lower) ?? 0) + by);
    };
    for (const { before, after } of moves) {
      add(before, -1);
      add(after, 1);
    }
    for (const [lower, delta] of deltas) if (delta !== 0) this.#add(board, lowers, lower, delta);
  }

  #lowers(board: number): number[] {
    const lowers = this.#do.bounds.all(board).map(({ lower }) => lower);
    if (lowers.length > 0) return lowers;
    this.#do.create.run(board, LOWEST, 0, SPLIT_AT);
    return [LOWEST];
  }

  #add(board: number, lowers: number[], lower: number, delta: number): void {
    const bucket = this.#do.add.get(delta, board, lower);
    if (!bucket)
      throw new DamagedProjections(`the rank bucket ${lower} of board ${board} is missing`);
    if (bucket.count === 0 && lower !== LOWEST) {
      this.#do.remove.run(board, lower);
      lowers.splice(lowers.indexOf(lower), 1);
    } else if (bucket.count >= bucket.split_at) {
      this.#split(board, lowers, bucket);
    }
  }

  /** Halves a bucket, again and again; one of equal scores can't be, and is left to grow. */
  #split(board: number, lowers: number[], { lower, count }: Bucket): void {
    const upper = lowers[lowers.indexOf(lower) + 1] ?? Number.MAX_SAFE_INTEGER + 1;
    const least = this.#do.nth.get(board, lower, upper, 0)?.score ?? lower;
    const middle = this.#do.nth.get(board, lower, upper, count >> 1)?.score ?? least;
    const bound = middle > least ? middle : this.#do.nextScore.get(board, least, upper)?.score;
    if (bound === null || bound === undefined) {
      this.#do.set.run(count, count * 2, board, lower);
      return;
    }
    const above = this.#do.count.get(board, bound, upper)?.count ?? 0;
    lowers.splice(lowers.indexOf(lower) + 1, 0, bound);
    this.#do.set.run(count - above, splitAt(count - above), board, lower);
    this.#do.create.run(board, bound, above, splitAt(above));
    // One step may bring many at once: halves that are still too large are halved in turn.
    for (const half of [
      { lower, count: count - above },
      { lower: bound, count: above },
    ]) {
      if (half.count >= 2 * SPLIT_AT) this.#split(board, lowers, { ...half, split_at: 0 });
    }
  }
}

const splitAt = (count: number): number => Math.max(SPLIT_AT, count * 2);

/** The greatest lower bound that is not above the score. */
function bucketOf(lowers: readonly number[], score: number): number {
  let low = 0;
  let high = lowers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lowers[middle] as number) <= score) low = middle;
    else high = middle - 1;
  }
  return lowers[low] as number;
}
