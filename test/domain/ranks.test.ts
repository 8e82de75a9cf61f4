import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BucketCount } from '../../src/domain/facts.ts';
import { MAX_POINTS, sumOf } from '../../src/domain/model.ts';
import {
  BUCKET_WIDTHS,
  BucketCounts,
  bucketOf,
  endOfBucket,
  MAX_SCORE,
  type ScoreMove,
  WIDE,
} from '../../src/domain/rules/leaderboards.ts';
import { rankPage, type StandingRow } from '../../src/domain/rules/views.ts';
import { dice, palettes, type Roll } from './scores.ts';

const score = fc.oneof(
  fc.bigInt({ min: -300n, max: 300n }),
  fc.bigInt({ min: -MAX_SCORE, max: MAX_SCORE }),
  // Next to the powers of two, where buckets become wider.
  fc
    .record({
      bits: fc.bigInt({ min: 0n, max: 61n }),
      by: fc.bigInt({ min: -1n, max: 1n }),
      sign: fc.constantFrom(1n, -1n),
    })
    .map(({ bits, by, sign }) => sign * (2n ** bits + by)),
);

const bucketAt = (exact: bigint): number => bucketOf(sumOf(exact));

test('every score is in exactly one bucket, and a higher bucket has higher scores', () => {
  fc.assert(
    fc.property(score, score, (a, b) => {
      const bucket = bucketAt(a);
      const end = endOfBucket(bucket);
      assert.ok(Number.isSafeInteger(bucket) && a < end);
      assert.deepEqual([bucketAt(end - 1n), bucketAt(end)], [bucket, bucket + 1]);
      assert.ok(a >= endOfBucket(bucket - 1), 'no other bucket has it');
      if (a < b) assert.ok(bucket <= bucketAt(b));
    }),
    { numRuns: 10_000, examples: [[MAX_SCORE, -MAX_SCORE]] },
  );
});

test('buckets are few, and narrow enough that a rank counts few members', () => {
  assert.ok(bucketOf(MAX_POINTS) < 12_000 && bucketOf(MAX_POINTS, WIDE) < 50);
  for (let size = 256; size < MAX_POINTS; size *= 1.7) {
    const bucket = bucketOf(Math.floor(size));
    const width = Number(endOfBucket(bucket) - endOfBucket(bucket - 1));
    assert.ok(width <= size / 256 + 1, `${size}`);
  }
});

/** A leaderboard in memory, whose buckets change as the stored ones do. */
class Leaderboard {
  readonly scores = new Map<number, number>();
  /** By width, then by bucket. */
  readonly buckets = new Map(
    BUCKET_WIDTHS.map((width) => [width as number, new Map<number, number>()]),
  );

  apply(changes: Map<number, number | null>): void {
    const moves: ScoreMove[] = [];
    for (const [member, after] of changes) {
      moves.push({ leaderboard: 'points', before: this.scores.get(member) ?? null, after });
      if (after === null) this.scores.delete(member);
      else this.scores.set(member, after);
    }
    for (const change of new BucketCounts().after(moves)) this.#add(change);
  }

  #add({ width, bucket, count }: BucketCount): void {
    const buckets = this.buckets.get(width);
    buckets?.set(bucket, (buckets.get(bucket) ?? 0) + count);
  }

  #count(width: number, isCounted: (bucket: number) => boolean): number {
    let sum = 0;
    for (const [bucket, count] of this.buckets.get(width) ?? [])
      if (isCounted(bucket)) sum += count;
    return sum;
  }

  /** As a store computes it: wide buckets above, others above, and higher scores in its own. */
  rankOf(own: number): number {
    const [bucket, wide] = [bucketOf(own), bucketOf(own, WIDE)];
    const above =
      this.#count(WIDE, (one) => one > wide) +
      this.#count(1, (one) => one > bucket && one < (wide + 1) * WIDE);
    const end = endOfBucket(bucket);
    return 1 + above + [...this.scores.values()].filter((one) => one > own && one < end).length;
  }

  /** Rows in ranking order. */
  rows(): StandingRow[] {
    const names = { username: null, displayName: null };
    const rest = { ...names, balance: 0, wallet: null, updatedAt: 0 };
    return Array.from(this.scores, ([id, own]) => ({
      memberId: `${id}`,
      score: own,
      ...rest,
    })).sort(
      (a, b) => Number(b.score) - Number(a.score) || Number(a.memberId) - Number(b.memberId),
    );
  }
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
  for (const [width, counts] of buckets) {
    const recount = Map.groupBy(scores.values(), (one) => bucketOf(one, width));
    for (const [bucket, count] of counts) assert.equal(count, recount.get(bucket)?.length ?? 0);
    for (const bucket of recount.keys()) assert.ok(counts.has(bucket));
  }
}

/** The ranks on each page; those of its first two scores are looked up. */
function assertRanks(leaderboard: Leaderboard, limit: number): void {
  const rows = leaderboard.rows();
  const expected = rows.map((row) => 1 + rows.findIndex((other) => other.score === row.score));
  for (let from = 0; from < rows.length; from += limit) {
    const page = rows.slice(from, from + limit);
    const scores = from === 0 ? [] : [...new Set(page.map((row) => row.score))].slice(0, 2);
    const known = new Map(scores.map((own) => [own, leaderboard.rankOf(Number(own))]));
    assert.deepEqual(
      rankPage(page, known).map(({ rank }) => rank),
      expected.slice(from, from + limit),
    );
  }
}

test('after any moves, buckets match a recount and ranks a sort', () => {
  const members = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 500, max: 2_000 }));
  const steps = fc.array(step, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(members, steps, fc.integer({ min: 1, max: 500 }), (count, all, size) => {
      const leaderboard = new Leaderboard();
      for (const one of all) {
        leaderboard.apply(changesOf(count, one));
        assertCounts(leaderboard);
        assertRanks(leaderboard, count > 100 ? Math.max(size, 50) : size);
      }
    }),
    { numRuns: 60 },
  );
});
