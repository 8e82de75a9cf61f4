import { iso } from '../../contract/instants.ts';
import { DEFAULT_DAYS } from '../../contract/operations/summaries.ts';
import { invalidRequest } from '../../contract/problems.ts';
import { shownSum, shownSums } from '../../contract/sums.ts';
import type { Window } from '../../domain/model.ts';
import type { Standing } from '../../domain/queries.ts';
import { endOfWindow } from '../../domain/rules/calendar.ts';
import { dayOf, INACTIVE, recordsByDay, withLevels } from '../../domain/rules/daily-totals.ts';
import { DAY_MS } from '../../domain/rules/time.ts';
import { type Call, type Handler, kindIn, notFound, query } from '../calls.ts';
import { listBody, pageRequest, scoreKeyIn, sortKeyText } from '../cursor.ts';

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

export const getLeaderboard: Handler<'getLeaderboard'> = async (call) => {
  const request = pageRequest(call, ['realmPointId', 'window', 'at'], isKey);
  const { asOf, ...params } = periodParams(request.filters);
  const { realmPointId } = params;
  const { limit } = request;
  const after = request.after === null ? null : scoreKeyIn(request.after);
  const found =
    (await query(call, 'leaderboard', { ...params, after, limit })) ??
    notFound('realm-point-not-found', { realmPointId });
  const toBody = standingBody(params.window);
  const { items, nextCursor } = listBody(found, request, sortKeyText, toBody);
  return { body: { members: items, nextCursor, total: found.total, asOf: iso(asOf) } };
};

export const getStanding: Handler<'getStanding'> = async (call) => {
  const { memberID: memberId } = call.params;
  const params = leaderboardParams(call.query);
  const { realmPointId } = params;
  const { standing, total } =
    (await query(call, 'standing', { ...params, memberId })) ??
    notFound('realm-point-not-found', { realmPointId });
  const found = standing ?? notFound('member-not-found', { memberId });
  return { body: { ...standingBody(params.window)(found), total, asOf: iso(params.at) } };
};

const isKey = (key: string): boolean => scoreKeyIn(key) !== null;

/** The present leaderboard, or that of the week or month that an instant is in. */
function periodParams({ at, ...board }: Call<'getLeaderboard'>['query']) {
  const present = leaderboardParams(board);
  const { window, at: now } = present;
  if (at === undefined) return { ...present, isPast: false, asOf: now };
  if (window === 'all' || window === 'day') {
    const detail = 'must be absent unless "window" is "week" or "month"';
    throw invalidRequest([{ pointer: '/query/at', detail }]);
  }
  const instant = Date.parse(at);
  const end = endOfWindow(window, instant);
  return { ...present, at: instant, isPast: end <= now, asOf: Math.min(end, now) };
}

function leaderboardParams(query: Call<'getStanding'>['query']) {
  const { window = 'all' } = query;
  return { realmPointId: kindIn(query), window, at: Date.now() };
}

const standingBody =
  (window: Window) =>
  ({ rank, memberId: id, username, displayName, balance, score, ...more }: Standing) => ({
    rank,
    id,
    username,
    displayName,
    balance,
    earned: window === 'all' ? null : shownSum(score),
    tokens: shownSum(score),
    wallet: more.wallet,
    last_updated: iso(more.updatedAt),
  });
