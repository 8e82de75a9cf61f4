import { ProblemError } from '../../contract/problems.ts';
import type { Standing } from '../../domain/queries.ts';
import type { Window } from '../../domain/rules/leaderboards.ts';
import { type Handler, iso, requireRealm } from '../calls.ts';
import { page, walkOf } from '../cursor.ts';

const AFTER = /^(-?\d{1,16}):(\d{1,19})$/;

export const getLeaderboard: Handler<'getLeaderboard'> = async (call, services) => {
  const { realmPointId, window } = call.query;
  const walk = walkOf(call, { realmPointId, window }, (key) => AFTER.test(key));
  const board = leaderboardOf(call.params.realmID, walk.filters.realmPointId, walk.filters.window);
  const [, score, memberId] = AFTER.exec(walk.after ?? '') ?? [];
  const after = score && memberId ? { score: Number(score), memberId } : null;
  const found = await services.ledger.query('leaderboard', {
    ...board,
    after,
    limit: walk.limit + 1,
  });
  if (!found) {
    await requireRealm(call, services);
    throw new ProblemError('realm-point-not-found', { realmPointId });
  }
  const view = standingBody(board.window);
  const key = (standing: Standing) => `${standing.score}:${standing.memberId}`;
  const { items: members, nextCursor } = page(found.standings, walk, key, view);
  return { body: { members, nextCursor, total: found.total, asOf: iso(board.at) } };
};

export const getStanding: Handler<'getStanding'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const board = leaderboardOf(realmId, call.query.realmPointId, call.query.window);
  const found = await services.ledger.query('standing', { ...board, memberId });
  if (!found?.standing) {
    await requireRealm(call, services);
    throw found
      ? new ProblemError('member-not-found', { memberId })
      : new ProblemError('realm-point-not-found', { realmPointId: board.realmPointId });
  }
  const standing = standingBody(board.window)(found.standing);
  return { body: { ...standing, total: found.total, asOf: iso(board.at) } };
};

const leaderboardOf = (
  realmId: string,
  realmPointId: string | undefined,
  window: Window | undefined,
) => ({
  realmId,
  realmPointId: realmPointId ?? null,
  window: window ?? 'all',
  at: Date.now(),
});

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
