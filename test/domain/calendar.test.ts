import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claimant, Period } from '../../src/domain/offer.ts';
import { dayIn, isTimeZone, nextStart, periodOf } from '../../src/domain/rules/calendar.ts';
import {
  countedDay,
  countIn,
  streakOn,
  withClaim,
  withoutClaim,
} from '../../src/domain/rules/claimants.ts';

const HOUR_MS = 3_600_000;

/** Each with a change of its clock, or a day that it has skipped. */
const ZONES = [
  ['Pacific/Apia', 2011],
  ['Pacific/Apia', 2026],
  ['Europe/Berlin', 2026],
  ['America/Sao_Paulo', 2018],
  ['America/Sao_Paulo', 2026],
  ['America/New_York', 2026],
  ['Asia/Kathmandu', 2026],
] as const;

/** The date on the wall, from another part of the library than the one under test. */
const clockOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone });

/** The ISO week by counting the Thursdays of a year. */
function weekByThursdays(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const year = date.getUTCFullYear();
  let week = 0;
  for (let at = Date.UTC(year, 0, 1); at <= date.getTime(); at += 24 * HOUR_MS) {
    if (new Date(at).getUTCDay() === 4) week += 1;
  }
  return `${year}-W${String(week).padStart(2, '0')}`;
}

for (const [timeZone, year] of ZONES) {
  test(`every hour of ${year} in ${timeZone} has its day, week and month`, () => {
    const [seen, wall] = [new Set<string>(), clockOf(timeZone)];
    for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += HOUR_MS) {
      const day = dayIn(timeZone, at);
      assert.equal(day, wall.format(at));
      if (seen.has(day)) continue;
      seen.add(day);
      assert.equal(periodOf('week', day), weekByThursdays(day));
      assert.equal(periodOf('month', day), day.slice(0, 7));
      for (const period of ['day', 'week', 'month'] as const) checkNext(timeZone, period, at, day);
    }
  });
}

/** The next period begins at an instant, and not a millisecond before. */
function checkNext(timeZone: string, period: Period, at: number, day: string): void {
  const next = nextStart(timeZone, period, day) ?? 0;
  assert.ok(next > at, `${period} of ${day}`);
  assert.notEqual(periodOf(period, dayIn(timeZone, next)), periodOf(period, day));
  assert.equal(periodOf(period, dayIn(timeZone, next - 1)), periodOf(period, day));
}

test('known instants: summer time, a skipped day, midnight that does not exist', () => {
  const next = (zone: string, day: string) => new Date(nextStart(zone, 'day', day) ?? 0).toJSON();
  assert.equal(next('Europe/Berlin', '2026-03-28'), '2026-03-28T23:00:00.000Z');
  assert.equal(next('Europe/Berlin', '2026-03-29'), '2026-03-29T22:00:00.000Z');
  assert.equal(next('Pacific/Apia', '2011-12-29'), '2011-12-30T10:00:00.000Z');
  // At midnight, clocks went from 23:59 to 01:00.
  assert.equal(next('America/Sao_Paulo', '2018-11-03'), '2018-11-04T03:00:00.000Z');
  assert.equal(periodOf('week', '2027-01-01'), '2026-W53');
  assert.equal(periodOf('week', '2024-12-30'), '2025-W01');
  assert.equal(nextStart('UTC', 'ever', '2026-01-01'), null);
});

test('a time zone is an IANA name', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires']) {
    assert.ok(isTimeZone(name), name);
  }
  for (const name of ['', '+01:00', 'Mars/Olympus', 'Berlin', ' UTC']) {
    assert.ok(!isTimeZone(name), name);
  }
});

const claim = (day: string, streak: number | null = null, quantity = 1) => {
  return { offerId: 'daily', memberId: '1', quantity, day, streak };
};

test('counts are of the day, the week, the month and in all, whatever the limit says', () => {
  let claimant: Claimant | undefined;
  for (const day of ['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-01']) {
    claimant = withClaim(claimant, claim(day));
  }
  const counts = (day: string) =>
    (['ever', 'month', 'week', 'day'] as const).map((one) => countIn(claimant, one, day));
  assert.deepEqual(counts('2026-12-01'), [4, 2, 3, 2]);
  assert.deepEqual(counts('2026-12-02'), [4, 2, 3, 0]);
  assert.deepEqual(counts('2027-01-01'), [4, 0, 0, 0]);
  claimant = claimant && withoutClaim(claimant, { day: '2026-11-30', quantity: 1 });
  assert.deepEqual(counts('2026-12-01'), [3, 2, 2, 2]);
  // A zone further west, or a clock that was set back, brings no day twice.
  assert.equal(countedDay(claimant, '2026-11-30'), '2026-12-01');
  assert.equal(countedDay(claimant, '2026-12-02'), '2026-12-02');
});

test('days in a row: grace, a rejected day, and a day that the zone has skipped', () => {
  let claimant: Claimant | undefined;
  const streak = (day: string, graceDays: number, zone = 'UTC') => {
    const own = streakOn(claimant, { bonus: [1], graceDays }, day, zone);
    claimant = withClaim(claimant, claim(day, own));
    return own;
  };
  const days = ['2026-11-01', '2026-11-02', '2026-11-02', '2026-11-04', '2026-11-07'];
  assert.deepEqual(
    days.map((day) => streak(day, 1)),
    [1, 2, 2, 3, 1],
  );
  assert.equal(streak('2026-11-08', 1), 2);
  claimant = claimant && withoutClaim(claimant, { day: '2026-11-08', quantity: 1 });
  assert.equal(streakOn(claimant, { bonus: [1], graceDays: 0 }, '2026-11-09', 'UTC'), 1);
  assert.equal(streak('2026-11-08', 0), 2);
  claimant = undefined;
  const inApia = ['2011-12-28', '2011-12-29', '2011-12-31', '2012-01-02'];
  assert.deepEqual(
    inApia.map((day) => streak(day, 0, 'Pacific/Apia')),
    [1, 2, 3, 1],
  );
});
