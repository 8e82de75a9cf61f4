import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OfferTerms } from '../../src/domain/offer.ts';
import { DEFAULT_TERMS } from '../../src/domain/rules/offers.ts';
import { command, setUp } from '../domain/histories.ts';
import { verdictOf } from '../support/verdict.ts';
import { written } from './written-realm.ts';

/** `verify` counts offers, claims and what members have claimed from the journal. */
const offer = (offerId: string, terms: Partial<OfferTerms>) =>
  command('offer.create', { offerId, terms: { ...DEFAULT_TERMS, name: offerId, ...terms } });
const claim = (offerId: string, memberId: string) =>
  command('offer.claim', { offerId, memberId, quantity: 1, expectedCosts: null });

/** The claims are 8, 9, 10, 11 and 12. The first is rejected, the second delivered. */
const HISTORY = [
  ...setUp,
  command('member.create', { memberId: '1', fields: {}, wallets: [] }),
  command('member.create', { memberId: '2', fields: {}, wallets: [] }),
  offer('quest', { delivery: 'manual', gives: { points: 5 }, stock: 9 }),
  offer('daily', {
    gives: { points: 3, gems: 1 },
    perMember: { times: 5, period: 'week' },
  }),
  offer('gym', {
    gives: { points: 3 },
    perMember: { times: 1, period: 'day' },
    streak: { bonus: [4], graceDays: 0 },
  }),
  claim('quest', '1'),
  claim('quest', '2'),
  claim('quest', '2'),
  claim('daily', '1'),
  claim('gym', '1'),
  command('claim.reject', { claimId: 8 }),
  command('claim.deliver', { claimId: 9 }),
  command('offer.update', { offerId: 'quest', changes: { stock: 7 } }),
];

const FAULTS: [what: string, sql: string, detail: RegExp][] = [
  ['no fault', 'UPDATE offers SET updated_at = 1', /^none$/],
  [
    'more claimed',
    "UPDATE offers SET claimed = 9 WHERE offer_id = 'quest'",
    /has claimed 9, but 2/,
  ],
  ['other terms', `UPDATE offers SET terms = replace(terms, ':7', ':8')`, /^offer quest has terms/],
  ['a draw that was none', 'UPDATE offers SET draw_seq = 3', /has drawSeq 3, but null/],
  ['a missing offer', "DELETE FROM offers WHERE offer_id = 'daily'", /daily is in the journal/],
  [
    'a claim done',
    "UPDATE claims SET status = 'done' WHERE claim_id = 10",
    /the claims of the member/,
  ],
  [
    'a claim back',
    "UPDATE claims SET status = 'done' WHERE claim_id = 8",
    /the claims of the member/,
  ],
  ['a claim of another', 'UPDATE claims SET member_id = 2 WHERE claim_id = 11', /the claims of/],
  ['a claim of more', 'UPDATE claims SET quantity = 2 WHERE claim_id = 11', /the claims of/],
  ['a claim of gym', "UPDATE claims SET offer_id = 'gym' WHERE claim_id = 11", /the claims of/],
  ['a missing claim', 'DELETE FROM claims WHERE claim_id = 11', /the claims of the member/],
  [
    'a claim by another number',
    'UPDATE claims SET claim_id = 99 WHERE claim_id = 9',
    /the claims of the member/,
  ],
  [
    'a claim that was none',
    `INSERT INTO claims (realm_id, claim_id, offer_id, member_id, quantity, status)
     VALUES ('acme', 7, 'gym', 2, 1, 'pending')`,
    /the claims of the member/,
  ],
  ['another last claim', "UPDATE offers SET last_seq = 9 WHERE offer_id = 'gym'", /lastSeq 9, but/],
  [
    'an offer that was none',
    `UPDATE offers SET offer_id = offer_id || '1'`,
    /^offer \w+1 is not in/,
  ],
  ['a count in all', 'UPDATE claimants SET total = 0', /has total 0, but 1/],
  ['a count of the day', 'UPDATE claimants SET in_day = 0', /has inDay 0, but 1/],
  ['a count of the week', 'UPDATE claimants SET in_week = 0', /has inWeek 0, but 1/],
  ['a count of the month', 'UPDATE claimants SET in_month = 0', /has inMonth 0, but 1/],
  ['a later day', "UPDATE claimants SET day = '2100-01-01'", /has day 2100-01-01, but 20/],
  ['a streak', 'UPDATE claimants SET streak = 3', /has streak 3, but \d/],
  ['a day before', "UPDATE claimants SET day_before = '2026-01-01'", /has dayBefore 2026/],
  ['a streak before', 'UPDATE claimants SET streak_before = 7', /has streakBefore 7, but 0/],
  ['a missing count', "DELETE FROM claimants WHERE offer_id = 'daily'", /is in the journal, but/],
  [
    'a count of nothing',
    "UPDATE claimants SET offer_id = 'gift', claimant_key = 'gift:1' WHERE offer_id = 'daily'",
    /claimed offer (daily|gift) /,
  ],
];

test('verify finds every edit of offers, claims and counts', async (t) => {
  for (const [what, sql, detail] of FAULTS) {
    await t.test(what, async (each) => {
      const { database, ledger } = await written(each, HISTORY);
      await database.exec(sql);
      const verdict = await verdictOf(ledger, 'acme');
      assert.ok(verdict);
      assert.match(verdict.ok ? 'none' : verdict.fault.detail, detail);
    });
  }
});

test('two writers share the last piece, and each sees what the other has changed', async (t) => {
  const { database, ledger: one } = await written(t, HISTORY);
  const other = await database.ledger();
  t.after(() => other.close());
  const both = [one, other];
  const ofQuest = (changes: Partial<OfferTerms>) =>
    command('offer.update', { offerId: 'quest', changes });
  const outcomesOf = (make: () => object) =>
    Promise.all(Array.from({ length: 60 }, (_, at) => both[at % 2]?.execute(make() as never)));
  await one.execute(ofQuest({ stock: 3 }) as never);
  const claims = await outcomesOf(() => claim('quest', '1'));
  assert.equal(claims.filter((outcome) => outcome && 'answer' in outcome).length, 1);
  await other.execute(ofQuest({ stock: null, closesAt: '2026-01-01T00:00:00.000Z' }) as never);
  for (const outcome of await outcomesOf(() => claim('quest', '2'))) {
    assert.ok(outcome && 'refusal' in outcome && outcome.refusal.code === 'offer-closed');
  }
  const verdict = await verdictOf(one, 'acme');
  assert.equal(verdict?.ok, true);
});
