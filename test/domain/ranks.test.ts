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

/** No bucket of several scores has as many members, so that no rank counts more of them. */
const MOST_IN_BUCKET = 4_000;
/** Neighbours have at least as many members together. */
const FEWEST_IN_TWO = 500;

/** A leaderboard in memory, whose buckets are maintained by the rules. */
class Leaderboard {
  readonly scores = new Map<number, number>();
  buckets: RankBucket[] = [];
  /** How many queries the last plan took. */
  queries = 0;

  /** As the projections do it, a number of members at a time. */
  applyInSteps(changes: Map<number, number | null>, size: number): void {
    const all = [...changes];
    for (let from = 0; from < all.length; from += size) {
      this.apply(new Map(all.slice(from, from + size)));
    }
  }

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
    this.queries = 0;
    for (; !next.done; this.queries++) next = planning.next(find(sorted, next.value));
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
  const from = countBelow(sorted, query.from);
  const end = countBelow(sorted, query.to + 1);
  if (query.find === 'count') return end - from;
  return from + query.offset < end ? sorted[from + query.offset] : undefined;
}

function countBelow(sorted: number[], score: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < score) low = middle + 1;
    else high = middle;
  }
  return low;
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
  const sorted = [...scores.values()].sort((a, b) => a - b);
  for (const [index, { lower, count, splitAt }] of buckets.entries()) {
    const end = (buckets[index + 1]?.lower ?? Number.MAX_SAFE_INTEGER + 1) - 1;
    const recount = find(sorted, { find: 'count', from: lower, to: end });
    assert.equal(count, recount, `bucket ${lower}`);
    const isSmall = count < splitAt && count < MOST_IN_BUCKET;
    assert.ok(isSmall || lower === end, `bucket ${lower} is not split`);
    const before = buckets[index - 1];
    if (!before) continue;
    assert.ok(before.count + count >= FEWEST_IN_TWO, `bucket ${lower} is not joined`);
    // Otherwise the bucket before could be larger.
    assert.ok(count > 0 || before.lower === lower - 1, `bucket ${lower} is empty`);
  }
  assert.equal(buckets[0]?.lower ?? LOWEST_SCORE, LOWEST_SCORE);
}

/** The ranks of some members against a count of all scores above. */
function assertSomeRanks(leaderboard: Leaderboard, roll: Roll): void {
  const scores = [...leaderboard.scores.values()];
  for (let times = 0; times < Math.min(scores.length, 20); times++) {
    const score = scores[roll(scores.length)] as number;
    const above = scores.filter((other) => other > score).length;
    assert.equal(leaderboard.rankOf(score), above + 1);
  }
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

const everyone = (members: number, scoreOf: (member: number) => number | null) =>
  new Map(Array.from({ length: members }, (_, member) => [member, scoreOf(member)]));

test('ties of thousands may diverge, return and leave: no rank counts thousands', () => {
  const members = fc.integer({ min: 4_000, max: 12_000 });
  const start = fc.constantFrom(0, LOWEST_SCORE, Number.MAX_SAFE_INTEGER);
  const steps = fc.array(step, { minLength: 1, maxLength: 5 });
  const size = fc.constantFrom(300, 2_500, 12_000);
  let mostTies = 0;
  fc.assert(
    fc.property(members, start, steps, size, (count, score, all, atOnce) => {
      const leaderboard = new Leaderboard();
      leaderboard.applyInSteps(
        everyone(count, () => score),
        atOnce,
      );
      assertCounts(leaderboard);
      for (const one of all) {
        leaderboard.applyInSteps(changesOf(count, one), atOnce);
        assertCounts(leaderboard);
        assertSomeRanks(leaderboard, dice(one.seed));
        const counts = leaderboard.buckets.map((bucket) => bucket.count);
        mostTies = Math.max(mostTies, ...counts);
      }
    }),
    { numRuns: 25 },
  );
  assert.ok(mostTies >= MOST_IN_BUCKET, `only ${mostTies} ties`);
});

test('a bucket that was left to grow is split by any move on its leaderboard', () => {
  const members = 160_000;
  const amount = (member: number) => (member < 10_000 ? 0 : member);
  for (const [member, after] of [[20_000, 20_001] as const, [members, -5] as const]) {
    const leaderboard = new Leaderboard();
    for (const [id, score] of everyone(members, amount)) leaderboard.scores.set(id, score ?? 0);
    leaderboard.buckets = [{ lower: LOWEST_SCORE, count: members, splitAt: 256_000 }];
    leaderboard.apply(new Map([[member, after]]));
    assertCounts(leaderboard);
    assertSomeRanks(leaderboard, dice(member));
  }
});

test('everyone may climb for ever, and some stay behind: buckets remain few', () => {
  const members = 5_000;
  for (const [stride, staying] of [
    [1, 0],
    [10, 0],
    [10, 3],
    [1_000, 1],
  ] as const) {
    const leaderboard = new Leaderboard();
    for (let level = 0; level < 40; level++) {
      const climbing = everyone(members - level * staying, () => level * stride);
      leaderboard.applyInSteps(climbing, 1_000);
      assertCounts(leaderboard);
      const { length } = leaderboard.buckets;
      assert.ok(length <= (staying === 0 ? 4 : 6), `${length} buckets at level ${level}`);
    }
  }
});

test('a large bucket of one score is not searched again while its members leave it', () => {
  const members = 20_000;
  const leaderboard = new Leaderboard();
  leaderboard.apply(everyone(members, () => 0));
  for (let member = 0; member < 100; member++) {
    leaderboard.apply(new Map([[member, 1]]));
    assert.equal(leaderboard.queries, 0);
    leaderboard.apply(new Map([[member, 0]]));
    assert.equal(leaderboard.queries, 0);
  }
  assertCounts(leaderboard);
});
