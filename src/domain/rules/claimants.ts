import type { Claimant, ClaimRow, Period, Streak } from '../offer.ts';
import { datesAfter, daysAfter, periodOf } from './calendar.ts';

type Counted = Omit<ClaimRow, 'id' | 'status'> & { day: string; streak: number | null };

/** An id of an offer has no colon. */
export const claimantKey = (one: { offerId: string; memberId: string }): string =>
  `${one.offerId}:${one.memberId}`;

/** Never one before the last, though clock or time zone were set back: so no period comes twice. */
export const countedDay = (claimant: Claimant | undefined, today: string): string =>
  claimant && claimant.day > today ? claimant.day : today;

/** How much a member has claimed in the period of a day that is not before its last. */
export function countIn(claimant: Claimant | undefined, period: Period, day: string): number {
  if (!claimant) return 0;
  const counts = {
    ever: claimant.total,
    day: claimant.inDay,
    week: claimant.inWeek,
    month: claimant.inMonth,
  };
  const isSame = claimant.day === day || periodOf(period, claimant.day) === periodOf(period, day);
  return isSame ? counts[period] : 0;
}

export function withClaim(before: Claimant | undefined, claim: Counted): Claimant {
  const { offerId, memberId, quantity, day, streak } = claim;
  const last = before && lastDay(before, day);
  return {
    offerId,
    memberId,
    total: countIn(before, 'ever', day) + quantity,
    day,
    inDay: countIn(before, 'day', day) + quantity,
    inWeek: countIn(before, 'week', day) + quantity,
    inMonth: countIn(before, 'month', day) + quantity,
    streak: streak ?? 0,
    dayBefore: last?.day ?? '',
    streakBefore: last?.streak ?? 0,
  };
}

export function withoutClaim(
  claimant: Claimant,
  { quantity, day }: Pick<Counted, 'quantity' | 'day'>,
): Claimant {
  const left = (period: Period): number =>
    countIn(claimant, period, claimant.day) -
    (periodOf(period, day) === periodOf(period, claimant.day) ? quantity : 0);
  const counts = { inDay: left('day'), inWeek: left('week'), inMonth: left('month') };
  return { ...claimant, total: left('ever'), ...counts };
}

/** The last day before this one with a claim that was not rejected. */
function lastDay({ day, inDay, streak, dayBefore, streakBefore }: Claimant, today: string) {
  return day < today && inDay > 0 ? { day, streak } : { day: dayBefore, streak: streakBefore };
}

/** Which day in a row a day is. */
export function streakOn(
  claimant: Claimant | undefined,
  { graceDays }: Streak,
  day: string,
  timeZone: string,
): number {
  if (!claimant) return 1;
  if (claimant.day === day && claimant.inDay > 0) return Math.max(1, claimant.streak);
  const last = lastDay(claimant, day);
  if (last.day === '') return 1;
  const most = 1 + graceDays;
  const isInRow = datesAfter(last.day, day) <= most || daysAfter(timeZone, last.day, day) <= most;
  return isInRow ? last.streak + 1 : 1;
}
