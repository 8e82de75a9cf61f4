import type { Claim, Offer } from '@realmkeep/client';
import { formatNumber, plural } from './format.ts';

/** Points by kind. */
export type Amounts = Record<string, number>;
/** What is said of an offer before it is saved, too. */
export type Terms = Pick<
  Offer,
  | 'name'
  | 'description'
  | 'emoji'
  | 'gives'
  | 'costs'
  | 'perMember'
  | 'stock'
  | 'opensAt'
  | 'closesAt'
  | 'requires'
  | 'delivery'
  | 'streak'
  | 'isListed'
>;

type Status = Offer['status'] | Claim['status'];

/** What states of offers and claims are called, and how they look. */
export const STATES: Record<Status, { label: string; tone: string }> = {
  open: { label: 'Open', tone: 'in' },
  upcoming: { label: 'Opens later', tone: 'accent' },
  soldOut: { label: 'Sold out', tone: 'held' },
  closed: { label: 'Closed', tone: '' },
  archived: { label: 'Archived', tone: '' },
  pending: { label: 'Waiting', tone: 'held' },
  done: { label: 'Done', tone: 'in' },
  rejected: { label: 'Rejected', tone: 'out' },
};

export const choicesOf = (states: Status[]) =>
  states.map((value) => ({ value: value as string, label: STATES[value].label }));

export type PerMember = NonNullable<Offer['perMember']>;

const EACH: Record<PerMember['period'], string> = {
  ever: ' per member',
  day: ' a day',
  week: ' a week',
  month: ' a month',
};

const COUNTS = ['', 'Once', 'Twice'];

/** "Once a day", "3 times a week", "Once per member"; null without a limit. */
export function limitText(perMember: Offer['perMember']): string | null {
  if (!perMember) return null;
  const { times, period } = perMember;
  return `${COUNTS[times] ?? `${formatNumber(times)} times`}${EACH[period]}`;
}

/** "In a row, days 2–3: +5 · day 4 and later: +10", without the days that add nothing. */
export function streakText(streak: Offer['streak']): string | null {
  if (!streak) return null;
  const { bonus, graceDays } = streak;
  const days = bonus.flatMap((more, index) => {
    // Days with the same bonus in a row are said once.
    if (more === 0 || (index > 0 && bonus[index - 1] === more)) return [];
    const end = bonus.findIndex((other, at) => at > index && other !== more);
    if (end < 0) return [`day ${index + 1} and later: +${formatNumber(more)}`];
    const which = end === index + 1 ? `day ${end}` : `days ${index + 1}–${end}`;
    return [`${which}: +${formatNumber(more)}`];
  });
  if (days.length === 0) return null;
  const grace = graceDays > 0 ? ` · ${plural(graceDays, 'day')} may be missed` : '';
  return `In a row, ${days.join(' · ')}${grace}`;
}

/** How many are left; null if there is no end of them. */
export function leftText(stockLeft: number | null): string | null {
  if (stockLeft === null) return null;
  return stockLeft === 0 ? 'Sold out' : `${formatNumber(stockLeft)} left`;
}

/** What a member must have; `say` names amounts, `nameOf` an offer. */
export function requirementText(
  requires: Offer['requires'],
  say: (amounts: Amounts) => string,
  nameOf: (offerId: string) => string,
): string | null {
  const { minimumBalance = {}, claimed } = requires ?? {};
  const needs = [
    ...(Object.keys(minimumBalance).length > 0 ? [`have at least ${say(minimumBalance)}`] : []),
    ...(claimed === undefined ? [] : [`have claimed “${nameOf(claimed)}”`]),
  ];
  return needs.length > 0 ? `For members who ${needs.join(' and ')}` : null;
}

/** Whether an emoji can be shown as such: programs may use the name of one. */
export const isEmoji = (text: string | null): text is string =>
  text !== null && /\P{ASCII}/u.test(text) && [...new Intl.Segmenter().segment(text)].length === 1;
