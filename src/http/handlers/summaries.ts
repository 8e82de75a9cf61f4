import { iso } from '../../contract/instants.ts';
import { DEFAULT_DAYS } from '../../contract/operations/summaries.ts';
import { shownSums } from '../../contract/sums.ts';
import { dayOf, INACTIVE, recordsByDay, withLevels } from '../../domain/rules/daily-totals.ts';
import { DAY_MS } from '../../domain/rules/time.ts';
import { type Handler, kindIn, notFound, query } from '../calls.ts';

export const getRealmSummary: Handler<'getRealmSummary'> = async (call) => {
  const realmId = call.params.realmID;
  const range = lastDays(DEFAULT_DAYS);
  const [totals, days] = await Promise.all([
    query(call, 'realmTotals', {}),
    query(call, 'dailyTotals', range),
  ]);
  const { lastAt, circulation, held, ...rest } = totals ?? notFound('realm-not-found', { realmId });
  const activity = recordsByDay(days, range).map(({ day, records }) => ({
    day: dateOf(day),
    records,
  }));
  const sums = { circulation: shownSums(circulation), held: shownSums(held) };
  return { body: { realmId, ...rest, ...sums, lastActivityAt: iso(lastAt), activity } };
};

export const getActivity: Handler<'getActivity'> = async (call) => {
  const wanted = kindIn(call.query);
  const { to: today } = lastDays(1);
  const to = Math.min(today, dayOf(call.query.to ? Date.parse(call.query.to) : Date.now()));
  const from = to - Number(call.query.days ?? DEFAULT_DAYS) + 1;
  const [kinds, totals, rows, active] = await Promise.all([
    query(call, 'kinds', {}),
    query(call, 'realmTotals', {}),
    query(call, 'dailyTotals', { from, to: today }),
    query(call, 'activeDays', { from, to }),
  ]);
  const kind = kinds.find(({ id, isDefault }) => (wanted === null ? isDefault : id === wanted));
  const { id: realmPointId } = kind ?? notFound('realm-point-not-found', { realmPointId: wanted });
  const { members = 0, circulation } = totals ?? {};
  const now = { members, circulation: BigInt(circulation?.[realmPointId] ?? 0) };
  const found = withLevels(rows, realmPointId, { from, to }, now);
  const days = found.map(({ day, issued, spent, opened, held, ...row }) => {
    const { ofPeriod, ...activity } = active.find((one) => one.day === day) ?? INACTIVE;
    const sums = { issued: BigInt(issued), spent: BigInt(spent) };
    return { ...row, ...sums, ...activity, day: dateOf(day) };
  });
  const activeMembers = active.reduce((sum, { ofPeriod }) => sum + ofPeriod, 0);
  return { body: { realmPointId, activeMembers, days } };
};

export const getBalanceHistory: Handler<'getBalanceHistory'> = async (call) => {
  const { memberID: memberId } = call.params;
  const { from, to } = lastDays(Number(call.query.days ?? DEFAULT_DAYS));
  const dates = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  // To the last millisecond of each day.
  const instants = dates.map((day) => (day + 1) * DAY_MS - 1);
  const found =
    (await query(call, 'balanceHistory', { memberId, instants })) ??
    notFound('member-not-found', { memberId });
  const days = found.map(({ balances }, index) => ({ day: dateOf(from + index), balances }));
  return { body: { memberId, days } };
};

/** The current day and those before it, so many in all. */
function lastDays(count: number): { from: number; to: number } {
  const to = dayOf(Date.now());
  return { from: to - count + 1, to };
}

const dateOf = (day: number): string => iso(day * DAY_MS).slice(0, 10);
