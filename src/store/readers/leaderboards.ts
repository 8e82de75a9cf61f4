import type { SortKey } from '../../domain/member-queries.ts';
import { type Sum, sumOf, type Window } from '../../domain/model.ts';
import type { LeaderboardParams, QueryParams } from '../../domain/queries.ts';
import { firstDay } from '../../domain/rules/calendar.ts';
import {
  bucketOf,
  endOfBucket,
  leaderboardOf,
  MAX_SCORE,
  pastOf,
  WIDE,
} from '../../domain/rules/leaderboards.ts';
import { pageOfSmall } from '../../domain/rules/pages.ts';
import { rankPage, type StandingRow } from '../../domain/rules/views.ts';
import { BELOW_SCORES } from '../schema.ts';
import { ask, first, type Operation, query, together } from '../statement.ts';
import type { SqlValue } from '../table.ts';
import type { Readers } from './readers.ts';

/** Beyond every score. */
const HIGHEST = String(MAX_SCORE + 1n);

/** The table that has the scores of leaderboards, its index by score and its column of scores. */
interface Board {
  table: 'balances' | 'scores' | 'past_scores';
  alias: string;
  index: string;
  score: string;
  /** Which of its rows are on the leaderboard. */
  rows: string;
}

type Counted = { realmId: string; leaderboard: string };
/** A leaderboard of one kind of points. */
type OfBoard = Counted & { realmPointId: string; first: number };
type Count = { count: number };

/** Where a score is among the buckets. */
type Place = ReturnType<typeof placeOf>;

type Shown = Omit<StandingRow, 'score'> & { score: Sum | null };

function placeOf(score: Sum) {
  const [bucket, wide] = [bucketOf(score), bucketOf(score, WIDE)];
  const end = endOfBucket(bucket);
  return { score: BigInt(score), bucket, wide, end, nextWide: (wide + 1) * WIDE };
}

/** The members that some buckets of a leaderboard count. */
const countIn = (buckets: string): string =>
  `(SELECT coalesce(sum(count), 0) FROM rank_buckets
    WHERE realm_id = :realmId AND leaderboard = :leaderboard AND ${buckets})`;

/** Of a member that has left, past leaderboards show no name. */
const shownName = (name: string): string => `CASE WHEN m.status <> 'removed' THEN m.${name} END`;

/** What is shown of the member `m` beside its score. */
const SHOWN = `CAST(m.member_id AS TEXT), ${shownName('username')}, ${shownName('display_name')},
  coalesce(b.balance, 0), w.address, coalesce(b.moved_at, m.created_at)`;

/** The score is null for a member that is not on the leaderboard. */
function shownRow(values: readonly SqlValue[]): Shown {
  const [memberId, username, displayName, balance, wallet, updatedAt, score] = values as [
    string,
    string | null,
    string | null,
    number,
    string | null,
    number,
    string | null,
  ];
  const rest = { username, displayName, balance, wallet, updatedAt };
  return { memberId, ...rest, score: score === null ? null : sumOf(score) };
}

const WALLET = 'w.realm_id = :realmId AND w.member_id = m.member_id AND w.is_primary = 1';
const BALANCE = `b.realm_id = :realmId AND b.member_id = m.member_id
  AND b.realm_point_id = :realmPointId`;

function statementsOf({ table, alias, index, score: column, rows: own }: Board) {
  const score = `${alias}.${column}`;
  const isOn = `${alias}.realm_id = :realmId AND ${alias}.${own}`;
  const shown = `${SHOWN}, CAST(${score} AS TEXT)`;
  // The condition of the partial index by score. It comes last: of two lower bounds, SQLite starts
  // at the first.
  const isBounded = `${score} > ${BELOW_SCORES}`;
  const hasBalances = table === 'balances';
  const rows = <After>(condition: string, order: string) =>
    query<StandingRow, OfBoard & After & { limit: number }>(
      ({ each, eachOrNone, using }) =>
        `SELECT ${shown} FROM ${table} ${alias} ${using(index)}
         ${each('members', 'm', `m.realm_id = :realmId AND m.member_id = ${alias}.member_id`)}
         ${hasBalances ? '' : eachOrNone('balances', 'b', BALANCE)}
         ${eachOrNone('wallets', 'w', WALLET)}
         WHERE ${isOn} AND ${condition} AND ${isBounded} ORDER BY ${order} LIMIT :limit`,
      (values) => shownRow(values) as StandingRow,
    );
  return {
    ties: rows<{ score: bigint; memberId: bigint }>(
      `${score} = :score AND ${alias}.member_id > :memberId`,
      `${alias}.member_id`,
    ),
    lower: rows<{ score: bigint }>(`${score} < :score`, `${score} DESC, ${alias}.member_id`),
    // Those of wide buckets above, of buckets above in its own wide one, and higher in its own.
    above: query<Count, OfBoard & Place>(
      ({ using }) =>
        `SELECT CAST(${countIn(`width = ${WIDE} AND bucket > :wide`)}
           + ${countIn('width = 1 AND bucket > :bucket AND bucket < :nextWide')}
           + (SELECT count(*) FROM ${table} ${alias} ${using(index)}
              WHERE ${isOn} AND ${score} > :score AND ${score} < :end AND ${isBounded})
           AS bigint) AS count`,
    ),
  };
}

function memberOf({ table, alias, score, rows }: Board) {
  const isOn = `${alias}.realm_id = :realmId AND ${alias}.${rows}`;
  return query<Shown, OfBoard & { memberId: string }>(
    ({ eachOrNone }) =>
      `SELECT ${SHOWN}, CAST(${alias}.${score} AS TEXT) FROM members m
       ${eachOrNone(table, alias, `${isOn} AND ${alias}.member_id = m.member_id`)}
       ${table === 'balances' ? '' : eachOrNone('balances', 'b', BALANCE)}
       ${eachOrNone('wallets', 'w', WALLET)}
       WHERE m.realm_id = :realmId AND m.member_id = :memberId AND m.status <> 'removed'`,
    shownRow,
  );
}

const inWindow = (window: string): Board => ({
  table: 'scores',
  alias: 's',
  index: `scores_by_${window}`,
  score: `${window}_score`,
  rows: `realm_point_id = :realmPointId AND s.${window} = :first`,
});

function mapped<T>(of: Record<Window, Board>, make: (board: Board) => T): Record<Window, T> {
  const { all, day, week, month } = of;
  return { all: make(all), day: make(day), week: make(week), month: make(month) };
}

const present: Record<Window, Board> = {
  all: {
    table: 'balances',
    alias: 'b',
    index: 'balances_by_score',
    score: 'balance',
    rows: 'realm_point_id = :realmPointId',
  },
  day: inWindow('day'),
  week: inWindow('week'),
  month: inWindow('month'),
};

const boards = mapped(present, statementsOf);
const members = mapped(present, memberOf);
const past = statementsOf({
  table: 'past_scores',
  alias: 'p',
  index: 'past_scores_by_score',
  score: 'score',
  rows: 'leaderboard = :leaderboard',
});

const find = {
  kind: query<{ id: string }, { realmId: string; realmPointId: string | null }>(
    `SELECT realm_point_id AS id FROM point_kinds WHERE realm_id = :realmId
       AND CASE WHEN CAST(:realmPointId AS TEXT) IS NULL THEN is_default = 1
         ELSE realm_point_id = :realmPointId END`,
  ),
  members: query<Count, Counted>(`SELECT CAST(${countIn(`width = ${WIDE}`)} AS bigint) AS count`),
};

/** Null without such a kind of points. */
export function* kindOf({
  realmId,
  realmPointId,
}: Pick<LeaderboardParams, 'realmId' | 'realmPointId'>): Operation<string | null> {
  return (yield* first(find.kind, { realmId, realmPointId }))?.id ?? null;
}

type Which = Pick<LeaderboardParams, 'realmId' | 'window' | 'at'>;

/** A leaderboard, and the statements on its table. */
function boardOf({ realmId, window, at }: Which, realmPointId: string): Found {
  const leaderboard = leaderboardOf(realmPointId, window, at);
  const first = window === 'all' ? 0 : firstDay(window, at);
  return { on: { realmId, realmPointId, leaderboard, first }, from: boards[window] };
}

interface Found {
  on: OfBoard;
  from: ReturnType<typeof statementsOf>;
}

/** That of the members of a past week or month who have earned again since. */
const pastBoardOf = ({ on }: Found): Found => ({
  on: { ...on, leaderboard: pastOf(on.leaderboard) },
  from: past,
});

const inOrder = (one: StandingRow, other: StandingRow): number =>
  Number(BigInt(other.score) - BigInt(one.score)) ||
  Number(BigInt(one.memberId) - BigInt(other.memberId));

/**
 * The rows that follow in ranking order: first those that tie with the last one shown. Both parts
 * of a leaderboard are asked at once, for members move from one to the other.
 */
function* rowsAfter(
  parts: readonly Found[],
  after: SortKey | null,
  limit: number,
): Operation<StandingRow[]> {
  const last = after ?? { score: HIGHEST, memberId: '0' };
  const [score, memberId] = [BigInt(last.score), BigInt(last.memberId)];
  const found = yield* together(
    ...parts.flatMap(({ on, from }) => [
      ...(after ? [ask(from.ties, { ...on, score, memberId, limit })] : []),
      ask(from.lower, { ...on, score, limit }),
    ]),
  );
  const rows = found.flat();
  return (parts.length > 1 ? rows.sort(inOrder) : rows).slice(0, limit);
}

/** How many members are on a leaderboard, and the ranks of some scores. */
function* countsOf(parts: readonly Found[], scores: readonly Sum[]) {
  const counts = yield* together(
    ...parts.flatMap(({ on, from }) => [
      ask(find.members, on),
      ...scores.map((score) => ask(from.above, { ...on, ...placeOf(score) })),
    ]),
  );
  const countAt = (place: number): number =>
    parts.reduce(
      (sum, _, at) => sum + (counts[at * (1 + scores.length) + place]?.[0]?.count ?? 0),
      0,
    );
  const ranks = new Map(scores.map((score, index) => [score, 1 + countAt(1 + index)]));
  return { total: countAt(0), ranks };
}

function* leaderboard(params: QueryParams<'leaderboard'>) {
  const kind = yield* kindOf(params);
  if (kind === null) return null;
  const { after, limit, isPast } = params;
  const board = boardOf(params, kind);
  const parts = isPast ? [board, pastBoardOf(board)] : [board];
  const page = pageOfSmall(yield* rowsAfter(parts, after, limit + 1), limit);
  // Ties of the first score may have begun on a page before, so the second is looked up, too.
  const scores = after === null ? [] : [...new Set(page.rows.map(({ score }) => score))];
  const { total, ranks } = yield* countsOf(parts, scores.slice(0, 2));
  return { rows: rankPage(page.rows, ranks), hasMore: page.hasMore, total };
}

function* standing(params: QueryParams<'standing'>) {
  const kind = yield* kindOf(params);
  if (kind === null) return null;
  const board = boardOf(params, kind);
  const member = yield* first(members[params.window], {
    ...board.on,
    memberId: params.memberId,
  });
  // Everybody is on the one for all time, also those without a balance of a new kind yet.
  const score = member?.score ?? (member && params.window === 'all' ? 0 : null);
  const { total, ranks } = yield* countsOf([board], score === null ? [] : [score]);
  if (!member) return { standing: null, total };
  const rank = score === null ? null : (ranks.get(score) ?? null);
  return { standing: { ...member, score: score ?? 0, rank }, total };
}

export const leaderboardReaders = { leaderboard, standing } satisfies Partial<Readers>;
