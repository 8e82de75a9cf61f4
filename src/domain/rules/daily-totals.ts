import { type Sum, sumOf } from '../model.ts';
import { claimSides } from '../postings.ts';
import { type CLAIM_TYPES, effectOf, isClaim, type Movement, type RecordOf } from '../records.ts';
import type { Comparison } from './comparison.ts';
import { DAY_MS } from './time.ts';

/** The days of a realm, each from midnight to midnight in UTC, numbered from 1970-01-01. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** The kind of points of the rows that count the records about no points. */
const NO_KIND = '';

interface DayKey {
  day: number;
  realmPointId: string;
}

const AMOUNTS = ['issued', 'spent', 'opened', 'held'] as const;
type Amount = (typeof AMOUNTS)[number];

/**
 * What happened to one kind of points in a day. Of what was issued, what was taken back by
 * reversals is subtracted, and the same goes for what was spent. `opened` are opening balances, and
 * `held` is by how much the points on hold became more.
 */
type DayChange = DayKey & { records: number } & Record<Amount, bigint>;

/** As it is stored. Amounts are digits: sums over many members may exceed 2^53. */
export type Sums = Record<Amount, string>;
export type DailyTotals = DayKey & { records: number } & Sums;

export type DayChanges = Map<string, DayChange>;

const keyOf = ({ day, realmPointId }: DayKey): string => `${day} ${realmPointId}`;

const noTotals = ({ day, realmPointId }: DayKey): DailyTotals => {
  return { day, realmPointId, records: 0, issued: '0', spent: '0', opened: '0', held: '0' };
};

/** The records that change amounts. */
type Counted = Movement | RecordOf<'points.held' | 'points.released'>;

const isOfHold = (record: Counted): record is RecordOf<'points.held' | 'points.released'> =>
  record.type === 'points.held' || record.type === 'points.released';

/**
 * Counts a record, and what it did with points if it is about points. One of several kinds counts
 * as a record of the first.
 */
export function countRecord(changes: DayChanges, at: number, record: Counted | null): void {
  const day = dayOf(at);
  const of = (realmPointId: string): DayChange =>
    changes.getOrInsertComputed(keyOf({ day, realmPointId }), () => {
      return { day, realmPointId, records: 0, issued: 0n, spent: 0n, opened: 0n, held: 0n };
    });
  if (record && !isOfHold(record) && isClaim(record)) {
    const sides = claimSides(record);
    of(sides[0]?.realmPointId ?? NO_KIND).records += 1;
    for (const { realmPointId, issued, spent } of sides) {
      const change = of(realmPointId);
      change.issued += BigInt(issued);
      change.spent += BigInt(spent);
    }
  } else {
    const change = of(record?.data.realmPointId ?? NO_KIND);
    change.records += 1;
    if (record) addAmounts(change, record);
  }
}

type CountedPoints = Exclude<Counted, RecordOf<(typeof CLAIM_TYPES)[number]>>;

/** What goes from one member to another is neither issued nor spent. */
function addAmounts(change: DayChange, record: CountedPoints): void {
  const { type, data } = record;
  const tokens = BigInt(data.tokens);
  if (type === 'points.held') change.held += tokens;
  if (type === 'points.released' || type === 'points.captured') change.held -= tokens;
  if (isOfHold(record)) return;
  const { total } = effectOf(record);
  if (total === null || 'recipientId' in data) return;
  change[total] += type === 'points.reversed' ? -tokens : tokens;
}

/** What is added to the stored rows. */
export const dayRows = (changes: DayChanges): DailyTotals[] =>
  Array.from(changes.values(), ({ issued, spent, opened, held, ...row }) => ({
    ...row,
    issued: String(issued),
    spent: String(spent),
    opened: String(opened),
    held: String(held),
  }));

/** How many points all members have together. */
export const circulationOf = ({ issued, spent, opened }: Sums): Sum =>
  sumOf(BigInt(issued) - BigInt(spent) + BigInt(opened));

/** A row for each day, from the first to the last, also for those without any. */
export function everyDay(
  stored: readonly DailyTotals[],
  realmPointId: string,
  { from, to }: { from: number; to: number },
): DailyTotals[] {
  const rows = new Map(stored.map((row) => [keyOf(row), row]));
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const key = { day: from + index, realmPointId };
    return rows.get(keyOf(key)) ?? noTotals(key);
  });
}

/** How many records each day has, whatever they are about. */
export function recordsByDay(
  stored: readonly DailyTotals[],
  { from, to }: { from: number; to: number },
): { day: number; records: number }[] {
  const days = Array.from({ length: to - from + 1 }, (_, index) => {
    return { day: from + index, records: 0 };
  });
  for (const { day, records } of stored) {
    const found = days[day - from];
    if (found) found.records += records;
  }
  return days;
}

/** Compares stored rows with those that the journal adds up to. */
export function compareDays(expected: readonly DailyTotals[]): Comparison<DailyTotals> {
  const textOf = ({ records, issued, spent, opened, held }: DailyTotals): string =>
    [records, issued, spent, opened, held].join(' ');
  const stored = new Map<string, string>();
  return {
    add: (row) => {
      stored.set(keyOf(row), textOf(row));
      return null;
    },
    end: () => {
      const wrong = expected.find((row) => stored.get(keyOf(row)) !== textOf(row));
      if (!wrong && stored.size === expected.length) return null;
      const detail = wrong
        ? `the totals of day ${wrong.day} differ from the journal`
        : 'there are totals of days without records';
      return { seq: null, projection: 'daily_totals', detail };
    },
  };
}
