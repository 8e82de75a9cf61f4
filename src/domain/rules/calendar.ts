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

/**
 * The local date at an instant, such as `2026-11-18`: days compare as these texts do. No zone
 * changes it within a minute.
 */
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

const numberOf = (day: string): number => Date.parse(day) / DAY_MS;
const dayOfNumber = (number: number): string =>
  new Date(number * DAY_MS).toISOString().slice(0, '0000-00-00'.length);

/** The ISO week, such as `2026-W47`: it is of the year that its Thursday is in. */
function weekOf(day: string): string {
  const thursday = mondayOf(day) + 3;
  const year = dayOfNumber(thursday).slice(0, 4);
  const week = Math.floor((thursday - numberOf(`${year}-01-01`)) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** 1970-01-01 was a Thursday. */
const mondayOf = (day: string): number => numberOf(day) - ((numberOf(day) + 3) % 7);

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
  if (period === 'day') return startOf(timeZone, dayOfNumber(numberOf(day) + 1));
  if (period === 'week') return startOf(timeZone, dayOfNumber(mondayOf(day) + 7));
  // The first day of a month and 31 days are always in the next one.
  const inNext = dayOfNumber(numberOf(`${day.slice(0, 7)}-01`) + 31);
  return startOf(timeZone, `${inNext.slice(0, 7)}-01`);
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
export const datesAfter = (first: string, last: string): number => numberOf(last) - numberOf(first);
