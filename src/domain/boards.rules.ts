/** Boards: a kind of points, for all time or for what was earned in a window (UTC). */
export type Window = 'all' | 'day' | 'week' | 'month';

export const WINDOWS = ['day', 'week', 'month'] as const;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The board's name: the kind alone for all time, else with the window and its first day. */
export function boardOf(pointId: string, window: Window, at: number): string {
  if (window === 'all') return pointId;
  const first = new Date(windowStart(window, at)).toISOString().slice(0, 10);
  return `${pointId}@${window}:${first}`;
}

/** The first instant of the window that the instant is in; weeks begin on Monday. */
export function windowStart(window: Exclude<Window, 'all'>, at: number): number {
  const day = Math.floor(at / DAY_MS) * DAY_MS;
  const date = new Date(day);
  if (window === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  // getUTCDay counts from Sunday.
  return window === 'week' ? day - ((date.getUTCDay() + 6) % 7) * DAY_MS : day;
}

/** Whether a window board has ended before the instant, by its name. */
export function hasEnded(board: string, at: number): boolean {
  const [pointId = '', rest] = board.split('@');
  const window = rest?.split(':', 1)[0] as Exclude<Window, 'all'> | undefined;
  return window !== undefined && board < boardOf(pointId, window, at);
}

/**
 * What a movement counts as earned: what the realm gave, less what it took back. Points that change
 * hands between members were earned before.
 */
export function earnedBy(type: string, data: { reversedType?: string }, tokens: number): number {
  if (type === 'points.added') return tokens;
  return type === 'points.reversed' && data.reversedType === 'points.added' ? tokens : 0;
}
