import type {
  ChosenMembers,
  MemberConditions,
  MemberCount,
  Range,
  SortKey,
} from '../../domain/member-queries.ts';
import type { QueryParams } from '../../domain/queries.ts';
import { MAX_COUNTED, membersLookedAt } from '../../domain/rules/pages.ts';
import { tagWord } from '../../domain/rules/search.ts';
import type { Dialect } from '../dialect.ts';
import { textOf } from '../rows.ts';
import { BELOW_SCORES } from '../schema.ts';
import { all, ask, type Operation, type Params, query, type Text, together } from '../statement.ts';
import { kindOf } from './leaderboards.ts';
import type { Readers } from './readers.ts';

/** SQLite and PostgreSQL look at nothing that comes after a condition which decides. */
const meetsConditions = ({ list, using }: Dialect): string =>
  `looked.status <> 'removed' AND (CAST(:status AS TEXT) IS NULL OR looked.status = :status)
   AND looked.created_at BETWEEN :createdFrom AND :createdTo
   AND (:hasBalance = 0 OR coalesce((SELECT b.balance FROM balances b
     WHERE b.realm_id = :realmId AND b.member_id = looked.member_id
       AND b.realm_point_id = :realmPointId), 0) BETWEEN :minimumBalance AND :maximumBalance)
   AND (:hasActivity = 0 OR coalesce((SELECT max(b.moved_at) FROM balances b
     WHERE b.realm_id = :realmId AND b.member_id = looked.member_id), looked.created_at)
     BETWEEN :activeFrom AND :activeTo)
   AND (CAST(:hasWallet AS bigint) IS NULL OR CAST(:hasWallet AS bigint) = CASE WHEN
     (SELECT 1 FROM wallets o ${using('wallets_by_member')} WHERE o.realm_id = :realmId
        AND o.member_id = looked.member_id LIMIT 1) IS NULL THEN 0 ELSE 1 END)
   AND (:tagCount = 0 OR :tagCount = (SELECT count(*) FROM ${list(':tags', 'text')} WHERE
     (SELECT 1 FROM member_words t WHERE t.realm_id = :realmId AND t.word = list.value
        AND t.member_id = looked.member_id) IS NOT NULL))`;

/** What comes after a place in an index: members, or their ids only. */
interface Walk {
  looked: Text;
  order: string;
  hasMembers: boolean;
}

const MEMBER = 'member_id, status, created_at';

/** SQLite starts at the first of two lower bounds, and only the second allows the index. */
const byBalance = (range: string): Walk => ({
  looked: ({ using }) =>
    `SELECT b.balance AS score, b.member_id FROM balances b ${using('balances_by_score')}
     WHERE b.realm_id = :realmId AND b.realm_point_id = :realmPointId AND ${range}
       AND b.balance > ${BELOW_SCORES} ORDER BY b.balance DESC, b.member_id LIMIT :looks`,
  order: 'looked.score DESC, looked.member_id',
  hasMembers: false,
});

const walks = {
  id: {
    looked: `SELECT 0 AS score, ${MEMBER} FROM members
      WHERE realm_id = :realmId AND member_id > :memberId ORDER BY member_id LIMIT :looks`,
    order: 'looked.member_id',
    hasMembers: true,
  },
  tag: {
    looked: `SELECT 0 AS score, member_id FROM member_words
      WHERE realm_id = :realmId AND word = :tag AND member_id > :memberId
      ORDER BY member_id LIMIT :looks`,
    order: 'looked.member_id',
    hasMembers: false,
  },
  createdAt: {
    looked: ({ using }: Dialect) =>
      `SELECT created_at AS score, ${MEMBER} FROM members ${using('members_by_age')}
       WHERE realm_id = :realmId AND status <> 'removed'
         AND (created_at, member_id) < (:score, :memberId) AND created_at >= :createdFrom
       ORDER BY created_at DESC, member_id DESC LIMIT :looks`,
    order: 'looked.created_at DESC, looked.member_id DESC',
    hasMembers: true,
  },
  ties: byBalance('b.balance = :score AND b.member_id > :memberId'),
  balance: byBalance('b.balance < :score AND b.balance >= :minimumBalance'),
} satisfies Record<string, Walk>;

const KEY = 'looked.score, CAST(looked.member_id AS TEXT) AS "memberId"';

function statementsOf({ looked, order, hasMembers }: Walk) {
  const members: Text = (dialect) =>
    hasMembers
      ? `(${textOf(dialect, looked)}) looked`
      : `(SELECT s.score, s.member_id, m.status, m.created_at FROM (${textOf(dialect, looked)}) s
         ${dialect.each('members', 'm', 'm.realm_id = :realmId AND m.member_id = s.member_id')}
        ) looked`;
  const chosen =
    (what: string, rest = ''): Text =>
    (dialect) =>
      `SELECT ${what} FROM ${textOf(dialect, members)} WHERE ${meetsConditions(dialect)} ${rest}`;
  return {
    keys: query<SortKey>(chosen(KEY, `ORDER BY ${order} LIMIT :limit`)),
    count: query<{ count: number }>(chosen('count(*) AS count')),
    end: query<SortKey>(
      (dialect) =>
        `SELECT ${KEY} FROM (${textOf(dialect, looked)}) looked
         ORDER BY ${order} LIMIT 1 OFFSET :looks - 1`,
    ),
  };
}

const statements = {
  id: statementsOf(walks.id),
  tag: statementsOf(walks.tag),
  createdAt: statementsOf(walks.createdAt),
  ties: statementsOf(walks.ties),
  balance: statementsOf(walks.balance),
};

const amongThese = query<{ memberId: string }>(
  (dialect) =>
    `SELECT CAST(looked.member_id AS TEXT) AS "memberId" FROM (SELECT ${MEMBER} FROM members
       WHERE realm_id = :realmId AND ${dialect.isIn('member_id', ':memberIds', 'bigint')}) looked
     WHERE ${meetsConditions(dialect)}`,
);

const LAST_ID = 2n ** 63n - 1n;
const ALL: Range = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** What the statements are told of conditions; null without such a kind of points. */
function* toldOf(realmId: string, conditions: MemberConditions, by = 'id') {
  const { status = null, tags = [], hasWallet, balance, created, active } = conditions;
  const { realmPointId = null } = conditions;
  const hasKind = balance !== undefined || by === 'balance';
  const kind = hasKind ? yield* kindOf({ realmId, realmPointId }) : '';
  if (kind === null) return null;
  const [[minimumBalance, maximumBalance], [createdFrom, createdTo], [activeFrom, activeTo]] = [
    balance ?? ALL,
    created ?? ALL,
    active ?? ALL,
  ];
  return {
    ...{ realmId, realmPointId: kind, status, tags: tags.map(tagWord), tagCount: tags.length },
    ...{ minimumBalance, maximumBalance, createdFrom, createdTo, activeFrom, activeTo },
    hasWallet: hasWallet === undefined ? null : Number(hasWallet),
    hasBalance: Number(balance !== undefined),
    hasActivity: Number(active !== undefined),
  };
}

/** Which index has this order, and where to start: at a place in it, or at its beginning. */
function* walkOf(
  { realmId, by, conditions }: ChosenMembers,
  after: SortKey | null,
  looks: number,
): Operation<{ walk: keyof typeof walks; from: Params } | null> {
  const told = yield* toldOf(realmId, conditions, by);
  if (told === null) return null;
  const highest = by === 'balance' ? told.maximumBalance : told.createdTo;
  const place =
    after === null
      ? { score: BigInt(highest) + 1n, memberId: by === 'balance' ? LAST_ID : 0n }
      : { score: BigInt(after.score), memberId: BigInt(after.memberId) };
  const [tag = ''] = told.tags;
  return { from: { ...told, tag, ...place, looks }, walk: by === 'id' && tag !== '' ? 'tag' : by };
}

interface Keys {
  keys: SortKey[];
  /** The last that was looked at, if there may be more. */
  end: SortKey | null;
}

function* keysIn(walk: keyof typeof walks, from: Params, limit: number): Operation<Keys> {
  const { keys: find, end: findEnd } = statements[walk];
  const [keys, [end = null]] = yield* together(ask(find, { ...from, limit }), ask(findEnd, from));
  return { keys, end };
}

/** Some keys that follow, and where the list goes on after fewer; null without such a kind. */
export function* chosenKeys(
  members: ChosenMembers,
  after: SortKey | null,
  limit: number,
  looks = membersLookedAt(limit),
): Operation<Keys | null> {
  const found = yield* walkOf(members, after, looks);
  if (found === null) return null;
  const { walk, from } = found;
  if (walk !== 'balance' || after === null) return yield* keysIn(walk, from, limit);
  // First those who have as many points as the last one.
  const ties = yield* keysIn('ties', from, limit);
  if (ties.end !== null || ties.keys.length === limit) return ties;
  const { keys, end } = yield* keysIn(walk, from, limit);
  return { keys: [...ties.keys, ...keys].slice(0, limit), end };
}

/** Those of some members that meet conditions. */
export function* choose(
  realmId: string,
  conditions: MemberConditions | undefined,
  memberIds: readonly string[],
): Operation<ReadonlySet<string>> {
  const told = conditions && (yield* toldOf(realmId, conditions));
  if (!told) return new Set(told === null ? [] : memberIds);
  const found = yield* all(amongThese, { ...told, memberIds });
  return new Set(found.map(({ memberId }) => memberId));
}

function* countMembers(params: QueryParams<'countMembers'>): Operation<MemberCount> {
  const found = yield* walkOf(params, null, MAX_COUNTED);
  if (found === null) return { members: 0, isComplete: true };
  const { count, end: findEnd } = statements[found.walk];
  const [[counted], [end]] = yield* together(ask(count, found.from), ask(findEnd, found.from));
  return { members: counted?.count ?? 0, isComplete: end === undefined };
}

/** Counts members that meet conditions, as far as a limited number of them goes. */
export const chosenReaders = { countMembers } satisfies Partial<Readers>;
