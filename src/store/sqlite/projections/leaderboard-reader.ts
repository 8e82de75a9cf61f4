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
  wallet: string | null,
  at: number | null,
  occurredAt: string | null,
];

/**
 * The point kind whose balance is read; null if the score is the balance. The all-time leaderboard
 * of the point kind has its movements.
 */
type Leaderboard = [leaderboard: number, realmId: string, balanceOf: string | null, kind: number];

/** The address of the primary wallet, and the last movement of the member on a leaderboard. */
const joins = (realm: string, member: string, kind: string): string =>
  `LEFT JOIN wallets w INDEXED BY wallets_by_member
     ON w.realm_id = ${realm} AND w.member_id = ${member} AND is_primary = 1
   LEFT JOIN journal j ON j.realm_id = ${realm} AND j.seq =
     (SELECT max(seq) FROM entries WHERE leaderboard_no = ${kind} AND member_id = ${member})`;

const LAST_AT = 'coalesce(j.at, m.created_at)';
/** Parsed only where it is stated, which takes a clock that was set back. */
const OCCURRED_AT = `CASE WHEN instr(j.data, '"occurredAt":') THEN j.data ->> '$.occurredAt' END`;

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  // One statement for a page: a look-up for each member takes twice as long.
  const rows = `SELECT CAST(s.member_id AS TEXT), score, username, display_name, balance,
      w.address, ${LAST_AT}, ${OCCURRED_AT}
    FROM standings s
    LEFT JOIN members m
      ON m.realm_id = ?2 AND m.member_id = s.member_id AND status <> 'removed'
    LEFT JOIN balances b
      ON b.realm_id = ?2 AND b.member_id = s.member_id AND b.realm_point_id = ?3
    ${joins('?2', 's.member_id', '?4')}
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
      `${rows} ORDER BY score DESC, s.member_id LIMIT ?5`,
    ),
    sameScore: sql.page<Row, [...Leaderboard, number, string, number]>(
      `${rows} AND score = ?5 AND s.member_id > ?6 ORDER BY s.member_id LIMIT ?7`,
    ),
    lower: sql.page<Row, [...Leaderboard, number, number]>(
      `${rows} AND score < ?5 ORDER BY score DESC, s.member_id LIMIT ?6`,
    ),
    // The score is null for a member that is not on the leaderboard.
    member: sql.get<
      Omit<StandingRow, 'memberId' | 'score'> & { score: number | null },
      [string, string, string, number, number]
    >(
      `SELECT username, display_name AS displayName, score, w.address AS wallet, ${LAST_AT} AS at,
         ${OCCURRED_AT} AS occurredAt,
         (SELECT balance FROM balances b WHERE b.realm_id = m.realm_id
            AND b.member_id = m.member_id AND b.realm_point_id = ?3) AS balance
       FROM members m
       LEFT JOIN standings s ON s.leaderboard_no = ?4 AND s.member_id = m.member_id
       ${joins('?1', '?2', '?5')}
       WHERE m.realm_id = ?1 AND m.member_id = ?2 AND status <> 'removed'`,
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
    return {
      number,
      kind: window === 'all' ? number : numberOf(kind.realm_no, kind.realm_point_id),
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
      const { number, kind, realmPointId, total } = found;
      const balanceOf = params.window === 'all' ? null : realmPointId;
      const on: Leaderboard = [number, params.realmId, balanceOf, kind];
      const { rows, hasMore } = pageOfSmall(next(find, on, params), params.limit);
      const standings = rows.map(standingRow);
      return { rows: rankPage(standings, params.window, found.rankOf), hasMore, total };
    },
    standing: (params) => {
      const found = leaderboardFor(params);
      if (!found) return null;
      const { number, kind, realmPointId, total } = found;
      const { realmId, memberId, window } = params;
      const member = find.member(realmId, memberId, realmPointId, number, kind);
      if (!member) return { standing: null, total };
      const rank = member.score === null ? null : found.rankOf(member.score);
      return { standing: standingOf({ ...member, memberId }, rank, window), total };
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
  at,
  occurredAt,
]: Row): StandingRow => {
  return { memberId, score, username, displayName, balance, wallet, at, occurredAt };
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
