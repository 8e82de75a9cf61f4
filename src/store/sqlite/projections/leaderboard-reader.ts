import type { DatabaseSync } from 'node:sqlite';
import type { LeaderboardParams, QueryParams, Reader, Standing } from '../../../domain/queries.ts';
import { leaderboardOf } from '../../../domain/rules/leaderboards.ts';
import { prepare } from '../database.ts';
import { preparePage } from '../pages.ts';

type Row = [
  memberId: string,
  score: number,
  username: string | null,
  displayName: string | null,
  balance: number | null,
];

/** The kind of points whose balance a row should tell; null where the score is the balance. */
type Page = [board: number, realmId: string, balanceOf: string | null];

function statements(db: DatabaseSync) {
  // One statement for a page: a look-up of its own for each member takes twice as long.
  const rows = `SELECT CAST(s.member_id AS TEXT), score, username, display_name, balance
    FROM standings s
    LEFT JOIN members m
      ON m.realm_id = ?2 AND m.member_id = s.member_id AND status <> 'removed'
    LEFT JOIN balances b
      ON b.realm_id = ?2 AND b.member_id = s.member_id AND b.realm_point_id = ?3
    WHERE s.board = ?1`;
  return {
    kind: prepare<{ realm_point_id: string; realm: number }, [string, string | null]>(
      db,
      `SELECT realm_point_id, realm FROM point_kinds JOIN projection_positions USING (realm_id)
       WHERE realm_id = ?1 AND iif(?2 IS NULL, is_default, realm_point_id = ?2)`,
    ),
    board: prepare<{ board: number }, [number, string]>(
      db,
      'SELECT board FROM boards WHERE realm = ? AND name = ?',
    ),
    total: prepare<{ total: number }, [number]>(
      db,
      'SELECT coalesce(sum(count), 0) AS total FROM rank_buckets WHERE board = ?',
    ),
    bucket: prepare<{ lower: number }, [number, number]>(
      db,
      `SELECT lower FROM rank_buckets WHERE board = ? AND lower <= ?
       ORDER BY lower DESC LIMIT 1`,
    ),
    above: prepare<{ count: number; next: number | null }, [number, number]>(
      db,
      `SELECT coalesce(sum(count), 0) AS count, min(lower) AS next FROM rank_buckets
       WHERE board = ? AND lower > ?`,
    ),
    between: prepare<{ count: number }, [number, number, number]>(
      db,
      'SELECT count(*) AS count FROM standings WHERE board = ? AND score > ? AND score < ?',
    ),
    top: preparePage<Row, [...Page, number]>(
      db,
      `${rows} ORDER BY score DESC, s.member_id LIMIT ?4`,
    ),
    sameScore: preparePage<Row, [...Page, number, string, number]>(
      db,
      `${rows} AND score = ?4 AND s.member_id > ?5 ORDER BY s.member_id LIMIT ?6`,
    ),
    lower: preparePage<Row, [...Page, number, number]>(
      db,
      `${rows} AND score < ?4 ORDER BY score DESC, s.member_id LIMIT ?5`,
    ),
    score: prepare<{ score: number }, [number, string]>(
      db,
      'SELECT score FROM standings WHERE board = ? AND member_id = ?',
    ),
    member: prepare<
      { username: string | null; display_name: string | null; balance: number | null },
      [string, string, string]
    >(
      db,
      `SELECT username, display_name,
         (SELECT balance FROM balances b WHERE b.realm_id = m.realm_id
            AND b.member_id = m.member_id AND b.realm_point_id = ?3) AS balance
       FROM members m WHERE realm_id = ?1 AND member_id = ?2 AND status <> 'removed'`,
    ),
  };
}

type Find = ReturnType<typeof statements>;

/** Numbers of boards begin at 1: on this one there is nobody. */
const NO_BOARD = 0;

export function leaderboardReader(db: DatabaseSync) {
  const find = statements(db);
  const boardFor = ({ realmId, realmPointId, window, at }: LeaderboardParams) => {
    const kind = find.kind.get(realmId, realmPointId);
    if (!kind) return null;
    const name = leaderboardOf(kind.realm_point_id, window, at);
    return {
      realmPointId: kind.realm_point_id,
      board: find.board.get(kind.realm, name)?.board ?? NO_BOARD,
    };
  };
  return {
    leaderboard: (params: QueryParams<'leaderboard'>) => {
      const found = boardFor(params);
      if (!found) return null;
      const { board, realmPointId } = found;
      const balanceOf = params.window === 'all' ? null : realmPointId;
      const rows = page(find, [board, params.realmId, balanceOf], params);
      const standings = ranked(find, board, rows, balanceOf === null);
      return { standings, total: totalOf(find, board) };
    },
    standing: (params: QueryParams<'standing'>) => {
      const found = boardFor(params);
      return found && standingOf(find, params, found.board, found.realmPointId);
    },
  } satisfies Pick<Reader, 'leaderboard' | 'standing'>;
}

const totalOf = (find: Find, board: number): number => find.total.get(board)?.total ?? 0;

function standingOf(
  find: Find,
  params: QueryParams<'standing'>,
  board: number,
  realmPointId: string,
) {
  const { realmId, memberId } = params;
  const total = totalOf(find, board);
  const member = find.member.get(realmId, memberId, realmPointId);
  if (!member) return { standing: null, total };
  const score = find.score.get(board, memberId)?.score;
  const standing: Standing = {
    rank: score === undefined ? null : rankOf(find, board, score),
    memberId,
    username: member.username,
    displayName: member.display_name,
    score: score ?? 0,
    // For all time that of the instant that was ranked: balances may be some writes ahead.
    balance: (params.window === 'all' ? score : member.balance) ?? 0,
  };
  return { standing, total };
}

/** The next rows in the order of the board: first those that tie with the last one seen. */
function page(find: Find, on: Page, { after, limit }: QueryParams<'leaderboard'>): Row[] {
  if (after === null) return find.top(...on, limit);
  const ties = find.sameScore(...on, after.score, after.memberId, limit);
  return ties.concat(find.lower(...on, after.score, limit - ties.length));
}

/**
 * Ties share a rank; whoever comes after them counts them all. Only the ranks of the first score
 * and of the second must be looked up: from there on, rows tell how many are above.
 */
function ranked(find: Find, board: number, rows: Row[], scoreIsBalance: boolean): Standing[] {
  let rank = 0;
  let tiesStart: number | null = null;
  let scoreBefore: number | null = null;
  return rows.map(([memberId, score, username, displayName, balance], index) => {
    if (score !== scoreBefore) {
      rank = tiesStart === null ? rankOf(find, board, score) : rank + (index - tiesStart);
      // The first ties of a page may have begun on the page before.
      if (index > 0) tiesStart = index;
      scoreBefore = score;
    }
    const held = scoreIsBalance ? score : (balance ?? 0);
    return { rank, memberId, username, displayName, score, balance: held };
  });
}

/** One more than the number of members above: whole buckets, and a part of the score's own. */
function rankOf(find: Find, board: number, score: number): number {
  const lower = find.bucket.get(board, score)?.lower;
  if (lower === undefined) return 1;
  const above = find.above.get(board, lower) ?? { count: 0, next: null };
  const end = above.next ?? Number.MAX_SAFE_INTEGER + 1;
  return above.count + (find.between.get(board, score, end)?.count ?? 0) + 1;
}
