import { DAY_MS } from './format.ts';

const instant = (day: string, later: number): string | undefined => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at + later).toISOString();
};

/** The first instant of a day of UTC such as `2026-11-14`; undefined if it is no day. */
export const dayStart = (day: string): string | undefined => instant(day, 0);

/** The first instant after it. */
export const dayEnd = (day: string): string | undefined => instant(day, DAY_MS);
