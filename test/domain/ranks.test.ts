import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  LOWEST_SCORE,
  planBuckets,
  type RankBucket,
  rankPage,
  type ScoreMove,
  type ScoreQuery,
  type StandingRow,
} from '../../src/domain/rules/ranks.ts';
import { dice, palettes, type Roll } from './scores.ts';

/** A leaderboard in memory, whose buckets are maintained by the rules. */
class Leaderboard {
  readonly scores = new Map<number, number>();
  buckets: RankBucket[] = [];

  apply(changes: Map<number, number | null>): void {
    const moves: ScoreMove[] = [];
    for (const [member, after] of changes) {
      moves.push({ before: this.scores.get(member) ?? null, after });
      if (after === null) this.scores.delete(member);
      else this.scores.set(member, after);
    }
    const sorted = [...this.scores.values()].sort((a, b) => a - b);
    const planning = planBuckets(this.buckets, moves);
    let next = planning.next();
    while (!next.done) next = planning.next(find(sorted, next.value));
    const { put, removed } = next.value;
    const buckets = new Map(this.buckets.map((bucket) => [bucket.lower, bucket]));
    for (const lower of removed) assert.ok(buckets.delete(lower), `no bucket ${lower}`);
    for (const bucket of put) buckets.set(bucket.lower, bucket);
    this.buckets = [...buckets.values()].sort((a, b) => a.lower - b.lower);
  }

  /** As a store computes it: the buckets above, and the higher scores in the score's own. */
  rankOf(score: number): number {
    const own = this.buckets.findLastIndex(({ lower }) => lower <= score);
    const above = this.buckets.slice(own + 1).reduce((sum, { count }) => sum + count, 0);
    const end = this.buckets[own + 1]?.lower ?? Number.POSITIVE_INFINITY;
    const within = [...this.scores.values()].filter((other) => other > score && other < end);
    return 1 + above + within.length;
  }

  /** Rows in ranking order. */
  rows(): StandingRow[] {
    const names = { username: null, displayName: null };
    const rest = { ...names, balance: 0, wallet: null, updatedAt: 0 };
    return Array.from(this.scores, ([id, score]) => ({ memberId: `${id}`, score, ...rest })).sort(
      (a, b) => b.score - a.score || Number(a.memberId) - Number(b.memberId),
    );
  }
}

function find(sorted: number[], query: ScoreQuery): number | undefined {
  const between = sorted.filter((score) => score >= query.from && score <= query.to);
  return query.find === 'count' ? between.length : between[query.offset];
}

interface Step {
  seed: number;
  palette: (roll: Roll) => number;
  /** The percentages of members whose score changes and who leave. */
  share: number;
  leaving: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  seed: fc.nat(),
  palette: fc.constantFrom(...Object.values(palettes)),
  share: fc.constantFrom(1, 20, 60, 100),
  leaving: fc.constantFrom(0, 0, 1, 40, 97, 100),
});

function changesOf(members: number, { seed, palette, share, leaving }: Step) {
  const roll = dice(seed);
  const changes = new Map<number, number | null>();
  for (let member = 0; member < members; member++) {
    if (roll(100) < leaving) changes.set(member, null);
    else if (roll(100) < share) changes.set(member, palette(roll));
  }
  return changes;
}

function assertCounts({ buckets, scores }: Leaderboard): void {
  for (const [index, { lower, count, splitAt }] of buckets.entries()) {
    const end = buckets[index + 1]?.lower ?? Number.POSITIVE_INFINITY;
    const recount = [...scores.values()].filter((score) => score >= lower && score < end).length;
    assert.equal(count, recount, `bucket ${lower}`);
    assert.ok(count < splitAt, `bucket ${lower} is not split`);
    assert.ok(count > 0 || index === 0, `bucket ${lower} is empty`);
  }
  assert.equal(buckets[0]?.lower ?? LOWEST_SCORE, LOWEST_SCORE);
}

function assertRanks(leaderboard: Leaderboard, limit: number): void {
  const rows = leaderboard.rows();
  const expected = rows.map(({ score }) => 1 + rows.findIndex((row) => row.score === score));
  for (let from = 0; from < rows.length; from += limit) {
    const rankOf = (score: number) => leaderboard.rankOf(score);
    const page = rankPage(rows.slice(from, from + limit), from === 0 ? null : rankOf);
    assert.deepEqual(
      page.map(({ rank }) => rank),
      expected.slice(from, from + limit),
    );
  }
}

test('after any moves, buckets match a recount and ranks a sort', () => {
  let mostBuckets = 0;
  const members = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 900, max: 4_000 }));
  const steps = fc.array(step, { minLength: 1, maxLength: 6 });
  const crowd = { seed: 5, palette: palettes.wide ?? (() => 0), share: 100, leaving: 0 };
  fc.assert(
    fc.property(members, steps, fc.integer({ min: 1, max: 500 }), (count, all, size) => {
      const leaderboard = new Leaderboard();
      for (const one of all) {
        leaderboard.apply(changesOf(count, one));
        assertCounts(leaderboard);
        assertRanks(leaderboard, count > 100 ? Math.max(size, 50) : size);
        mostBuckets = Math.max(mostBuckets, leaderboard.buckets.length);
      }
    }),
    { numRuns: 60, examples: [[4_000, [crowd], 500]] },
  );
  assert.ok(mostBuckets >= 4, `only ${mostBuckets} buckets`);
});
