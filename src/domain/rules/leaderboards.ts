import type { Movement } from '../records.ts';
import { DAY_MS } from './time.ts';

/** Boards: a kind of points, for all time or for what was earned in a window (UTC). */
export type Window = 'all' | 'day' | 'week' | 'month';

export const WINDOWS = ['day', 'week', 'month'] as const;

/** The board's name: the kind alone for all time, else with the window and its first day. */
export function leaderboardOf(realmPointId: string, window: Window, at: number): string {
  if (window === 'all') return realmPointId;
  const first = new Date(windowStart(window, at)).toISOString().slice(0, 10);
  return `${realmPointId}@${window}:${first}`;
}

/** The first instant of the window that the instant is in; weeks begin on Monday. */
export function windowStart(window: Exclude<Window, 'all'>, at: number): number {
  const day = Math.floor(at / DAY_MS) * DAY_MS;
  const date = new Date(day);
  if (window === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  // getUTCDay counts from Sunday.
  return window === 'week' ? day - ((date.getUTCDay() + 6) % 7) * DAY_MS : day;
}

/** When the window of a board ends, by its name; null for a board of all time. */
export function leaderboardEnd(board: string): number | null {
  const [, rest] = board.split('@');
  if (rest === undefined) return null;
  const [window, first = ''] = rest.split(':');
  const start = new Date(first);
  if (window === 'month') return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
  return start.getTime() + (window === 'week' ? 7 : 1) * DAY_MS;
}

/**
 * What a movement counts as earned: what the realm gave, less what it took back. Points that change
 * hands between members were earned before.
 */
export function earnedBy({ type, data }: Movement, tokens: number): number {
  if (type === 'points.added') return tokens;
  return type === 'points.reversed' && data.reversedType === 'points.added' ? tokens : 0;
}
