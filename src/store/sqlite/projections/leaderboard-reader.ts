import type { DatabaseSync } from 'node:sqlite';
import type { LeaderboardParams, QueryParams, Reader } from '../../../domain/queries.ts';
import { leaderboardOf } from '../../../domain/rules/leaderboards.ts';
import { pageOfSmall } from '../../../domain/rules/pages.ts';
import { rankPage, type StandingRow, standingOf } from '../../../domain/rules/ranks.ts';
import { statementsOn } from '../rows.ts';

type Row = [
  memberId: string,
  score: number,
  username: string | null,
  displayName: string | null,
  balance: number | null,
];

/** The point kind whose balance is read; null if the score is the balance. */
type Leaderboard = [leaderboard: number, realmId: string, balanceOf: string | null];

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  // One statement for a page: a look-up for each member takes twice as long.
  const rows = `SELECT CAST(s.member_id AS TEXT), score, username, display_name, balance
    FROM standings s
    LEFT JOIN members m
      ON m.realm_id = ?2 AND m.member_id = s.member_id AND status <> 'removed'
    LEFT JOIN balances b
      ON b.realm_id = ?2 AND b.member_id = s.member_id AND b.realm_point_id = ?3
    WHERE s.leaderboard_no = ?1`;
  return {
    ...rankStatements(db),
    kind: sql.get<{ realm_point_id: string; realm_no: number }, [string, string | null]>(
      `SELECT realm_point_id, realm_no FROM point_kinds JOIN projection_positions USING (realm_id)
       WHERE realm_id = ?1 AND iif(?2 IS NULL, is_default, realm_point_id = ?2)`,
    ),
    leaderboard: sql.value<number, [number, string]>(
      'SELECT leaderboard_no FROM leaderboards WHERE realm_no = ? AND name = ?',
    ),
    top: sql.page<Row, [...Leaderboard, number]>(
      `${rows} ORDER BY score DESC, s.member_id LIMIT ?4`,
    ),
    sameScore: sql.page<Row, [...Leaderboard, number, string, number]>(
      `${rows} AND score = ?4 AND s.member_id > ?5 ORDER BY s.member_id LIMIT ?6`,
    ),
    lower: sql.page<Row, [...Leaderboard, number, number]>(
      `${rows} AND score < ?4 ORDER BY score DESC, s.member_id LIMIT ?5`,
    ),
    // The score is null for a member that is not on the leaderboard.
    member: sql.get<
      Omit<StandingRow, 'memberId' | 'score'> & { score: number | null },
      [string, string, string, number]
    >(
      `SELECT username, display_name AS displayName, score,
         (SELECT balance FROM balances b WHERE b.realm_id = m.realm_id
            AND b.member_id = m.member_id AND b.realm_point_id = ?3) AS balance
       FROM members m
       LEFT JOIN standings s ON s.leaderboard_no = ?4 AND s.member_id = m.member_id
       WHERE realm_id = ?1 AND m.member_id = ?2 AND status <> 'removed'`,
    ),
  };
}

function rankStatements(db: DatabaseSync) {
  const sql = statementsOn(db);
  return {
    total: sql.value<number, [number]>(
      'SELECT coalesce(sum(count), 0) FROM rank_buckets WHERE leaderboard_no = ?',
    ),
    above: sql.get<{ count: number; next: number | null }, [number, number]>(
      `SELECT coalesce(sum(count), 0) AS count, min(lower) AS next FROM rank_buckets
       WHERE leaderboard_no = ? AND lower > ?`,
    ),
    between: sql.value<number, [number, number, number]>(
      'SELECT count(*) FROM standings WHERE leaderboard_no = ? AND score > ? AND score < ?',
    ),
  };
}

type Find = ReturnType<typeof statements>;

/** Numbers start at 1. A leaderboard that nobody is on yet has none. */
const EMPTY_LEADERBOARD = 0;

export function leaderboardReader(db: DatabaseSync) {
  const find = statements(db);
  const leaderboardFor = ({ realmId, realmPointId, window, at }: LeaderboardParams) => {
    const kind = find.kind(realmId, realmPointId);
    if (!kind) return null;
    const name = leaderboardOf(kind.realm_point_id, window, at);
    const number = find.leaderboard(kind.realm_no, name) ?? EMPTY_LEADERBOARD;
    return {
      number,
      realmPointId: kind.realm_point_id,
      total: find.total(number) ?? 0,
      // One more than the members above: those of higher buckets, and those higher in its own.
      rankOf: (score: number) => {
        const { count = 0, next = null } = find.above(number, score) ?? {};
        return count + (find.between(number, score, next ?? Number.MAX_SAFE_INTEGER + 1) ?? 0) + 1;
      },
    };
  };
  return {
    leaderboard: (params) => {
      const found = leaderboardFor(params);
      if (!found) return null;
      const { number, realmPointId, total } = found;
      const balanceOf = params.window === 'all' ? null : realmPointId;
      const on: Leaderboard = [number, params.realmId, balanceOf];
      const { rows, hasMore } = pageOfSmall(next(find, on, params), params.limit);
      const standings = rows.map(
        ([memberId, score, username, displayName, balance]): StandingRow => {
          return { memberId, score, username, displayName, balance };
        },
      );
      return { rows: rankPage(standings, params.window, found.rankOf), hasMore, total };
    },
    standing: (params) => {
      const found = leaderboardFor(params);
      if (!found) return null;
      const { number, realmPointId, total } = found;
      const { realmId, memberId, window } = params;
      const member = find.member(realmId, memberId, realmPointId, number);
      if (!member) return { standing: null, total };
      const rank = member.score === null ? null : found.rankOf(member.score);
      return { standing: standingOf({ ...member, memberId }, rank, window), total };
    },
  } satisfies Partial<Reader>;
}

/**
 * The rows of a page in ranking order, and one more: first those that tie with the last one of the
 * page before.
 */
function next(find: Find, on: Leaderboard, { after, limit }: QueryParams<'leaderboard'>): Row[] {
  const count = limit + 1;
  if (after === null) return find.top(...on, count);
  const ties = find.sameScore(...on, after.score, after.memberId, count);
  return ties.concat(find.lower(...on, after.score, count - ties.length));
}
