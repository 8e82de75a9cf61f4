import { iso } from '../../contract/instants.ts';
import { invalidRequest } from '../../contract/problems.ts';
import { shownSum } from '../../contract/sums.ts';
import type { Window } from '../../domain/model.ts';
import type { Standing } from '../../domain/queries.ts';
import { endOfWindow } from '../../domain/rules/calendar.ts';
import { type Call, type Handler, kindIn, notFound, query } from '../calls.ts';
import { listBody, pageRequest, scoreKeyIn, sortKeyText } from '../cursor.ts';

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
