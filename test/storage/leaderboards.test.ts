import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Command } from '../../src/domain/commands.ts';
import type { Window } from '../../src/domain/model.ts';
import { FIRST_KIND, sumOf } from '../../src/domain/model.ts';
import type { QueryResult, Standing } from '../../src/domain/queries.ts';
import { BUCKET_WIDTHS, bucketOf, leaderboardOf } from '../../src/domain/rules/leaderboards.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { command, REALM } from '../domain/histories.ts';
import { dice, palettes } from '../domain/scores.ts';
import { newDatabase, type TestDatabase } from '../support/database.ts';
import { verdictOf } from '../support/verdict.ts';

/** Leaderboards of a real store against a sort, with enough members for many buckets. */
const MAX = Number.MAX_SAFE_INTEGER;
const NOON = Date.UTC(2026, 10, 18, 12);
const AT_ONCE = 300;
const KIND = 'karma';
/** Ids on both sides of 2^53, whose order as text differs from their order as numbers. */
const idOf = (index: number): string =>
  index % 3 === 0 ? String(2n ** 53n + BigInt(index)) : String(index + 1);

interface Round {
  seed: number;
  palette: string;
  /** The percentage of members whose score changes. */
  share: number;
  leaving: number;
}

const round: fc.Arbitrary<Round> = fc.record({
  seed: fc.nat(),
  palette: fc.constantFrom(...Object.keys(palettes)),
  share: fc.constantFrom(1, 20, 60, 100),
  leaving: fc.constantFrom(0, 0, 1, 40, 97),
});
const crowd = fc.record({
  count: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 900, max: 2_000 })),
  rounds: fc.array(round, { minLength: 1, maxLength: 6 }),
});

/** The expected members, their balances and the points they earned. */
class Expected {
  readonly balances = new Map<string, number>();
  readonly earned = new Map<string, bigint>();

  add(id: string, tokens: number): void {
    this.balances.set(id, (this.balances.get(id) ?? 0) + tokens);
    if (tokens < 0) return;
    this.earned.set(id, (this.earned.get(id) ?? 0n) + BigInt(tokens));
  }

  remove(id: string): void {
    this.balances.delete(id);
    this.earned.delete(id);
  }

  static ranked(scores: Map<string, number | bigint>): string[] {
    const rows = [...scores].map(([id, score]) => ({ id: BigInt(id), score: BigInt(score) }));
    rows.sort((a, b) => Number(b.score - a.score) || (a.id < b.id ? -1 : 1));
    let rank = 0;
    return rows.map(({ id, score }, index) => {
      if (score !== rows[index - 1]?.score) rank = index + 1;
      return `${rank} ${id} ${score}`;
    });
  }
}

const asText = ({ rank, memberId, score }: Standing): string => `${rank} ${memberId} ${score}`;

async function play(ledger: Ledger, expected: Expected, count: number, what: Round) {
  const roll = dice(what.seed);
  const score = palettes[what.palette] ?? (() => 0);
  const commands: Command[] = [];
  for (let index = 0; index < count; index++) {
    const memberId = idOf(index);
    if (!expected.balances.has(memberId)) continue;
    if (roll(100) < what.leaving) {
      commands.push(command('member.remove', { memberId, forfeit: true }));
      expected.remove(memberId);
    } else if (roll(100) < what.share) {
      const tokens = score(roll) - (expected.balances.get(memberId) ?? 0);
      if (tokens === 0 || Math.abs(tokens) > MAX) continue;
      const rest = { memberId, tokens, realmPointId: KIND, description: null };
      commands.push(command('points.change', rest));
      expected.add(memberId, tokens);
    }
  }
  // More removals at once would be refused.
  for (let at = 0; at < commands.length; at += AT_ONCE) {
    const some = commands.slice(at, at + AT_ONCE);
    const outcomes = await Promise.all(some.map((one) => ledger.execute(one as never)));
    assert.ok(outcomes.every((outcome) => 'answer' in outcome));
  }
}

async function enrolAll(ledger: Ledger, expected: Expected, count: number): Promise<void> {
  const kind = { ...FIRST_KIND, id: KIND, isDefault: false, minimumBalance: -MAX };
  await ledger.execute(command('realm.create', { name: 'Acme', settings: {} }));
  await ledger.execute(command('kind.create', { kind }));
  await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const memberId = idOf(index);
      expected.balances.set(memberId, 0);
      return ledger.execute(command('member.create', { memberId, fields: {}, wallets: [] }));
    }),
  );
}

async function assertLeaderboard(
  ledger: Ledger,
  window: 'all' | 'day' | 'week' | 'month',
  scores: Map<string, number | bigint>,
  limit: number,
): Promise<void> {
  const params = { realmId: REALM, realmPointId: KIND, window, at: NOON };
  const expected = Expected.ranked(scores);
  const walked: string[] = [];
  for (let last: Standing | null = null; ; ) {
    const leaderboard: QueryResult<'leaderboard'> = await ledger.query('leaderboard', {
      ...params,
      after: last,
      limit,
    });
    assert.equal(leaderboard?.total, scores.size);
    walked.push(...leaderboard.rows.map(asText));
    last = leaderboard.rows.at(-1) ?? null;
    if (!leaderboard.hasMore) break;
  }
  assert.deepEqual(walked, expected);
  for (let index = 0; index < expected.length; index += 1 + (expected.length >> 5)) {
    const [rank, memberId = '', score] = expected[index]?.split(' ') ?? [];
    const found = await ledger.query('standing', { ...params, memberId });
    const { standing, total } = found ?? {};
    assert.deepEqual([standing?.rank, String(standing?.score)], [Number(rank), score]);
    assert.equal(total, scores.size);
  }
}

const scoresIn = (window: string): string =>
  `UNION ALL SELECT realm_point_id, '${window}', ${window}, CAST(${window}_score AS TEXT)
   FROM scores`;

/** Asserts that every bucket counts the scores that belong to it; returns how many there are. */
async function assertBuckets(database: TestDatabase): Promise<number> {
  const scores = await database.rows(
    `SELECT realm_point_id AS kind, 'all' AS board, 0 AS first,
       CAST(balance AS TEXT) AS score FROM balances
     ${['day', 'week', 'month'].map(scoresIn).join(' ')}`,
  );
  const actual = new Map<string, number>();
  for (const { kind, board, first, score } of scores) {
    const at = Number(first) * 24 * 60 * 60 * 1000;
    const leaderboard = leaderboardOf(String(kind), board as Window, at);
    for (const width of BUCKET_WIDTHS) {
      const key = `${leaderboard} ${width} ${bucketOf(sumOf(String(score)), width)}`;
      actual.set(key, (actual.get(key) ?? 0) + 1);
    }
  }
  const buckets = await database.rows('SELECT * FROM rank_buckets WHERE count <> 0');
  const counts = buckets.map(({ leaderboard, width, bucket, count }) => [
    `${leaderboard} ${width} ${bucket}`,
    Number(count),
  ]);
  assert.deepEqual(Object.fromEntries(counts), Object.fromEntries(actual));
  return buckets.length;
}

test('ranks, totals and pages match a sort after any history', async () => {
  let mostBuckets = 0;
  const property = fc.asyncProperty(crowd, fc.integer({ min: 1, max: 501 }), async (all, size) => {
    const database = await newDatabase();
    const ledger = await database.ledger(() => NOON);
    const expected = new Expected();
    try {
      await enrolAll(ledger, expected, all.count);
      const limit = all.count > 100 ? Math.max(size, 50) : size;
      for (const one of all.rounds) {
        await play(ledger, expected, all.count, one);
        await assertLeaderboard(ledger, 'all', expected.balances, limit);
        await assertLeaderboard(ledger, 'week', expected.earned, limit);
        mostBuckets = Math.max(mostBuckets, await assertBuckets(database));
      }
      const verdict = await verdictOf(ledger, REALM);
      assert.equal(verdict?.ok, true);
    } finally {
      await ledger.close();
      await database.drop();
    }
  });
  const wide = { seed: 5, palette: 'wide', share: 100, leaving: 0 };
  const rounds = [wide, { ...wide, palette: 'same' }, { ...wide, palette: 'few', leaving: 40 }];
  const examples: [{ count: number; rounds: Round[] }, number][] = [
    [{ count: 3_000, rounds: [...rounds, { ...wide, palette: 'huge' }] }, 500],
  ];
  await fc.assert(property, { numRuns: 8, examples, endOnFailure: true });
  assert.ok(mostBuckets > 6, `only ${mostBuckets} buckets`);
});

async function openedOn(t: TestContext, clock: () => number) {
  const database = await newDatabase();
  const ledger = await database.ledger(clock);
  t.after(async () => {
    await ledger.close();
    await database.drop();
  });
  return { database, ledger };
}

test('a new kind of points ranks all members, before and after they have a balance', async (t) => {
  const { database, ledger } = await openedOn(t, () => NOON);
  const expected = new Expected();
  const count = 1_203;
  await enrolAll(ledger, expected, count);
  await ledger.execute(command('member.remove', { memberId: idOf(0), forfeit: true }));
  const kind = { ...FIRST_KIND, id: 'late', isDefault: false };
  await ledger.execute(command('kind.create', { kind }));
  const change = { tokens: 5, realmPointId: 'late', description: null };
  await ledger.execute(command('points.change', { memberId: idOf(1), ...change }));
  const params = { realmId: REALM, realmPointId: 'late', window: 'all', at: NOON } as const;
  const standingOf = async (index: number) => {
    const found = await ledger.query('standing', { ...params, memberId: idOf(index) });
    return [found?.standing?.rank, found?.standing?.score, found?.total];
  };
  const assertRanks = async () => {
    assert.deepEqual(await standingOf(1), [1, 5, count - 1]);
    assert.deepEqual(await standingOf(count - 1), [2, 0, count - 1]);
    assert.deepEqual(await standingOf(0), [undefined, undefined, count - 1]);
  };
  await assertRanks();
  assert.deepEqual(await ledger.query('enrollingRealms', { limit: 9 }), [REALM]);
  while (await ledger.housekeeping.enrolInKinds(REALM));
  assert.deepEqual(await ledger.query('enrollingRealms', { limit: 9 }), []);
  await assertRanks();
  await assertBuckets(database);
});

test('the leaderboards of a day are dropped after its end, others are kept', async (t) => {
  let now = Date.UTC(2026, 0, 31, 12);
  const { database, ledger } = await openedOn(t, () => now);
  await ledger.execute(command('realm.create', { name: 'Acme', settings: { autoEnroll: true } }));
  for (let round = 0; round < 3; round++) {
    const rest = { memberId: '1', tokens: 1, realmPointId: null, description: null };
    await ledger.execute(command('points.change', rest));
    now += 24 * 60 * 60 * 1000;
  }
  const names = async (table: string) =>
    (await database.rows(`SELECT DISTINCT leaderboard FROM ${table} ORDER BY 1`)).map(
      ({ leaderboard }) => leaderboard,
    );
  assert.equal((await names('rank_buckets')).length, 10);
  while ((await ledger.housekeeping.dropEndedLeaderboards(Date.UTC(2026, 1, 2))) > 0);
  const left = [
    'points@day:2026-02-01',
    'points@day:2026-02-02',
    'points@month:2026-01-01',
    'points@month:2026-02-01',
    'points@past-month:2026-01-01',
    'points@past-week:2026-01-26',
    'points@week:2026-01-26',
    'points@week:2026-02-02',
  ];
  assert.deepEqual(await names('rank_buckets'), ['points', ...left]);
});
