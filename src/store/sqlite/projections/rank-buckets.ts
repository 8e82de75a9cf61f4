import type { DatabaseSync } from 'node:sqlite';
import { planBuckets, type ScoreMove, type ScoreQuery } from '../../../domain/rules/ranks.ts';
import { prepare } from '../database.ts';
import { preparePage } from '../pages.ts';
import { remove, upsert } from '../write-statements.ts';

function statements(db: DatabaseSync) {
  const between = 'FROM standings WHERE leaderboard_no = ? AND score >= ? AND score <= ?';
  return {
    buckets: preparePage<[lower: number, count: number, splitAt: number], [number]>(
      db,
      'SELECT lower, count, split_at FROM rank_buckets WHERE leaderboard_no = ? ORDER BY lower',
    ),
    put: upsert(db, 'rank_buckets', 'leaderboard_no, lower', 'count, split_at'),
    remove: remove(db, 'rank_buckets', 'leaderboard_no, lower'),
    score: prepare<{ score: number }, [number, number, number, number]>(
      db,
      `SELECT score ${between} ORDER BY score LIMIT 1 OFFSET ?`,
    ),
    count: prepare<{ count: number }, [number, number, number]>(
      db,
      `SELECT count(*) AS count ${between}`,
    ),
  };
}

/** Stores how many members of a leaderboard have which scores. */
export class RankBuckets {
  readonly #do: ReturnType<typeof statements>;

  constructor(db: DatabaseSync) {
    this.#do = statements(db);
  }

  /** Applies moves whose scores are already written to the standings. */
  apply(leaderboard: number, moves: readonly ScoreMove[]): void {
    const buckets = this.#do
      .buckets(leaderboard)
      .map(([lower, count, splitAt]) => ({ lower, count, splitAt }));
    const planning = planBuckets(buckets, moves);
    let next = planning.next();
    while (!next.done) next = planning.next(this.#find(leaderboard, next.value));
    for (const lower of next.value.removed) this.#do.remove.run(leaderboard, lower);
    for (const { lower, count, splitAt } of next.value.put) {
      this.#do.put.run(leaderboard, lower, count, splitAt);
    }
  }

  #find(leaderboard: number, query: ScoreQuery): number | undefined {
    const { from, to } = query;
    return query.find === 'count'
      ? this.#do.count.get(leaderboard, from, to)?.count
      : this.#do.score.get(leaderboard, from, to, query.offset)?.score;
  }
}
