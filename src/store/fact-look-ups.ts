import type { Balance, IdempotencyRecord, MemberState } from '../domain/facts.ts';
import type { MemberStatus } from '../domain/model.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import { WIDE } from '../domain/rules/leaderboards.ts';
import type { Position } from './cache.ts';
import { rowsBy } from './rows.ts';
import { type LookUp, lookUp, query } from './statement.ts';
import { columnsOf, decodeRow, type Table } from './table.ts';
import { tables } from './tables.ts';

/** A member with one of its balances, or with none. */
export type MemberBalance = { state: MemberState; balance: Balance | null };

/** All rows that a realm has in a table with few of them. The key is not used. */
const ofRealm = <Row>(table: Table<Row>, order = ''): LookUp<Row> =>
  lookUp(
    'text',
    (dialect) =>
      `SELECT ${columnsOf(dialect, table)} FROM ${table.name} WHERE realm_id = :realm ${order}`,
    (values) => decodeRow(table, values),
  );

/** Each looks rows up by a primary key or an index. */
export const find = {
  // The row of a realm is its lock. Rows are locked in the order in which they are asked for.
  position: lookUp<Position>(
    'text',
    ({ hex, lock }) => `SELECT seq, ${hex('head')} FROM realms WHERE realm_id = :realm ${lock}`,
    ([seq, head]) => ({ seq: seq as number, head: head as string }),
  ),
  realm: ofRealm(tables.realms),
  kinds: ofRealm(tables.kinds, 'ORDER BY realm_point_id'),
  assets: ofRealm(tables.assets, 'ORDER BY asset_id'),
  webhooks: ofRealm(tables.webhooks, 'ORDER BY webhook_id'),
  // One statement for both: every movement of points needs them.
  members: lookUp<MemberBalance>(
    'bigint',
    (dialect) =>
      `SELECT CAST(m.member_id AS TEXT), m.status, coalesce(m.display_name, m.username),
         CASE WHEN m.erased_at IS NULL THEN 0 ELSE 1 END,
         ${columnsOf(dialect, tables.balances, 'b')}
       FROM members m LEFT JOIN balances b
         ON b.realm_id = m.realm_id AND b.member_id = m.member_id
       WHERE m.realm_id = :realm AND m.member_id = :key`,
    ([memberId, status, name, isErased, ...balance]) => ({
      state: {
        memberId: memberId as string,
        status: status as MemberStatus,
        name: name as string | null,
        isErased: isErased === 1,
      },
      balance: balance[0] === null ? null : decodeRow(tables.balances, balance),
    }),
  ),
  scores: rowsBy(tables.scores, 'member_id'),
  profiles: rowsBy(tables.members, 'member_id'),
  accountsOf: rowsBy(tables.accounts, 'member_id', { index: 'accounts_by_member' }),
  walletsOf: rowsBy(tables.wallets, 'member_id', { index: 'wallets_by_member' }),
  accounts: rowsBy(tables.accounts, 'account_key'),
  wallets: rowsBy(tables.wallets, 'wallet_key'),
  apiKeys: rowsBy(tables.apiKeys, 'key_id'),
  people: rowsBy(tables.people, 'person_id'),
  challenges: rowsBy(tables.challenges, 'nonce'),
  unusedChallenges: rowsBy(tables.challenges, 'member_id', {
    rest: 'AND used_at IS NULL',
    index: 'challenges_unused',
  }),
  idempotencyRecords: rowsBy<IdempotencyRecord>(tables.idempotencyRecords, 'idempotency_key'),
  records: rowsBy<JournalRecord>(tables.records, 'seq'),
  reversals: rowsBy(tables.reversals, 'seq'),
  offers: rowsBy(tables.offers, 'offer_id'),
  claims: rowsBy(tables.claims, 'claim_id'),
  claimants: rowsBy(tables.claimants, 'claimant_key'),
  holds: rowsBy(tables.holds, 'hold_id'),
  openHolds: rowsBy(tables.holds, 'member_id', {
    rest: "AND status = 'open'",
    index: 'holds_open',
  }),
  expiredHolds: rowsBy(tables.holds, 'member_id', {
    rest: "AND status = 'open' AND expires_at <= :now",
    index: 'holds_open',
  }),
  // Everybody is on the all-time leaderboard of every kind, so that of one counts the members.
  memberCount: lookUp<number>(
    'text',
    `SELECT CAST(coalesce(sum(count), 0) AS bigint) FROM rank_buckets
     WHERE realm_id = :realm AND width = ${WIDE} AND leaderboard =
       (SELECT realm_point_id FROM point_kinds WHERE realm_id = :realm AND is_default = 1)`,
    ([count]) => count as number,
  ),
  usedIds: query<{ id: string }, { realmId: string; ids: readonly string[] }>(
    ({ list, each }) =>
      `SELECT CAST(found.member_id AS TEXT) AS id FROM ${list(':ids', 'bigint', 'wanted')}
       ${each('members', 'found', 'found.realm_id = :realmId AND found.member_id = wanted.value')}`,
  ),
};
