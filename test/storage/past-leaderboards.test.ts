import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sumOf } from '../../src/domain/model.ts';
import type { QueryResult, Standing } from '../../src/domain/queries.ts';
import { firstDay } from '../../src/domain/rules/calendar.ts';
import { DAY_MS } from '../../src/domain/rules/time.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { command, REALM } from '../domain/histories.ts';
import { dice, type Roll } from '../domain/scores.ts';
import { newDatabase } from '../support/database.ts';
import { verdictOf } from '../support/verdict.ts';

/** Leaderboards of past weeks and months against what was earned, added up in the plainest way. */
const START = Date.UTC(2026, 8, 3, 12);
const MEMBERS = 40;
const ROUNDS = 60;

/** By window and first day, then by member. */
type Earned = Map<string, Map<string, bigint>>;

const keyOf = (window: 'week' | 'month', at: number) => `${window} ${firstDay(window, at)}`;

/** One deed of a random member: mostly a credit, sometimes one that is reversed, or a removal. */
async function act(ledger: Ledger, earned: Earned, roll: Roll, now: number): Promise<void> {
  const memberId = String(1 + roll(MEMBERS));
  const add = (tokens: number): void => {
    for (const window of ['week', 'month'] as const) {
      const scores = earned.getOrInsertComputed(keyOf(window, now), () => new Map());
      scores.set(memberId, (scores.get(memberId) ?? 0n) + BigInt(tokens));
    }
  };
  if (roll(40) === 0) {
    await ledger.execute(command('member.remove', { memberId, forfeit: true }));
    // The present leaderboards lose it, the past ones do not.
    for (const window of ['week', 'month'] as const)
      earned.get(keyOf(window, now))?.delete(memberId);
    // An id that was removed is not enrolled by a credit.
    await ledger.execute(command('member.create', { memberId, fields: {}, wallets: [] }));
    return;
  }
  const tokens = 1 + roll(5);
  const credit = { memberId, tokens, realmPointId: null, description: null };
  const outcome = await ledger.execute(command('points.change', credit));
  assert.ok('answer' in outcome);
  add(tokens);
  if (roll(10) > 0) return;
  const transactionId = outcome.answer.transactionId;
  const reversal = { transactionId, tokens: null, description: null, force: true };
  await ledger.execute(command('points.reverse', reversal));
  add(-tokens);
}

function ranked(scores: Map<string, bigint>): string[] {
  const rows = [...scores].map(([id, score]) => ({ id: Number(id), score }));
  rows.sort((a, b) => Number(b.score - a.score) || a.id - b.id);
  return rows.map(({ id, score }) => {
    const rank = 1 + rows.filter((other) => other.score > score).length;
    return `${rank} ${id} ${sumOf(score)}`;
  });
}

async function walked(ledger: Ledger, window: 'week' | 'month', at: number, isPast: boolean) {
  const rows: string[] = [];
  for (let after: Standing | null = null; ; ) {
    const page: QueryResult<'leaderboard'> = await ledger.query('leaderboard', {
      ...{ realmId: REALM, realmPointId: null, window, at, isPast, after, limit: 7 },
    });
    assert.ok(page);
    rows.push(...page.rows.map(({ rank, memberId, score }) => `${rank} ${memberId} ${score}`));
    after = page.rows.at(-1) ?? null;
    if (!page.hasMore) return { rows, total: page.total };
  }
}

async function opened(t: TestContext) {
  const database = await newDatabase();
  const clock = { now: START };
  const ledger = await database.ledger(() => clock.now);
  t.after(async () => {
    await ledger.close();
    await database.drop();
  });
  await ledger.execute(command('realm.create', { name: 'Acme', settings: { autoEnroll: true } }));
  return { ledger, clock };
}

test('past weeks and months are those that were, page by page', async (t) => {
  const { ledger, clock } = await opened(t);
  const earned: Earned = new Map();
  const roll = dice(7);
  for (let round = 0; round < ROUNDS; round++) {
    for (let deed = 0; deed < 12; deed++) await act(ledger, earned, roll, clock.now);
    clock.now += roll(3) * DAY_MS;
  }
  assert.ok(earned.size > 8, 'weeks and months have passed');
  for (const [key, scores] of earned) {
    const [window = '', first] = key.split(' ');
    const at = Number(first) * DAY_MS;
    const isPast = key !== keyOf(window as 'week', clock.now);
    const found = await walked(ledger, window as 'week', at, isPast);
    assert.deepEqual(found, { rows: ranked(scores), total: scores.size }, key);
  }
  assert.equal((await verdictOf(ledger, REALM))?.ok, true);
  await ledger.housekeeping.rebuildProjections(REALM);
  assert.equal((await verdictOf(ledger, REALM))?.ok, true);
});

test('who earns again while a past week is read is on it once', async (t) => {
  const { ledger, clock } = await opened(t);
  const ids = Array.from({ length: 200 }, (_, index) => String(1 + index));
  const credit = { tokens: 5, realmPointId: null, description: null };
  const earn = (memberId: string) =>
    ledger.execute(command('points.change', { ...credit, memberId }));
  await Promise.all(ids.map(earn));
  const week = { window: 'week' as const, at: START, isPast: true };
  const which = { realmId: REALM, realmPointId: null, ...week, after: null, limit: 500 };
  clock.now += 7 * DAY_MS;
  for (const id of ids) {
    const [page] = await Promise.all([ledger.query('leaderboard', which), earn(id)]);
    const found = page?.rows.map(({ memberId }) => memberId);
    assert.deepEqual([found, page?.total], [ids, ids.length]);
  }
});
