import { iso } from '../../contract/instants.ts';
import type { Standing } from '../../domain/queries.ts';
import type { Window } from '../../domain/rules/leaderboards.ts';
import { type Call, type Handler, notFound, query } from '../calls.ts';
import { pageOf, pageRequest } from '../cursor.ts';

const AFTER = /^(-?\d{1,16}):(\d{1,19})$/;
const keyOf = ({ score, memberId }: Standing): string => `${score}:${memberId}`;

export const getLeaderboard: Handler<'getLeaderboard'> = async (call, services) => {
  const { realmPointId } = call.query;
  const request = pageRequest(call, ['realmPointId', 'window'], (key) => AFTER.test(key));
  const params = leaderboardParams(call.params.realmID, request.filters);
  const [, score, memberId] = AFTER.exec(request.after ?? '') ?? [];
  const after = score && memberId ? { score: Number(score), memberId } : null;
  const found =
    (await query(call, services, 'leaderboard', { ...params, after, limit: request.fetch })) ??
    (await notFound(call, services, 'realm-point-not-found', { realmPointId }));
  const toBody = standingBody(params.window);
  const { items, nextCursor } = pageOf(found.standings, request, keyOf, toBody);
  return { body: { members: items, nextCursor, total: found.total, asOf: iso(params.at) } };
};

export const getStanding: Handler<'getStanding'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const params = leaderboardParams(realmId, call.query);
  const { realmPointId } = params;
  const { standing, total } =
    (await query(call, services, 'standing', { ...params, memberId })) ??
    (await notFound(call, services, 'realm-point-not-found', { realmPointId }));
  const found = standing ?? (await notFound(call, services, 'member-not-found', { memberId }));
  return { body: { ...standingBody(params.window)(found), total, asOf: iso(params.at) } };
};

function leaderboardParams(realmId: string, query: Call<'getStanding'>['query']) {
  const { realmPointId = null, window = 'all' } = query;
  return { realmId, realmPointId, window, at: Date.now() };
}

const standingBody =
  (window: Window) =>
  ({ rank, memberId: id, username, displayName, balance, score }: Standing) => ({
    rank,
    id,
    username,
    displayName,
    balance,
    earned: window === 'all' ? null : score,
  });
