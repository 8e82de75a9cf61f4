import type { OwnedAccount, OwnedWallet } from '../../domain/facts.ts';
import type {
  MemberFilter,
  MembersUpTo,
  NameKey,
  SortedPage,
  SortKey,
} from '../../domain/member-queries.ts';
import { type Member, type MemberRow, sumOf } from '../../domain/model.ts';
import type { QueryParams } from '../../domain/queries.ts';
import { memberBytes, type Page, PageBuilder } from '../../domain/rules/pages.ts';
import { type KindBalance, memberView } from '../../domain/rules/views.ts';
import { rowsBy } from '../rows.ts';
import { SORT_NAME } from '../schema.ts';
import {
  type Asked,
  ask,
  askRows,
  type LookUp,
  lookUp,
  type OfRealm,
  type Operation,
  query,
  type Text,
  together,
} from '../statement.ts';
import { tables } from '../tables.ts';
import { choose, chosenKeys } from './chosen-members.ts';
import type { Readers } from './readers.ts';

/** Read at a time, since a page of large members ends early: an ordinary page, and one more. */
const MEMBERS_AT_ONCE = 51;

/** PostgreSQL's text cannot contain NUL. No wallet or account has an empty key. */
export const findable = (key: string): string => (key.includes('\0') ? '' : key);

type OwnedBalance = KindBalance & { memberId: string };
type MemberId = { memberId: string };

/** Everything that belongs to members, by their ids. */
const parts = {
  members: rowsBy<MemberRow>(tables.members, 'member_id', { rest: "AND status <> 'removed'" }),
  // Holds that have expired count as held until that is recorded. The difference is digits, as
  // `held` may exceed what a number holds. Nearly always nothing is held.
  balances: lookUp<OwnedBalance>(
    'bigint',
    ({ using }) =>
      `SELECT CAST(CAST(:key AS bigint) AS TEXT), p.realm_point_id, p.is_default, p.archived,
         p.minimum_balance, coalesce(b.balance, 0), b.moved_at, CASE WHEN b.open_holds > 0 THEN
           CAST(b.held - coalesce((SELECT sum(h.tokens - h.captured)
             FROM holds h ${using('holds_open')}
             WHERE h.realm_id = :realm AND h.member_id = :key AND h.status = 'open'
               AND h.realm_point_id = p.realm_point_id AND h.expires_at <= :now), 0) AS TEXT) END
       FROM point_kinds p LEFT JOIN balances b
         ON b.realm_id = :realm AND b.member_id = :key AND b.realm_point_id = p.realm_point_id
       WHERE p.realm_id = :realm ORDER BY p.realm_point_id`,
    ([memberId, realmPointId, isDefault, archived, minimumBalance, balance, movedAt, held]) => ({
      memberId: memberId as string,
      realmPointId: realmPointId as string,
      isDefault: isDefault as number,
      archived: archived as number,
      minimumBalance: minimumBalance as number,
      balance: balance as number,
      movedAt: movedAt as number | null,
      held: held === null ? 0 : sumOf(held as string),
    }),
  ),
  accounts: rowsBy<OwnedAccount>(tables.accounts, 'member_id', {
    rest: 'ORDER BY account_key',
    index: 'accounts_by_member',
  }),
  wallets: rowsBy<OwnedWallet>(tables.wallets, 'member_id', {
    rest: 'ORDER BY is_primary DESC, linked_at, wallet_key',
    index: 'wallets_by_member',
  }),
};

const find = {
  present: query<{ present: 1 }, MemberId & { realmId: string }>(
    `SELECT 1 AS present FROM members
     WHERE realm_id = :realmId AND member_id = :memberId AND status <> 'removed'`,
  ),
  ownerOfWallet: query<MemberId, { realmId: string; key: string }>(
    `SELECT CAST(w.member_id AS TEXT) AS "memberId" FROM wallets w
     WHERE w.realm_id = :realmId AND w.wallet_key = :key`,
  ),
  ownerOfAccount: query<MemberId, { realmId: string; key: string }>(
    `SELECT CAST(a.member_id AS TEXT) AS "memberId" FROM accounts a
     WHERE a.realm_id = :realmId AND a.account_key = :key`,
  ),
};

/** Asks whether a member is present: a row if it is. */
export const askPresent = (realmId: string, memberId: string): Asked<{ present: 1 }[]> =>
  ask(find.present, { realmId, memberId });

/** Asks for the wallets of a member, the primary one first. */
export const askWallets = (realmId: string, memberId: string): Asked<OfRealm<OwnedWallet>[]> =>
  askRows(parts.wallets, [realmId], [memberId]);

/** Asks for members and all that belongs to them: what is asked at once is of one instant. */
function askMembers(realmId: string, memberIds: readonly string[], now: number) {
  const realmIds = memberIds.map(() => realmId);
  const of = <Row>(which: LookUp<Row>) => askRows(which, realmIds, memberIds, { now });
  return [of(parts.members), of(parts.balances), of(parts.accounts), of(parts.wallets)] as const;
}

const rowsIn = <Row>(found: readonly OfRealm<Row>[]): Row[] => found.map(({ row }) => row);

/** Null if it is not present. */
function* presentMember(realmId: string, memberId: string, now: number): Operation<Member | null> {
  const asks = askMembers(realmId, [memberId], now);
  const [[found], kinds, accounts, wallets] = yield* together(...asks);
  if (!found) return null;
  const own = { kinds: rowsIn(kinds), accounts: rowsIn(accounts), wallets: rowsIn(wallets) };
  return memberView(realmId, found.row, own);
}

/** Those of the members that are present, in this order. */
export function* presentMembers(
  realmId: string,
  memberIds: readonly string[],
  now: number,
): Operation<Member[]> {
  const found = yield* together(...askMembers(realmId, memberIds, now));
  const members = new Map(found[0].map(({ row }) => [row.id, row]));
  const [, kinds, accounts, wallets] = found;
  const [kindsOf, accountsOf, walletsOf] = [byMember(kinds), byMember(accounts), byMember(wallets)];
  return memberIds.flatMap((id) => {
    const row = members.get(id);
    if (!row) return [];
    const own = { kinds: kindsOf(id), accounts: accountsOf(id), wallets: walletsOf(id) };
    return memberView(realmId, row, own);
  });
}

function byMember<Row extends MemberId>(found: readonly OfRealm<Row>[]) {
  const rows = Map.groupBy(rowsIn(found), ({ memberId }) => memberId);
  return (memberId: string): readonly Row[] => rows.get(memberId) ?? [];
}

type PageOfMembers = { realmId: string; limit: number; now: number };

function* fillPage(
  { realmId, limit, now }: PageOfMembers,
  memberIds: readonly string[],
): Operation<Page<Member>> {
  const builder = new PageBuilder<Member>(limit, memberBytes);
  const { page } = builder;
  for (let at = 0; at < memberIds.length && !page.hasMore; at += MEMBERS_AT_ONCE) {
    builder.add(yield* presentMembers(realmId, memberIds.slice(at, at + MEMBERS_AT_ONCE), now));
  }
  return page;
}

/**
 * A page of the members with these keys, of which there are up to one more than the limit. After
 * the last of fewer, the list goes on at `end`.
 */
export function* pageOfMembers<Key extends MemberId>(
  params: PageOfMembers,
  keys: readonly Key[],
  end: Key | null,
): Operation<MembersUpTo<Key>> {
  const ids = keys.map(({ memberId }) => memberId);
  const { rows, hasMore } = yield* fillPage(params, ids);
  const shown = hasMore ? ids.indexOf(rows.at(-1)?.id ?? '') : params.limit;
  return { members: rows, next: keys[shown] ?? end };
}

/** Whether at most one member can pass the filter, by its wallet or account. */
const isUniqueLookup = ({ wallet, account }: MemberFilter): boolean =>
  wallet !== null || account !== null;

/** The member that the wallet and the account of the filter belong to. */
function* uniqueMember(params: QueryParams<'members'>): Operation<Member[]> {
  const { realmId, filter, conditions, after, now } = params;
  const { wallet, account, status } = filter;
  const [[ofWallet], [ofAccount]] = yield* together(
    ask(find.ownerOfWallet, { realmId, key: findable(wallet ?? '') }),
    ask(find.ownerOfAccount, { realmId, key: findable(account ?? '') }),
  );
  if (wallet !== null && account !== null && ofWallet?.memberId !== ofAccount?.memberId) return [];
  const { memberId } = (wallet === null ? ofAccount : ofWallet) ?? {};
  if (memberId === undefined || BigInt(memberId) <= BigInt(after ?? 0)) return [];
  const found = yield* presentMember(realmId, memberId, now);
  if (!found || (status ?? found.status) !== found.status) return [];
  return (yield* choose(realmId, conditions, [memberId])).has(memberId) ? [found] : [];
}

export const memberReaders = {
  member: ({ realmId, memberId, now }) => presentMember(realmId, memberId, now),
  *members(params) {
    const { realmId, filter, after, limit } = params;
    if (isUniqueLookup(filter)) return { members: yield* uniqueMember(params), next: null };
    const conditions = params.conditions ?? { status: filter.status };
    const from = after === null ? null : { score: 0, memberId: after };
    const found = yield* chosenKeys({ realmId, by: 'id', conditions }, from, limit + 1);
    const { members, next } = yield* pageOfMembers(params, found?.keys ?? [], found?.end ?? null);
    return { members, next: next?.memberId ?? null };
  },
  namedMembers: (params) => fillPage(params, params.memberIds),
} satisfies Partial<Readers>;

const named =
  (rest: string): Text =>
  ({ using }) =>
    `SELECT ${SORT_NAME} AS name, CAST(m.member_id AS TEXT) AS "memberId"
     FROM members m ${using('members_by_name')}
     WHERE m.realm_id = :realmId AND m.status <> 'removed' AND ${rest}`;

type InRealm = { realmId: string; limit: number };

const byNames = {
  // Two statements: SQLite compares no pair by an index on an expression.
  same: query<NameKey, InRealm & { name: string; memberId: bigint }>(
    named(`${SORT_NAME} = :name AND m.member_id > :memberId ORDER BY m.member_id LIMIT :limit`),
  ),
  later: query<NameKey, InRealm & { name: string }>(
    named(`${SORT_NAME} > :name ORDER BY ${SORT_NAME}, m.member_id LIMIT :limit`),
  ),
};

/** The keys that follow by name; before all names is the first page. */
function* keysByName(realmId: string, after: NameKey | null, limit: number): Operation<NameKey[]> {
  const { name, memberId } = after ?? { name: '', memberId: '0' };
  const [same, later] = yield* together(
    ask(byNames.same, { realmId, name, memberId: BigInt(memberId), limit }),
    ask(byNames.later, { realmId, name, limit }),
  );
  return [...same, ...later].slice(0, limit);
}

export const sortedReaders = {
  *sortedMembers(params): Operation<SortedPage | null> {
    const { realmId, realmPointId, by, after } = params;
    const limit = params.limit + 1;
    if (by === 'name') {
      const keys = yield* keysByName(realmId, after as NameKey | null, limit);
      return yield* pageOfMembers<SortKey | NameKey>(params, keys, null);
    }
    const chosen = { realmId, by, conditions: params.conditions ?? { realmPointId } };
    // Without conditions, only members that are shown are in these orders.
    const looks = params.conditions ? undefined : limit;
    const found = yield* chosenKeys(chosen, after as SortKey | null, limit, looks);
    return found && (yield* pageOfMembers<SortKey | NameKey>(params, found.keys, found.end));
  },
} satisfies Partial<Readers>;
