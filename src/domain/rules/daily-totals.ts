import { type Sum, sumOf } from '../model.ts';
import {
  claimSides,
  effectOf,
  isClaim,
  isMovement,
  type Movement,
  type PointsMovement,
} from '../movements.ts';
import type { RecordOf } from '../records.ts';
import { DAY_MS } from './time.ts';

/** The days of a realm, each from midnight to midnight in UTC, numbered from 1970-01-01. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** The kind of points of the rows that count the records about no points. */
const NO_KIND = '';

interface DayKey {
  day: number;
  realmPointId: string;
}

interface Counts {
  records: number;
  /** By how many the members became more. */
  members: number;
}

type Amount = 'issued' | 'spent' | 'opened' | 'held';

/** Less what was reversed. `held` is by how much the points on hold became more. */
type DayChange = DayKey & Counts & Record<Amount, bigint>;

/** As it is stored. Amounts are digits: sums over many members may exceed 2^53. */
export type Sums = Record<Amount, string>;
export type DailyTotals = DayKey & Counts & Sums;

export type DayChanges = Map<string, DayChange>;

export const dayKey = ({ day, realmPointId }: DayKey): string => `${day} ${realmPointId}`;

const noTotals = ({ day, realmPointId }: DayKey): DailyTotals => {
  const sums = { issued: '0', spent: '0', opened: '0', held: '0' };
  return { day, realmPointId, records: 0, members: 0, ...sums };
};

type HoldRecord = RecordOf<'points.held' | 'points.released'>;

const isOfHold = (record: RecordOf): record is HoldRecord =>
  record.type === 'points.held' || record.type === 'points.released';

/** One of several kinds of points counts as a record of the first. */
export function countRecord(changes: DayChanges, at: number, record: RecordOf): void {
  const day = dayOf(at);
  const of = (realmPointId: string): DayChange =>
    changes.getOrInsertComputed(dayKey({ day, realmPointId }), () => {
      const sums = { issued: 0n, spent: 0n, opened: 0n, held: 0n };
      return { day, realmPointId, records: 0, members: 0, ...sums };
    });
  if (!isMovement(record) && !isOfHold(record)) {
    const { type } = record;
    const change = of(NO_KIND);
    change.records += 1;
    change.members += Number(type === 'member.created') - Number(type === 'member.removed');
  } else if (!isOfHold(record) && isClaim(record)) {
    const sides = claimSides(record);
    of(sides[0]?.realmPointId ?? NO_KIND).records += 1;
    for (const { realmPointId, issued, spent } of sides) {
      const change = of(realmPointId);
      change.issued += BigInt(issued);
      change.spent += BigInt(spent);
    }
  } else {
    const change = of(record.data.realmPointId);
    change.records += 1;
    addAmounts(change, record);
  }
}

/** What goes from one member to another is neither issued nor spent. */
function addAmounts(change: DayChange, record: PointsMovement | HoldRecord): void {
  const { type, data } = record;
  const tokens = BigInt(data.tokens);
  if (type === 'points.held') change.held += tokens;
  if (type === 'points.released' || type === 'points.captured') change.held -= tokens;
  if (isOfHold(record)) return;
  const { total } = effectOf(record);
  if (total === null || 'recipientId' in data) return;
  change[total] += type === 'points.reversed' ? -tokens : tokens;
}

export const dayRows = (changes: DayChanges): DailyTotals[] =>
  Array.from(changes.values(), ({ issued, spent, opened, held, ...row }) => ({
    ...row,
    issued: String(issued),
    spent: String(spent),
    opened: String(opened),
    held: String(held),
  }));

export const circulationOf = ({ issued, spent, opened }: Sums): Sum =>
  sumOf(BigInt(issued) - BigInt(spent) + BigInt(opened));

type Range = { from: number; to: number };

/** A row for each day, from the first to the last, also for those without any. */
function everyDay(
  stored: readonly DailyTotals[],
  realmPointId: string,
  { from, to }: Range,
): DailyTotals[] {
  const rows = new Map(stored.map((row) => [dayKey(row), row]));
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const key = { day: from + index, realmPointId };
    const { members } = rows.get(dayKey({ ...key, realmPointId: NO_KIND })) ?? noTotals(key);
    return { ...(rows.get(dayKey(key)) ?? noTotals(key)), members };
  });
}

/** The same with what there was at the end of each day. The stored rows go on to the last one. */
export function withLevels(
  stored: readonly DailyTotals[],
  realmPointId: string,
  range: Range,
  { members, circulation }: { members: number; circulation: bigint },
) {
  for (const row of stored.filter(({ day }) => day > range.to)) {
    members -= row.members;
    if (row.realmPointId === realmPointId) circulation -= BigInt(circulationOf(row));
  }
  const days = everyDay(stored, realmPointId, range).reverse();
  const levels = days.map((row) => {
    const level = { ...row, members, circulation };
    members -= row.members;
    circulation -= BigInt(circulationOf(row));
    return level;
  });
  return levels.reverse();
}

/** How many records each day has, whatever they are about. */
export function recordsByDay(
  stored: readonly DailyTotals[],
  { from, to }: Range,
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

/** Before all days. */
const NEVER = -1;

/** How many members were active in a day and, the last time before it, in another, or `NEVER`. */
export interface ActiveMembers {
  day: number;
  previous: number;
  members: number;
}

/** Members who were active in a day; and for the first time since a day, ever, or in a week. */
export type ActiveDay = typeof INACTIVE & { day: number };
export const INACTIVE = { activeMembers: 0, ofPeriod: 0, newMembers: 0, returningMembers: 0 };

/** What was earned elsewhere, is taken back or forfeited is nothing that the member does. */
export const isActivity = ({ type, data }: Movement): boolean =>
  !(type === 'points.opened' || type === 'points.reversed' || type === 'claim.rejected') &&
  !('reason' in data);

/** Counts members by the day in which they last were active before: so in any row of days once. */
export class Activity {
  readonly #last = new Map<string, number>();
  readonly #counts = new Map<string, ActiveMembers>();

  constructor(balances: readonly { memberId: string; activeDay: number | null }[]) {
    for (const { memberId, activeDay } of balances) {
      if (activeDay !== null) this.#last.set(memberId, Math.max(this.#lastOf(memberId), activeDay));
    }
  }

  add(memberId: string, at: number): void {
    const [day, last] = [dayOf(at), this.#lastOf(memberId)];
    // A clock that was ahead may have been set back.
    if (day <= last) return;
    this.#last.set(memberId, day);
    // So a day has few rows: no period that is asked for is longer.
    const previous = last === NEVER ? NEVER : Math.max(last, day - 400);
    const none = { day, previous, members: 0 };
    this.#counts.getOrInsert(`${day} ${previous}`, none).members += 1;
  }

  /** Who comes back was never active. */
  remove(memberId: string): void {
    this.#last.delete(memberId);
  }

  get counts(): ActiveMembers[] {
    return [...this.#counts.values()];
  }

  #lastOf(memberId: string): number {
    return this.#last.get(memberId) ?? NEVER;
  }
}
