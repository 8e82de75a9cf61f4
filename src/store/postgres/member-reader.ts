import type { OwnedAccount, OwnedWallet } from '../../domain/facts.ts';
import type { Member, MemberRow } from '../../domain/model.ts';
import type { MemberPage, QueryParams, Reader } from '../../domain/queries.ts';
import { memberBytes, membersLookedAt, type Page, PageBuilder } from '../../domain/rules/pages.ts';
import { type KindBalance, memberView } from '../../domain/rules/views.ts';
import {
  addInSlices,
  BEFORE_FIRST_ID,
  namesSole,
  soleMatch,
  WALLET_ORDER,
} from '../member-list.ts';
import { decode, type Stored } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';
import type { Connection } from './connection.ts';
import { ROWS_AT_ONCE, readPage } from './pages.ts';
import type { SharedPool } from './pools.ts';
import { columnsOf, rowsOf } from './rows.ts';
import { statement } from './statement.ts';

/** PostgreSQL's text cannot contain this character, not even as a parameter. */
const NUL = '\0';

/** No wallet or account has an empty key, so nothing is found. */
const findable = (key: string): string => (key.includes(NUL) ? '' : key);

interface WholeMember extends Stored<MemberRow> {
  /** JSON texts: a page of them is parsed in slices. */
  kinds: string | null;
  accounts: string | null;
  wallets: string | null;
}

interface ListedMember extends WholeMember {
  /** Whether it is there only to say how far the list was looked through. */
  isEnd: boolean;
}

/** What holds set aside of a balance; those that have expired are counted until it is recorded. */
const heldAt = (now: string): string => `CASE WHEN b.open_holds > 0 THEN b.held -
  (SELECT coalesce(sum(tokens - captured), 0)::bigint FROM holds h WHERE h.realm_id = $1
     AND h.member_id = m.member_id AND h.realm_point_id = p.realm_point_id
     AND h.status = 'open' AND h.expires_at <= ${now}::bigint) ELSE 0 END`;

/** A member with everything that belongs to it; one statement, so all of it is of one instant. */
const wholeMember = (now: string, from: string, more = '') => `SELECT ${columnsOf(tables.members)},
    (SELECT json_agg(k)::text FROM (SELECT p.realm_point_id AS "realmPointId",
        p.is_default AS "isDefault", p.archived, p.minimum_balance AS "minimumBalance",
        coalesce(b.balance, 0) AS balance, ${heldAt(now)} AS held
      FROM point_kinds p LEFT JOIN LATERAL (SELECT balance, held, open_holds FROM balances
        WHERE realm_id = $1 AND balances.member_id = m.member_id
          AND balances.realm_point_id = p.realm_point_id OFFSET 0) b ON true
      WHERE p.realm_id = $1 ORDER BY p.realm_point_id) k) AS kinds,
    (SELECT json_agg(a)::text FROM (SELECT ${columnsOf(tables.accounts)} FROM accounts
      WHERE realm_id = $1 AND accounts.member_id = m.member_id ORDER BY account_key) a) AS accounts,
    (SELECT json_agg(w)::text FROM (SELECT ${columnsOf(tables.wallets)} FROM wallets
      WHERE realm_id = $1 AND wallets.member_id = m.member_id
      ORDER BY ${WALLET_ORDER}) w) AS wallets${more}
  FROM ${from}`;

const AFTER = 'WHERE realm_id = $1 AND member_id > $2::bigint ORDER BY member_id';

export const PRESENT = `realm_id = $1 AND status <> 'removed'`;

const find = {
  member: statement<WholeMember, [string, string, number]>(
    wholeMember('$3', `members m WHERE ${PRESENT} AND member_id = $2::bigint`),
  ),
  // Ordered in the subquery: outside, Citus would order by the text of the id. The last one that
  // was looked at follows those that are found, and is not read unless there is room for it.
  members: statement<ListedMember, [string, string, string | null, number, number, number]>(
    wholeMember(
      '$5',
      `(SELECT * FROM (
         (SELECT *, false AS "isEnd" FROM (SELECT * FROM members ${AFTER} LIMIT $6) looked
          WHERE status <> 'removed' AND ($3::text IS NULL OR status = $3)
          ORDER BY member_id LIMIT $4)
         UNION ALL
         (SELECT *, true FROM members ${AFTER} LIMIT 1 OFFSET $6 - 1)) listed LIMIT $4) m`,
      ', m."isEnd"',
    ),
  ),
  named: statement<WholeMember, [string, readonly string[], number]>(
    wholeMember(
      '$3',
      `(SELECT found.*, wanted.place
       FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted(id, place) CROSS JOIN LATERAL
         (SELECT * FROM members WHERE ${PRESENT} AND member_id = wanted.id OFFSET 0) found
       ORDER BY wanted.place) m`,
    ),
  ),
  walletHolders: statement<
    { index: number; memberId: string; verified: boolean },
    [string, string[]]
  >(
    `SELECT wanted.index, found.* FROM unnest($2::text[]) WITH ORDINALITY AS wanted(key, index)
     CROSS JOIN LATERAL (SELECT member_id::text AS "memberId", verified_at IS NOT NULL AS verified
       FROM wallets WHERE realm_id = $1 AND wallet_key = wanted.key OFFSET 0) found`,
  ),
  challenge: rowsOf(tables.challenges).select<[string, string, string | null]>(
    `WHERE realm_id = $1 AND nonce = $2
       AND (SELECT m.status <> 'removed' FROM members m
            WHERE m.realm_id = $1 AND m.member_id = challenges.member_id)
       AND (SELECT 1 FROM idempotency_keys
            WHERE realm_id = $1 AND idempotency_key = $3) IS NULL`,
  ),
  soleHolder: statement<
    { wallet: string | null; account: string | null },
    [string, string, string]
  >(
    `SELECT (SELECT member_id::text FROM wallets WHERE realm_id = $1 AND wallet_key = $2) AS wallet,
       (SELECT member_id::text FROM accounts
        WHERE realm_id = $1 AND account_key = $3) AS account`,
  ),
};

type MemberReader = Pick<
  Reader,
  'member' | 'members' | 'namedMembers' | 'walletsOf' | 'walletHolders' | 'challenge'
>;

export function memberReader(readers: SharedPool): MemberReader {
  const member = async ({ realmId, memberId, now }: QueryParams<'member'>) => {
    const row = await readers.first(find.member, realmId, memberId, now);
    return row && memberOf(realmId, row);
  };
  return {
    member,
    members: (params) => memberPage(readers, params),
    namedMembers: (params) => readers.use((connection) => namedPage(connection, params)),
    // Nothing of a wallet depends on the instant.
    walletsOf: async (params) => (await member({ ...params, now: 0 }))?.wallets ?? null,
    challenge: ({ realmId, nonce, idempotencyKey }) =>
      readers.first(find.challenge, realmId, nonce, idempotencyKey),
    walletHolders: async ({ realmId, wallets }) => {
      const found = await readers.query(find.walletHolders, realmId, wallets.map(findable));
      const holders: Awaited<ReturnType<Reader['walletHolders']>> = wallets.map(() => null);
      for (const { index, memberId, verified } of found) {
        holders[index - 1] = { memberId, verified };
      }
      return holders;
    },
  };
}

/** Those of the members that are present, in this order. Each is decoded when it is asked for. */
export async function namedMembers(
  connection: Connection,
  realmId: string,
  memberIds: readonly string[],
  now: number,
): Promise<Iterable<Member>> {
  const rows = await connection.query(find.named, realmId, memberIds, now);
  return rows.values().map((row) => memberOf(realmId, row));
}

async function namedPage(
  connection: Connection,
  { realmId, memberIds, limit, now }: QueryParams<'namedMembers'>,
): Promise<Page<Member>> {
  const builder = new PageBuilder<Member>(limit, memberBytes);
  const { page } = builder;
  for (let at = 0; at < memberIds.length && !page.hasMore; ) {
    const count = Math.min(limit + 1 - page.rows.length, ROWS_AT_ONCE);
    const wanted = memberIds.slice(at, at + count);
    await addInSlices(realmId, builder, await namedMembers(connection, realmId, wanted, now));
    at += count;
  }
  return page;
}

const memberOf = (realmId: string, row: WholeMember): Member =>
  memberView(realmId, decode(tables.members, row), {
    kinds: rowsIn<KindBalance>(row.kinds),
    accounts: rowsIn<Stored<OwnedAccount>>(row.accounts).map((one) => decode(tables.accounts, one)),
    wallets: rowsIn<Stored<OwnedWallet>>(row.wallets).map((one) => decode(tables.wallets, one)),
  });

const rowsIn = <Row>(json: string | null): Row[] => (json === null ? [] : JSON.parse(json));

async function memberPage(
  readers: SharedPool,
  params: QueryParams<'members'>,
): Promise<MemberPage> {
  const { realmId, filter } = params;
  if (namesSole(filter)) {
    const member = await readers.use((connection) => soleMember(connection, params));
    return { members: member ? [memberOf(realmId, member)] : [], next: null };
  }
  const looks = membersLookedAt(params.limit);
  let end: string | null = null;
  const next = async (shown: Member | undefined, count: number) => {
    const from = shown?.id ?? params.after ?? BEFORE_FIRST_ID;
    const args = [realmId, from, filter.status, count, params.now, looks] as const;
    const rows = await readers.query(find.members, ...args);
    const last = rows.find(({ isEnd }) => isEnd);
    end = last ? String(last.id) : null;
    return rows.filter(({ isEnd }) => !isEnd);
  };
  const { rows, hasMore } = await readPage(
    params,
    next,
    (row) => memberOf(realmId, row),
    memberBytes,
  );
  return { members: rows, next: hasMore ? (rows.at(-1)?.id ?? null) : end };
}

async function soleMember(
  connection: Connection,
  { realmId, filter, after, now }: QueryParams<'members'>,
): Promise<WholeMember | null> {
  const { status, wallet, account } = filter;
  const keys = [findable(wallet ?? ''), findable(account ?? '')] as const;
  const [owner] = await connection.query(find.soleHolder, realmId, ...keys);
  const memberId = owner ? soleMatch(filter, owner, after ?? BEFORE_FIRST_ID) : null;
  if (memberId === null) return null;
  const [found] = await connection.query(find.member, realmId, memberId, now);
  return found && (status ?? found.status) === found.status ? found : null;
}
