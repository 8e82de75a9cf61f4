const DAY_MS = 24 * 60 * 60 * 1000;

let lastDay = { day: Number.NaN, date: '' };
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/**
 * An instant as answers tell it. What `Date` would say, at a sixth of its price: the instants of a
 * page mostly share their day, and were a fifth of the time of a statement.
 */
export function iso(at: number): string {
  const day = Math.floor(at / DAY_MS);
  if (day !== lastDay.day) {
    lastDay = { day, date: new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length) };
  }
  const milliseconds = at - day * DAY_MS;
  const seconds = Math.floor(milliseconds / 1000);
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const fraction = String(milliseconds % 1000).padStart(3, '0');
  const clock = `${twoDigits[hour]}:${twoDigits[minute]}:${twoDigits[seconds % 60]}`;
  return `${lastDay.date}${clock}.${fraction}Z`;
}

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
