const NUMBER = new Intl.NumberFormat();
const SIGNED = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' });
const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A whole number: digits or a bigint where it may exceed what a JavaScript number holds. */
export type Figure = number | string | bigint;

const exact = (value: Figure): number | bigint =>
  typeof value === 'string' ? BigInt(value) : value;

export const formatNumber = (value: Figure): string => NUMBER.format(exact(value));
/** With a true minus, which is as wide as a plus. */
export const formatSigned = (value: Figure): string =>
  SIGNED.format(exact(value)).replace('-', '−');
/** Of a part, without its sign. */
export const formatPercent = (part: number): string => PERCENT.format(Math.abs(part));
/** For the axes of charts only: everywhere else figures are exact. */
export const formatCompact = (value: number): string => COMPACT.format(value);
/** A moment in the reader's time zone, such as fields of a form have it. */
export const formatMoment = (at: string): string => MOMENT.format(Date.parse(at));
/** A day of UTC, as charts group by it. */
export const formatDay = (at: number): string => DAY.format(at);

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY_MS = 24 * HOUR;

const UNITS: [Intl.RelativeTimeFormatUnit, number, number][] = [
  ['second', SECOND, MINUTE],
  ['minute', MINUTE, HOUR],
  ['hour', HOUR, DAY_MS],
  ['day', DAY_MS, 7 * DAY_MS],
];

/** "2 min. ago" within a week, a date before that. */
export function formatAgo(at: number, now: number): string {
  const distance = at - now;
  if (Math.abs(distance) < 10 * SECOND) return RELATIVE.format(0, 'second');
  const unit = UNITS.find(([, , limit]) => Math.abs(distance) < limit);
  if (!unit) return DATE.format(at);
  return RELATIVE.format(Math.trunc(distance / unit[1]), unit[0]);
}

/** The exact instant, as the service writes it. */
export const formatInstant = (at: string): string =>
  at.replace('T', ' ').replace(/(\.\d+)?Z$/, '$1 UTC');

/** `80351110224678912` as `8035…8912`; what is short stays as it is. */
export const shortId = (id: string, keep = 4): string =>
  id.length <= 2 * keep + 3 ? id : `${id.slice(0, keep)}…${id.slice(-keep)}`;

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
