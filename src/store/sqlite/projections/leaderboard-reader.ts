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
  balance: number,
  wallet: string | null,
  updatedAt: number,
];

/** For a day, a week or a month also the all-time leaderboard of the point kind. */
type Leaderboard = [leaderboard: number, allTime: number | null, realmId: string];

/** What is shown beside the score: `a` is the standing on the other, all-time leaderboard. */
const SHOWN = `username, display_name AS displayName, coalesce(a.score, s.score, 0) AS balance,
  w.address AS wallet, coalesce(a.moved_at, s.moved_at, m.created_at, 0) AS updatedAt`;

const primaryWallet = (member: string): string =>
  `LEFT JOIN wallets w INDEXED BY wallets_by_member
     ON w.realm_id = ?3 AND w.member_id = ${member} AND is_primary = 1`;

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  // One statement for a page: a look-up for each member takes twice as long.
  const rows = `SELECT CAST(s.member_id AS TEXT), s.score, ${SHOWN}
    FROM standings s
    LEFT JOIN standings a ON a.leaderboard_no = ?2 AND a.member_id = s.member_id
    LEFT JOIN members m
      ON m.realm_id = ?3 AND m.member_id = s.member_id AND status <> 'removed'
    ${primaryWallet('s.member_id')}
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
      `${rows} ORDER BY s.score DESC, s.member_id LIMIT ?4`,
    ),
    sameScore: sql.page<Row, [...Leaderboard, number, string, number]>(
      `${rows} AND s.score = ?4 AND s.member_id > ?5 ORDER BY s.member_id LIMIT ?6`,
    ),
    lower: sql.page<Row, [...Leaderboard, number, number]>(
      `${rows} AND s.score < ?4 ORDER BY s.score DESC, s.member_id LIMIT ?5`,
    ),
    // The score is null for a member that is not on the leaderboard.
    member: sql.get<
      Omit<StandingRow, 'score'> & { score: number | null },
      [...Leaderboard, string]
    >(
      `SELECT CAST(m.member_id AS TEXT) AS memberId, s.score, ${SHOWN}
       FROM members m
       LEFT JOIN standings s ON s.leaderboard_no = ?1 AND s.member_id = m.member_id
       LEFT JOIN standings a ON a.leaderboard_no = ?2 AND a.member_id = m.member_id
       ${primaryWallet('m.member_id')}
       WHERE m.realm_id = ?3 AND m.member_id = ?4 AND status <> 'removed'`,
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
  const numberOf = (realmNo: number, name: string): number =>
    find.leaderboard(realmNo, name) ?? EMPTY_LEADERBOARD;
  const leaderboardFor = ({ realmId, realmPointId, window, at }: LeaderboardParams) => {
    const kind = find.kind(realmId, realmPointId);
    if (!kind) return null;
    const name = leaderboardOf(kind.realm_point_id, window, at);
    const number = numberOf(kind.realm_no, name);
    const allTime = window === 'all' ? null : numberOf(kind.realm_no, kind.realm_point_id);
    const leaderboard: Leaderboard = [number, allTime, realmId];
    return {
      leaderboard,
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
      const { leaderboard, rankOf, total } = found;
      const { rows, hasMore } = pageOfSmall(next(find, leaderboard, params), params.limit);
      return { rows: rankPage(rows.map(standingRow), params.after && rankOf), hasMore, total };
    },
    standing: (params) => {
      const found = leaderboardFor(params);
      if (!found) return null;
      const { leaderboard, rankOf, total } = found;
      const member = find.member(...leaderboard, params.memberId);
      return { standing: member ? standingOf(member, rankOf) : null, total };
    },
  } satisfies Partial<Reader>;
}

const standingRow = ([
  memberId,
  score,
  username,
  displayName,
  balance,
  wallet,
  updatedAt,
]: Row): StandingRow => {
  return { memberId, score, username, displayName, balance, wallet, updatedAt };
};

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
