import type { NameKey, SortedPage, SortedParams, SortKey } from '../../domain/queries.ts';
import { SORT_NAME } from '../schema.ts';
import { all, ask, type Operation, query, type Text, together } from '../statement.ts';
import { chosenKeys } from './chosen-members.ts';
import { keysByBalance, kindOf } from './leaderboards.ts';
import { pageOfMembers } from './members.ts';
import type { Readers } from './readers.ts';

const present =
  (what: string, index: string, rest: string): Text =>
  ({ using }) =>
    `SELECT ${what}, CAST(m.member_id AS TEXT) AS "memberId" FROM members m ${using(index)}
     WHERE m.realm_id = :realmId AND m.status <> 'removed' AND ${rest}`;
const named = (rest: string) => present(`${SORT_NAME} AS name`, 'members_by_name', rest);

type From<Key> = { realmId: string; memberId: bigint; limit: number } & Omit<Key, 'memberId'>;

const find = {
  newest: query<SortKey, From<{ score: bigint }>>(
    present(
      'm.created_at AS score',
      'members_by_age',
      `(m.created_at, m.member_id) < (:score, :memberId)
       ORDER BY m.created_at DESC, m.member_id DESC LIMIT :limit`,
    ),
  ),
  // Two statements: SQLite compares no pair by an index on an expression.
  sameName: query<NameKey, From<NameKey>>(
    named(`${SORT_NAME} = :name AND m.member_id > :memberId ORDER BY m.member_id LIMIT :limit`),
  ),
  laterNames: query<NameKey, Omit<From<NameKey>, 'memberId'>>(
    named(`${SORT_NAME} > :name ORDER BY ${SORT_NAME}, m.member_id LIMIT :limit`),
  ),
};

/** Before all names, and above all instants and ids: the page after it is the first. */
const BEFORE_NAMES: NameKey = { name: '', memberId: '0' };
const ABOVE_ALL: SortKey = { score: Number.MAX_SAFE_INTEGER, memberId: '9223372036854775807' };

function* byName(realmId: string, after: NameKey, limit: number): Operation<NameKey[]> {
  const { name, memberId } = after;
  const [same, later] = yield* together(
    ask(find.sameName, { realmId, name, memberId: BigInt(memberId), limit }),
    ask(find.laterNames, { realmId, name, limit }),
  );
  return [...same, ...later].slice(0, limit);
}

const byAge = (realmId: string, { score, memberId }: SortKey, limit: number) =>
  all(find.newest, { realmId, score: BigInt(score), memberId: BigInt(memberId), limit });

/** The keys that follow in this order, one more than the limit; null without such a kind. */
function* keysOf(params: SortedParams): Operation<(SortKey | NameKey)[] | null> {
  const { realmId, by, after } = params;
  const limit = params.limit + 1;
  if (by === 'name')
    return yield* byName(realmId, (after as NameKey | null) ?? BEFORE_NAMES, limit);
  const last = after as SortKey | null;
  if (by === 'createdAt') return yield* byAge(realmId, last ?? ABOVE_ALL, limit);
  const kind = yield* kindOf(params);
  return kind === null ? null : yield* keysByBalance(realmId, kind, last, limit);
}

/** Answers queries for members in the order of a balance, an instant or a name. */
export const sortedReaders = {
  *sortedMembers(params): Operation<SortedPage | null> {
    const { realmId, by, conditions, after, limit } = params;
    if (conditions && by !== 'name') {
      const chosen = { realmId, by, conditions };
      const { keys, end } = yield* chosenKeys(chosen, after as SortKey | null, limit + 1);
      return yield* pageOfMembers<SortKey | NameKey>(params, keys, end);
    }
    const keys = yield* keysOf(params);
    return keys && (yield* pageOfMembers(params, keys, null));
  },
} satisfies Partial<Readers>;
