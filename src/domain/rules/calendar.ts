import type { Period } from '../offer.ts';
import { DAY_MS } from './time.ts';

const DATE = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
const MOMENT = { dateStyle: 'long', timeStyle: 'short' } as const;

/** More names than there are, however they are spelled. */
const MAX_FORMATS = 1_000;

/** What writes instants by the calendars of time zones, in a way of English. */
function formatsOf(locale: string, options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    if (formats.size > MAX_FORMATS) formats.clear();
    const make = () =>
      new Intl.DateTimeFormat(locale, { ...options, calendar: 'gregory', timeZone });
    return formats.getOrInsertComputed(timeZone, make);
  };
}

const dateOf = formatsOf('en', DATE);
const momentOf = formatsOf('en-GB', MOMENT);

/** An instant as people read it: "19 November 2026 at 00:00 (Europe/Berlin)". */
export const momentIn = (timeZone: string, at: number): string =>
  `${momentOf(timeZone).format(at)} (${timeZone})`;

/** Whether it is the IANA name of a time zone; an offset is none, since it knows no summer. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** The last instant that each zone was asked for, in minutes. */
const lastDays = new Map<string, { minute: number; date: string }>();

/** The local date at an instant, such as `2026-11-18`. No zone changes it within a minute. */
export function dayIn(timeZone: string, at: number): string {
  const minute = Math.floor(at / 60_000);
  const last = lastDays.get(timeZone);
  if (last?.minute === minute) return last.date;
  const [month, day, year = ''] = dateOf(timeZone)
    .format(minute * 60_000)
    .split('/');
  const date = `${year.padStart(4, '0')}-${month}-${day}`;
  if (lastDays.size > MAX_FORMATS) lastDays.clear();
  lastDays.set(timeZone, { minute, date });
  return date;
}

/** The first day of the window that contains the instant, from 1970; weeks start on Monday. */
export function firstDay(window: Exclude<Period, 'ever'>, at: number): number {
  const day = Math.floor(at / DAY_MS);
  const date = new Date(day * DAY_MS);
  if (window === 'month') return day - date.getUTCDate() + 1;
  // getUTCDay counts from Sunday.
  return window === 'week' ? day - ((date.getUTCDay() + 6) % 7) : day;
}

export function endOfWindow(window: Exclude<Period, 'ever'>, at: number): number {
  const first = firstDay(window, at);
  if (window === 'month') return firstDay(window, (first + 31) * DAY_MS) * DAY_MS;
  return (first + (window === 'week' ? 7 : 1)) * DAY_MS;
}

/** The ISO week, such as `2026-W47`. */
function weekOf(day: string): string {
  const { yearOfWeek, weekOfYear } = Temporal.PlainDate.from(day);
  return `${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}`;
}

/** The name of the period that a day is in; null for good. */
export function periodOf(period: Period, day: string): string | null {
  switch (period) {
    case 'ever':
      return null;
    case 'day':
      return day;
    case 'week':
      return weekOf(day);
    case 'month':
      return day.slice(0, '0000-00'.length);
  }
}

/** When the period after that of a day begins; null if none does. */
export function nextStart(timeZone: string, period: Period, day: string): number | null {
  if (period === 'ever') return null;
  const next = new Date(endOfWindow(period, Date.parse(day)));
  return startOf(timeZone, next.toISOString().slice(0, '0000-00-00'.length));
}

/** No zone is further from UTC than this. */
const MAX_OFFSET_MS = DAY_MS;

/** The first instant of a day or, where a zone has skipped it, of the day after. */
function startOf(timeZone: string, day: string): number {
  const midnight = Date.parse(day);
  let [before, from] = [midnight - MAX_OFFSET_MS, midnight + 2 * MAX_OFFSET_MS];
  while (from - before > 1) {
    const at = Math.floor((before + from) / 2);
    if (dayIn(timeZone, at) < day) before = at;
    else from = at;
  }
  return from;
}

/** How many days after a day another one is. One that the zone has skipped does not count. */
export function daysAfter(timeZone: string, first: string, last: string): number {
  const elapsed = startOf(timeZone, last) - startOf(timeZone, first);
  return Math.round(elapsed / DAY_MS);
}

/** The same without a look at the zone: never less. */
export const datesAfter = (first: string, last: string): number =>
  (Date.parse(last) - Date.parse(first)) / DAY_MS;
