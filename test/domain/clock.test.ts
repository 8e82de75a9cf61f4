import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Outcome } from '../../src/domain/commands.ts';
import { CLOCK_TOLERANCE_MS } from '../../src/domain/rules/journal.ts';
import { DAY_MS, iso } from '../../src/domain/rules/time.ts';
import { CHALLENGE_MS } from '../../src/domain/rules/wallets.ts';
import { newDatabase } from '../support/database.ts';
import { verdictOf } from '../support/verdict.ts';
import { command, REALM } from './histories.ts';

/** What remains of a wrong clock after its correction: only instants in the journal. */
const TEN_YEARS = 3652 * DAY_MS;
const START = Date.now();

function accepted<A>(outcome: Outcome<A>): A {
  assert.ok('answer' in outcome, JSON.stringify(outcome));
  return outcome.answer;
}

const refusalOf = (outcome: Outcome) => ('refusal' in outcome ? outcome.refusal.code : outcome);

/** A realm whose members 1 and 2 have 100 points each, with a clock that can be set. */
async function openRealm(t: TestContext) {
  const database = await newDatabase();
  const clock = { now: START };
  const ledger = await database.ledger(() => clock.now);
  t.after(async () => {
    await ledger.close();
    await database.drop();
  });
  const credit = async (memberId: string, tokens: number) =>
    accepted(
      await ledger.execute(
        command('points.change', { memberId, tokens, realmPointId: null, description: null }),
      ),
    );
  const records = async () =>
    (await ledger.query('records', { realmId: REALM, after: 0, limit: 500 })).rows;
  const occurred = async () =>
    (await records()).map(({ data }) => (JSON.parse(data).occurredAt as string) ?? null);
  accepted(await ledger.execute(command('realm.create', { name: 'Acme', settings: {} })));
  for (const memberId of ['1', '2']) {
    accepted(await ledger.execute(command('member.create', { memberId, fields: {}, wallets: [] })));
    await credit(memberId, 100);
  }
  return { ledger, clock, credit, records, occurred };
}

/** The same after one credit at a clock ten years ahead, which is right again. */
async function afterWrongClock(t: TestContext) {
  const realm = await openRealm(t);
  realm.clock.now = START + TEN_YEARS;
  await realm.credit('1', 1);
  realm.clock.now = START + 1_000;
  return realm;
}

const holdOf = (tokens: number, expiresInSeconds: number) =>
  command('hold.create', {
    memberId: '1',
    tokens,
    realmPointId: null,
    description: null,
    expiresInSeconds,
  });

test('a hold ends on time', async (t) => {
  const { ledger, clock, credit } = await afterWrongClock(t);
  const hold = accepted(await ledger.execute(holdOf(101, 1)));
  assert.deepEqual([hold.createdAt, hold.expiresAt], [START + 1_000, START + 2_000]);
  const capture = command('hold.capture', { holdId: hold.id, tokens: null, recipientId: null });
  clock.now = START + 2_000;
  assert.equal(refusalOf(await ledger.execute(capture)), 'hold-closed');
  assert.equal((await credit('1', -101)).newBalance, 0);
  const due = await ledger.query('dueHolds', { now: clock.now, limit: 10 });
  assert.deepEqual(
    due.map(({ holdId }) => holdId),
    [hold.id],
  );
  const expired = command('hold.expire', { holdId: hold.id });
  assert.equal(accepted(await ledger.execute(expired)).status, 'expired');
});

test('a hold that ended while the clock was ahead never takes points twice', async (t) => {
  const { ledger, clock, credit } = await openRealm(t);
  const hold = accepted(await ledger.execute(holdOf(100, 3600)));
  clock.now = START + TEN_YEARS;
  assert.equal((await credit('1', -100)).newBalance, 0);
  clock.now = START + 1_000;
  const capture = command('hold.capture', { holdId: hold.id, tokens: null, recipientId: null });
  assert.equal(refusalOf(await ledger.execute(capture)), 'insufficient-points');
  await credit('1', 40);
  const part = accepted(await ledger.execute({ ...capture, tokens: 40 }));
  assert.equal(part.newBalance, 0);
});

test('keys, challenges and rows have the instants of the right clock', async (t) => {
  const { ledger } = await afterWrongClock(t);
  const present = START + 1_000;
  const [id, next] = ['oldkey000000', 'newkey000000'];
  const newKey = { id, secretHash: 'h' };
  const given = { name: 'bot', scopes: ['write' as const], expiresAt: null };
  accepted(await ledger.execute(command('key.create', { newKey, ...given })));
  const rotation = { keyId: id, newKey: { id: next, secretHash: 'h' }, overlapSeconds: 0 };
  accepted(await ledger.execute(command('key.rotate', rotation)));
  const old = await ledger.query('apiKey', { keyId: id });
  assert.deepEqual([old?.createdAt, old?.expiresAt], [present, present]);
  const wallet = { chain: 'eip155' as const, key: '0x1', address: '0x1' };
  const site = { network: 'eip155:1', nonce: 'nonce123', serviceUrl: 'https://x.example/' };
  const request = command('wallet.challenge', { memberId: '1', wallet, ...site });
  const { message, expiresAt } = accepted(await ledger.execute(request));
  assert.equal(expiresAt, present + CHALLENGE_MS);
  assert.ok(message.includes(`Issued At: ${iso(present)}`));
  const member = command('member.create', { memberId: '3', fields: {}, wallets: [wallet] });
  const { createdAt, wallets } = accepted(await ledger.execute(member));
  assert.deepEqual([createdAt, wallets[0]?.linkedAt], [present, present]);
});

test('credits are on the leaderboards of their day; who earned later starts again', async (t) => {
  const { ledger, credit } = await afterWrongClock(t);
  await credit('2', 7);
  for (const window of ['day', 'week', 'month'] as const) {
    const of = { realmId: REALM, realmPointId: null, window, at: START + 1_000 };
    const found = await ledger.query('leaderboard', { ...of, after: null, limit: 10 });
    const scores = found?.rows.map(({ memberId, score }) => [memberId, score]);
    assert.deepEqual(scores, [['2', 107]]);
    assert.equal(found?.total, 1);
  }
});

test('statements and past balances go by true instants', async (t) => {
  const { ledger, clock, credit } = await afterWrongClock(t);
  await credit('1', 10);
  clock.now += 60_000;
  await credit('1', 20);
  const statement = async (from: number | null, to: number | null) => {
    const page = { realmPointId: null, type: null, from, to, before: null, limit: 10 };
    const found = await ledger.query('statement', { realmId: REALM, memberId: '1', ...page });
    return found?.rows.map(({ tokens, at }) => [tokens, at - START]);
  };
  const [first, wrong] = [
    [100, 0],
    [1, TEN_YEARS],
  ];
  const [second, third] = [
    [10, 1_000],
    [20, 61_000],
  ];
  assert.deepEqual(await statement(null, null), [third, second, wrong, first]);
  assert.deepEqual(await statement(START + 1_001, null), [third]);
  // The record of the wrong clock is no later than the first one after the correction.
  assert.deepEqual(await statement(START + 1_000, START + 2_000), [second, wrong]);
  assert.deepEqual(await statement(null, START + 1_000), [first]);
  assert.deepEqual(await statement(null, START), []);
  const balanceAt = async (at: number) =>
    (await ledger.query('balancesAt', { realmId: REALM, memberId: '1', at }))?.balances.points;
  assert.equal(await balanceAt(START - 1), 0);
  assert.equal(await balanceAt(START + 1_000), 111);
  assert.equal(await balanceAt(START + 61_000), 131);
});

test('the journal never goes back, and says what the clock said', async (t) => {
  const { ledger, clock, credit, records, occurred } = await afterWrongClock(t);
  await credit('1', 1);
  clock.now += 2_000;
  await credit('1', 1);
  // A retry gets the answer of the first call, which had no such field.
  const once = command('points.transfer', {
    memberId: '1',
    recipientId: '2',
    tokens: 1,
    realmPointId: null,
    description: null,
  });
  const request = { ...once, idempotency: { key: 'k', fingerprint: 'f' } };
  const answers = [await ledger.execute(request), await ledger.execute(request)].map(accepted);
  assert.deepEqual(answers[0], answers[1]);
  const all = await records();
  assert.deepEqual(
    all.slice(5).map(({ at }) => at - START),
    Array(4).fill(TEN_YEARS),
  );
  const written = [...Array(6).fill(null), 1_000, 3_000, 3_000];
  assert.deepEqual(
    await occurred(),
    written.map((ms) => (ms === null ? null : iso(START + ms))),
  );
  assert.equal((await verdictOf(ledger, REALM))?.ok, true);
  clock.now = START + TEN_YEARS + 1;
  await credit('1', 1);
  assert.equal((await occurred()).at(-1), null, 'time has caught up');
  assert.equal((await records()).at(-1)?.at, clock.now);
});

test('idempotency keys of a wrong clock do not keep those before and after them', async (t) => {
  const { ledger, clock } = await openRealm(t);
  const once = (key: number) =>
    ledger.execute({
      ...command('points.change', {
        memberId: '1',
        tokens: 1,
        realmPointId: null,
        description: null,
      }),
      idempotency: { key: `k${key}`, fingerprint: 'f' },
    });
  await once(0);
  clock.now = START + TEN_YEARS;
  await Promise.all(Array.from({ length: 5_001 }, (_, index) => once(index + 1)));
  clock.now = START + 1_000;
  await once(6_000);
  clock.now = START + 40 * DAY_MS;
  await once(6_001);
  assert.equal(await ledger.housekeeping.expireAnswers(START + DAY_MS), 2);
});

test('a clock that is slightly behind repeats the last instant', async (t) => {
  const { clock, credit, records, occurred } = await openRealm(t);
  clock.now = START - CLOCK_TOLERANCE_MS;
  await credit('1', 1);
  assert.equal((await records()).at(-1)?.at, START);
  assert.equal((await occurred()).at(-1), null);
});

test('a clock that was behind for a while leaves past balances as they were', async (t) => {
  const { ledger, clock, credit } = await openRealm(t);
  clock.now = START - TEN_YEARS;
  await credit('1', 1);
  clock.now = START + 5_000;
  await credit('1', 10);
  const balanceAt = async (at: number) =>
    (await ledger.query('balancesAt', { realmId: REALM, memberId: '1', at }))?.balances.points;
  assert.equal(await balanceAt(START - 1), 0);
  assert.equal(await balanceAt(START), 101);
  assert.equal(await balanceAt(START + 5_000), 111);
});
