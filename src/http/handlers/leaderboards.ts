import { iso } from '../../contract/instants.ts';
import type { Standing } from '../../domain/queries.ts';
import type { Window } from '../../domain/rules/leaderboards.ts';
import { type Call, type Handler, notFound } from '../calls.ts';
import { pageOf, pageRequest } from '../cursor.ts';

const AFTER = /^(-?\d{1,16}):(\d{1,19})$/;
const keyOf = ({ score, memberId }: Standing): string => `${score}:${memberId}`;

export const getLeaderboard: Handler<'getLeaderboard'> = async (call, services) => {
  const { realmPointId } = call.query;
  const request = pageRequest(call, ['realmPointId', 'window'], (key) => AFTER.test(key));
  const board = leaderboardOf(call.params.realmID, request.filters);
  const [, score, memberId] = AFTER.exec(request.after ?? '') ?? [];
  const after = score && memberId ? { score: Number(score), memberId } : null;
  const found =
    (await services.ledger.query('leaderboard', { ...board, after, limit: request.fetch })) ??
    (await notFound(call, services, 'realm-point-not-found', { realmPointId }));
  const { items, nextCursor } = pageOf(found.standings, request, keyOf, standingBody(board.window));
  return { body: { members: items, nextCursor, total: found.total, asOf: iso(board.at) } };
};

export const getStanding: Handler<'getStanding'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const board = leaderboardOf(realmId, call.query);
  const { realmPointId } = board;
  const { standing, total } =
    (await services.ledger.query('standing', { ...board, memberId })) ??
    (await notFound(call, services, 'realm-point-not-found', { realmPointId }));
  const found = standing ?? (await notFound(call, services, 'member-not-found', { memberId }));
  return { body: { ...standingBody(board.window)(found), total, asOf: iso(board.at) } };
};

function leaderboardOf(realmId: string, query: Call<'getStanding'>['query']) {
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
