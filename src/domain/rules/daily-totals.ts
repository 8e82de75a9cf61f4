import { MAX_POINTS } from '../model.ts';
import type { MovementType, RecordOf } from '../records.ts';
import type { Comparison } from './audit.ts';
import { DAY_MS } from './time.ts';

/** The days of a realm, each from midnight to midnight in UTC, numbered from 1970-01-01. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** The day of the rows that add up all days. */
export const ALL_DAYS = -1;
/** The kind of points of the rows that count all records, whatever they are about. */
export const ALL_RECORDS = '';

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
export type DailyTotals = DayKey & { records: number } & Record<Amount, string>;

export type DayChanges = Map<string, DayChange>;

const keyOf = ({ day, realmPointId }: DayKey): string => `${day} ${realmPointId}`;

const noTotals = ({ day, realmPointId }: DayKey): DailyTotals => {
  return { day, realmPointId, records: 0, issued: '0', spent: '0', opened: '0', held: '0' };
};

/** The types of records that change amounts. */
type CountedType = MovementType | 'points.held' | 'points.released';

type Counted = RecordOf<CountedType>;

/** Counts a record, and what it did with points if it is about points. */
export function countRecord(changes: DayChanges, at: number, points: Counted | null): void {
  for (const day of [dayOf(at), ALL_DAYS]) {
    changeOf(changes, { day, realmPointId: ALL_RECORDS }).records += 1;
    if (points === null) continue;
    const change = changeOf(changes, { day, realmPointId: points.data.realmPointId });
    change.records += 1;
    addAmounts(change, points);
  }
}

function changeOf(changes: DayChanges, key: DayKey): DayChange {
  return changes.getOrInsertComputed(keyOf(key), () => {
    return { ...key, records: 0, issued: 0n, spent: 0n, opened: 0n, held: 0n };
  });
}

/** A transfer issues and spends nothing. */
function addAmounts(change: DayChange, { type, data }: Counted): void {
  const tokens = BigInt(data.tokens);
  if (type === 'points.held') change.held += tokens;
  if (type === 'points.released' || type === 'points.captured') change.held -= tokens;
  if (type === 'points.reversed') {
    const reversed = amountOf(data.reversedType, 'recipientId' in data);
    if (reversed) change[reversed] -= tokens;
    return;
  }
  const amount = amountOf(type, 'recipientId' in data);
  if (amount) change[amount] += tokens;
}

function amountOf(type: CountedType, hasRecipient: boolean): Amount | null {
  if (type === 'points.added') return 'issued';
  if (type === 'points.opened') return 'opened';
  if (type === 'points.subtracted') return 'spent';
  return type === 'points.captured' && !hasRecipient ? 'spent' : null;
}

/** The stored rows after the changes. */
export function applyDayChanges(
  stored: readonly DailyTotals[],
  changes: DayChanges,
): DailyTotals[] {
  const rows = new Map(stored.map((row) => [keyOf(row), row]));
  return Array.from(changes, ([key, change]) => {
    const before = rows.get(key) ?? noTotals(change);
    const row = { ...before, records: before.records + change.records };
    for (const name of AMOUNTS) row[name] = String(BigInt(before[name]) + change[name]);
    return row;
  });
}

/** A sum as a number that every client can read: beyond the largest one, that one. */
export const shownAmount = (sum: bigint): number =>
  Number(sum > MAX_POINTS ? MAX_POINTS : sum < -MAX_POINTS ? -MAX_POINTS : sum);

/** How many points all members have together. */
export const circulationOf = ({ issued, spent, opened }: DailyTotals): number =>
  shownAmount(BigInt(issued) - BigInt(spent) + BigInt(opened));

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
