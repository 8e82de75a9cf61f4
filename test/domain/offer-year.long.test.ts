import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Outcome } from '../../src/domain/commands.ts';
import type { Claim, OfferTerms, Period } from '../../src/domain/offer.ts';
import { DEFAULT_TERMS } from '../../src/domain/rules/offers.ts';
import { HOUR_MS } from '../../src/domain/rules/time.ts';
import { randomOf } from '../storage/random-commands.ts';
import { newDatabase } from '../support/database.ts';
import { verdictOf } from '../support/verdict.ts';
import { command } from './histories.ts';

/** A year of claims, by a clock that is made: what the wall says in a zone decides. */
const database = await newDatabase();
const clock = { now: 0 };
const ledger = await database.ledger(() => clock.now);
after(async () => {
  await ledger.close();
  await database.drop();
});

/** A day that was skipped; both changes to and from summer; a midnight that does not exist. */
const YEARS = [
  ['Pacific/Apia', 2011],
  ['Europe/Berlin', 2026],
  ['America/Sao_Paulo', 2018],
] as const;

const BONUS = [0, 2, 4, 8];
const GRACE = 1;
const daily = (times: number, period: Period): Partial<OfferTerms> => {
  return { gives: { points: 10 }, perMember: { times, period } };
};
const OFFERS: Record<string, Partial<OfferTerms>> = {
  daily: { ...daily(1, 'day'), streak: { bonus: BONUS, graceDays: GRACE } },
  weekly: daily(2, 'week'),
  monthly: daily(1, 'month'),
};

/** How many there are in a year at least. */
const EXPECTED: Record<string, number> = { daily: 364, weekly: 52, monthly: 12 };

/** The date on the wall, from another part of the library than the rules use. */
const wallIn = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone });

/** Monday's date names a week here. */
function mondayOf(day: string): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

let realms = 0;

async function openRealm(timeZone: string, start: number) {
  clock.now = start;
  realms += 1;
  const realmId = `realm-${realms}`;
  const execute = async (one: object): Promise<Outcome> =>
    ledger.execute({ ...one, realmId } as never);
  const must = async (one: object) => {
    const outcome = await execute(one);
    assert.ok('answer' in outcome, JSON.stringify(outcome));
  };
  await must(command('realm.create', { name: 'Acme', settings: { timeZone } }));
  await must(command('member.create', { memberId: '1', fields: {}, wallets: [] }));
  for (const [offerId, terms] of Object.entries(OFFERS)) {
    const all = { ...DEFAULT_TERMS, name: offerId, ...terms };
    await must(command('offer.create', { offerId, terms: all }));
  }
  const claim = async (offerId: string): Promise<Claim | { nextAt: number }> => {
    const one = { offerId, memberId: '1', quantity: 1, expectedCosts: null };
    const outcome = await execute(command('offer.claim', one));
    if ('answer' in outcome) return outcome.answer as unknown as Claim;
    assert.ok('refusal' in outcome && outcome.refusal.code === 'offer-limit-reached');
    return { nextAt: Date.parse(`${outcome.refusal.extra.nextAt}`) };
  };
  const verify = () => verdictOf(ledger, realmId);
  return { execute: must, claim, verify };
}

for (const [timeZone, year] of YEARS) {
  const [start, end] = [Date.UTC(year, 0, 2), Date.UTC(year + 1, 0, 2)];
  const wall = wallIn(timeZone);

  for (const [offerId, { perMember }] of Object.entries(OFFERS)) {
    test(`${timeZone} ${year}: ${offerId}, from the first instant of each period on`, async () => {
      const { claim, verify } = await openRealm(timeZone, start);
      const periods: (string | null)[] = [];
      for (let next = start; next < end; ) {
        clock.now = next;
        for (let time = 0; time < (perMember?.times ?? 0); time += 1) {
          const one = await claim(offerId);
          assert.ok('claimId' in one, new Date(next).toJSON());
          assert.equal(one.period === periods.at(-1), time > 0);
          if (time === 0) periods.push(one.period);
          if (offerId !== 'daily') continue;
          assert.deepEqual([one.period, one.streak], [wall.format(next), periods.length]);
        }
        const refused = await claim(offerId);
        assert.ok('nextAt' in refused && refused.nextAt > next);
        next = refused.nextAt;
        clock.now = next - 1;
        assert.ok('nextAt' in (await claim(offerId)), new Date(next).toJSON());
      }
      assert.ok(periods.length >= (EXPECTED[offerId] ?? 0), `${periods.length}`);
      assert.equal((await verify())?.ok, true);
    });
  }

  test(`${timeZone} ${year}: at any hours, limits and days in a row are the wall's`, async () => {
    const { claim, verify } = await openRealm(timeZone, start);
    const random = randomOf(year);
    /** The days that there were, in order. */
    const days: string[] = [];
    for (let at = start - 24 * HOUR_MS; at < end; at += HOUR_MS) {
      if (days.at(-1) !== wall.format(at)) days.push(wall.format(at));
    }
    const counts = new Map<string, number>();
    let [last, streak] = [Number.NEGATIVE_INFINITY, 0];
    while (clock.now < end) {
      const day = wall.format(clock.now);
      const at = days.indexOf(day);
      const periods = { daily: day, weekly: mondayOf(day), monthly: day.slice(0, 7) };
      for (const [offerId, period] of Object.entries(periods)) {
        const count = counts.get(`${offerId} ${period}`) ?? 0;
        const one = await claim(offerId);
        const isFree = count < (OFFERS[offerId]?.perMember?.times ?? 0);
        assert.equal('claimId' in one, isFree, `${offerId} at ${new Date(clock.now).toJSON()}`);
        if (!('claimId' in one)) continue;
        counts.set(`${offerId} ${period}`, count + 1);
        if (offerId !== 'daily') continue;
        streak = at - last <= 1 + GRACE ? streak + 1 : 1;
        last = at;
        const bonus = BONUS[Math.min(streak, BONUS.length) - 1] ?? 0;
        assert.deepEqual([one.streak, one.gave], [streak, { points: 10 + bonus }], day);
      }
      // Now and then a few days pass.
      clock.now += Math.floor((1 + random() * (random() < 0.1 ? 90 : 23)) * HOUR_MS);
    }
    assert.equal((await verify())?.ok, true);
  });
}

test('however often the zone changes, a day is claimed once', async () => {
  const [start, end] = [Date.UTC(2026, 0, 2), Date.UTC(2027, 0, 2)];
  const { claim, execute, verify } = await openRealm('UTC', start);
  const random = randomOf(7);
  const zones = ['Pacific/Apia', 'Pacific/Pago_Pago', 'Europe/Berlin', 'America/Sao_Paulo'];
  const claimed: string[] = [];
  let wall = wallIn('UTC');
  while (clock.now < end) {
    if (random() < 0.1) {
      const timeZone = zones[Math.floor(random() * zones.length)] ?? '';
      await execute(command('realm.update', { settings: { timeZone } }));
      wall = wallIn(timeZone);
    }
    const day = wall.format(clock.now);
    const one = await claim('daily');
    assert.equal('claimId' in one, day > (claimed.at(-1) ?? ''));
    if ('claimId' in one) claimed.push(`${one.period}`);
    clock.now += Math.floor((1 + random() * 11) * HOUR_MS);
  }
  assert.deepEqual(claimed, [...new Set(claimed)].sort());
  assert.equal((await verify())?.ok, true);
});
