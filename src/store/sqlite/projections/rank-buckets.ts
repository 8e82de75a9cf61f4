import type { DatabaseSync } from 'node:sqlite';
import { planBuckets, type ScoreMove, type ScoreQuery } from '../../../domain/rules/ranks.ts';
import { remove, statementsOn, upsert } from '../rows.ts';

/** Updates the counts of a leaderboard after moves whose scores are already in the standings. */
export function bucketUpdater(db: DatabaseSync) {
  const sql = statementsOn(db);
  const between = 'FROM standings WHERE leaderboard_no = ? AND score >= ? AND score <= ?';
  const buckets = sql.page<[lower: number, count: number, splitAt: number], [number]>(
    'SELECT lower, count, split_at FROM rank_buckets WHERE leaderboard_no = ? ORDER BY lower',
  );
  const countOf = sql.value<number, [number, number, number]>(`SELECT count(*) ${between}`);
  const scoreAt = sql.value<number, [number, number, number, number]>(
    `SELECT score ${between} ORDER BY score LIMIT 1 OFFSET ?`,
  );
  const put = upsert(db, 'rank_buckets', 'leaderboard_no, lower', 'count, split_at');
  const drop = remove(db, 'rank_buckets', 'leaderboard_no, lower');
  const find = (leaderboard: number, query: ScoreQuery): number | undefined =>
    query.find === 'count'
      ? countOf(leaderboard, query.from, query.to)
      : scoreAt(leaderboard, query.from, query.to, query.offset);
  return (leaderboard: number, moves: readonly ScoreMove[]): void => {
    const before = buckets(leaderboard).map(([lower, count, splitAt]) => ({
      lower,
      count,
      splitAt,
    }));
    const planning = planBuckets(before, moves);
    let next = planning.next();
    while (!next.done) next = planning.next(find(leaderboard, next.value));
    for (const lower of next.value.removed) drop.run(leaderboard, lower);
    for (const { lower, count, splitAt } of next.value.put) {
      put.run(leaderboard, lower, count, splitAt);
    }
  };
}
