import type { Member } from '../../domain/model.ts';
import type { QueryParams, Reader } from '../../domain/queries.ts';
import type { Connection } from './connection.ts';
import type { SharedPool } from './pools.ts';
import * as rows from './rows.ts';
import { statement } from './statement.ts';

/** Ids start at 1. */
const BEFORE_FIRST_ID = '0';

/** PostgreSQL rejects texts with this character, even as arguments. */
const NUL = '\0';

/** A key that can be looked up: no wallet and no account has the empty key. */
const findable = (key: string): string => (key.includes(NUL) ? '' : key);

interface WholeMember extends rows.MemberSqlRow {
  kinds: { realm_point_id: string; is_default: number; balance: number }[] | null;
  accounts: rows.AccountSqlRow[] | null;
  wallets: rows.WalletSqlRow[] | null;
}

/** A member with everything that belongs to it, in one statement and so at one instant. */
const wholeMember = (from: string): string => `SELECT ${rows.MEMBER_COLUMNS},
    (SELECT json_agg(k) FROM (SELECT p.realm_point_id, p.is_default,
        coalesce((SELECT balance FROM balances b WHERE b.realm_id = $1
          AND b.member_id = m.member_id AND b.realm_point_id = p.realm_point_id), 0) AS balance
      FROM point_kinds p WHERE p.realm_id = $1 ORDER BY p.realm_point_id) k) AS kinds,
    (SELECT json_agg(a) FROM (SELECT ${rows.ACCOUNT_COLUMNS} FROM accounts
      WHERE realm_id = $1 AND accounts.member_id = m.member_id ORDER BY account_key) a) AS accounts,
    (SELECT json_agg(w) FROM (SELECT ${rows.WALLET_COLUMNS} FROM wallets
      WHERE realm_id = $1 AND wallets.member_id = m.member_id
      ORDER BY is_primary DESC, linked_at, wallet_key) w) AS wallets
  FROM ${from}`;

const PRESENT = `realm_id = $1 AND status <> 'removed'`;

const find = {
  member: statement<WholeMember, [string, string]>(
    wholeMember(`members m WHERE ${PRESENT} AND member_id = $2::bigint`),
  ),
  // Ordered in the subquery: outside, "member_id" is a text, and Citus would order by it.
  members: statement<WholeMember, [string, string, string | null, string | null, number]>(
    wholeMember(`(SELECT * FROM members WHERE ${PRESENT} AND member_id > $2::bigint
       AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR position($4 IN search) > 0)
       ORDER BY member_id LIMIT $5) m`),
  ),
  walletHolders: statement<
    { index: number; member_id: string; verified: boolean },
    [string, string[]]
  >(
    `SELECT wanted.index, found.* FROM unnest($2::text[]) WITH ORDINALITY AS wanted(key, index)
     CROSS JOIN LATERAL (SELECT member_id::text, verified_at IS NOT NULL AS verified
       FROM wallets WHERE realm_id = $1 AND wallet_key = wanted.key OFFSET 0) found`,
  ),
  challenge: statement<rows.ChallengeSqlRow, [string, string, string | null]>(
    `SELECT ${rows.CHALLENGE_COLUMNS} FROM challenges WHERE realm_id = $1 AND nonce = $2
       AND (SELECT m.status <> 'removed' FROM members m
            WHERE m.realm_id = $1 AND m.member_id = challenges.member_id)
       AND (SELECT 1 FROM idempotency_keys
            WHERE realm_id = $1 AND idempotency_key = $3) IS NULL`,
  ),
  // A wallet or an account has one holder at most.
  soleHolder: statement<
    { wallet: string | null; account: string | null },
    [string, string | null, string | null]
  >(
    `SELECT (SELECT member_id::text FROM wallets WHERE realm_id = $1 AND wallet_key = $2) AS wallet,
       (SELECT member_id::text FROM accounts
        WHERE realm_id = $1 AND account_key = $3) AS account`,
  ),
};

type MemberReader = Pick<
  Reader,
  'member' | 'members' | 'walletsOf' | 'walletHolders' | 'challenge'
>;

export function memberReader(readers: SharedPool): MemberReader {
  const member = async ({ realmId, memberId }: QueryParams<'member'>) => {
    const [row] = await readers.use((connection) =>
      connection.query(find.member, realmId, memberId),
    );
    return row ? memberOf(realmId, row) : null;
  };
  return {
    member,
    members: async (params) => {
      const found = await readers.use((connection) => memberRows(connection, params));
      return found.map((row) => memberOf(params.realmId, row));
    },
    walletsOf: async (params) => (await member(params))?.wallets ?? null,
    challenge: async ({ realmId, nonce, idempotencyKey }) => {
      const [row] = await readers.use((connection) =>
        connection.query(find.challenge, realmId, nonce, idempotencyKey),
      );
      return row ?? null;
    },
    walletHolders: async ({ realmId, wallets }) => {
      const found = await readers.use((connection) =>
        connection.query(find.walletHolders, realmId, wallets.map(findable)),
      );
      const holders: Awaited<ReturnType<Reader['walletHolders']>> = wallets.map(() => null);
      for (const { index, member_id: memberId, verified } of found) {
        holders[index - 1] = { memberId, verified };
      }
      return holders;
    },
  };
}

function memberOf(realmId: string, row: WholeMember): Member {
  const kinds = row.kinds ?? [];
  return {
    ...rows.memberOf(row),
    realmId,
    defaultRealmPointId: kinds.find((kind) => kind.is_default === 1)?.realm_point_id ?? '',
    balances: Object.fromEntries(kinds.map((kind) => [kind.realm_point_id, kind.balance])),
    accounts: (row.accounts ?? []).map(rows.accountOf).map(({ memberId: _, ...rest }) => rest),
    wallets: (row.wallets ?? []).map(rows.walletOf).map(({ memberId: _, ...rest }) => rest),
  };
}

async function memberRows(
  connection: Connection,
  params: QueryParams<'members'>,
): Promise<WholeMember[]> {
  const { realmId, filter, limit } = params;
  const from = params.after ?? BEFORE_FIRST_ID;
  if (filter.search?.includes(NUL)) return [];
  if (filter.wallet === null && filter.account === null) {
    return connection.query(find.members, realmId, from, filter.status, filter.search, limit);
  }
  // A wallet or an account leads to one member at most, so no list is read.
  const wallet = filter.wallet === null ? null : findable(filter.wallet);
  const account = filter.account === null ? null : findable(filter.account);
  const [holder] = await connection.query(find.soleHolder, realmId, wallet, account);
  const ids = [
    ...(wallet === null ? [] : [holder?.wallet ?? null]),
    ...(account === null ? [] : [holder?.account ?? null]),
  ];
  const [id] = ids;
  if (!id || ids.some((other) => other !== id) || BigInt(id) <= BigInt(from)) return [];
  const before = String(BigInt(id) - 1n);
  const found = connection.query(find.members, realmId, before, filter.status, filter.search, 1);
  return (await found).filter((row) => row.member_id === id);
}
