import type { RealmRow } from '../model.ts';

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

export const iso = (at: number): string => new Date(at).toISOString();

/**
 * Clocks of several nodes differ, and are corrected, by this much without anybody noticing: a batch
 * then repeats the last instant.
 */
export const CLOCK_TOLERANCE_MS = 5_000;

type RealmClock = Pick<RealmRow, 'seq' | 'lastAt' | 'clockAt' | 'setBackSeq'>;

/**
 * The realm's instants after a batch that is decided at `now`. Those of the journal never go back:
 * after a clock that was ahead has been corrected, they repeat the last one until the clock
 * reaches it. Records written meanwhile state their true instant as well (`occurredAt`).
 */
export function clockAfter(
  { seq, lastAt, clockAt: last, setBackSeq }: RealmClock,
  now: number,
): Omit<RealmClock, 'seq'> {
  const isSetBack = now < last - CLOCK_TOLERANCE_MS;
  const clockAt = isSetBack ? now : Math.max(now, last);
  if (clockAt >= lastAt) return { lastAt: clockAt, clockAt, setBackSeq: null };
  return { lastAt, clockAt, setBackSeq: isSetBack ? seq + 1 : setBackSeq };
}

/** When a record was written: `at`, unless the journal was ahead of the clock. */
export const instantOf = (at: number, { occurredAt }: { occurredAt?: string }): number =>
  occurredAt === undefined ? at : Date.parse(occurredAt);
