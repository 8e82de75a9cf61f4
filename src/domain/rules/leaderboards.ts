import { effectOf, type Movement } from '../records.ts';
import { DAY_MS } from './time.ts';

/** A leaderboard ranks one point kind: all time by balance, or in a UTC window by points earned. */
export type Window = 'all' | 'day' | 'week' | 'month';

export const WINDOWS = ['day', 'week', 'month'] as const;

/** The leaderboard's name: the point kind, then the window and its first day if it has one. */
export function leaderboardOf(realmPointId: string, window: Window, at: number): string {
  if (window === 'all') return realmPointId;
  const first = new Date(windowStart(window, at)).toISOString().slice(0, 10);
  return `${realmPointId}@${window}:${first}`;
}

/** The start of the window that contains the instant; weeks start on Monday. */
function windowStart(window: Exclude<Window, 'all'>, at: number): number {
  const day = Math.floor(at / DAY_MS) * DAY_MS;
  const date = new Date(day);
  if (window === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  // getUTCDay counts from Sunday.
  return window === 'week' ? day - ((date.getUTCDay() + 6) % 7) * DAY_MS : day;
}

/** When the leaderboard's window ends; null for an all-time leaderboard. */
export function leaderboardEnd(leaderboard: string): number | null {
  const [, rest] = leaderboard.split('@');
  if (rest === undefined) return null;
  const [window, first = ''] = rest.split(':');
  const start = new Date(first);
  if (window === 'month') return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
  return start.getTime() + (window === 'week' ? 7 : 1) * DAY_MS;
}

/** Whether the leaderboard's window ended before the instant. */
export function hasEnded(leaderboard: string, before: number): boolean {
  const end = leaderboardEnd(leaderboard);
  return end !== null && end < before;
}

/**
 * The points a movement counts as earned: what the realm granted, less what it took back. Points
 * transferred between members were earned before, and opening balances elsewhere.
 */
export const earnedBy = (movement: Movement, tokens: number): number =>
  effectOf(movement).isEarned ? tokens : 0;
