import { DAY_MS } from './format.ts';

const NAMES = {
  month: new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  week: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }),
};

/** A week, from Monday, or a month of UTC. */
export type Span = keyof typeof NAMES;

function startOf(span: Span, at: number): number {
  const date = new Date(at);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (span === 'month') return Date.UTC(year, month, 1);
  return Date.UTC(year, month, day) - ((date.getUTCDay() + 6) % 7) * DAY_MS;
}

const MOST = 60;

/** Those that are over, newest first, back to the one that an instant is in. */
export function pastPeriods(span: Span, since: number, now: number) {
  const periods: { value: string; label: string }[] = [];
  const first = startOf(span, since);
  let start = startOf(span, startOf(span, now) - 1);
  for (; start >= first && periods.length < MOST; start = startOf(span, start - 1)) {
    const label = `${span === 'week' ? 'Week of ' : ''}${NAMES[span].format(start)}`;
    periods.push({ value: new Date(start).toISOString().slice(0, 10), label });
  }
  return periods;
}

/** The last instant before a period that is named by its first day. */
export const before = (day: string): string => new Date(Date.parse(day) - 1).toISOString();
