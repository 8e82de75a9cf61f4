import type { Reversed } from '../../domain/facts.ts';
import type { MemberStatus } from '../../domain/model.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { lookUp, ofRealm } from './realm-statements.ts';
import * as rows from './rows.ts';

/** A member with one of its balances, or with none. */
export interface StandingSqlRow {
  member_id: string;
  status: MemberStatus;
  realm_point_id: string | null;
  balance: number;
  open_holds: number;
  /** The open holds on this balance; null where there are none, which is nearly always. */
  holds: rows.HoldSqlRow[] | null;
}

export interface IdempotencySqlRow {
  key: string;
  fingerprint: string;
  at: number;
  seq: number | null;
  answer: string | null;
  record: JournalRecord | null;
}

const BALANCE_COLUMNS = 'realm_point_id, balance, open_holds';
const IDEMPOTENCY_COLUMNS = 'idempotency_key AS key, fingerprint, at, seq, answer';

/** Rows of a table by a key of theirs. */
const by =
  (table: string, columns: string, condition: string) =>
  (realm: string, key: string): string =>
    `SELECT ${columns} FROM ${table} WHERE realm_id = ${realm} AND ${condition} = ${key} OFFSET 0`;

/** The statements by which facts are found. */
export const find = {
  // Locked in the order in which they are named, which is that of their ids on every node.
  lock: ofRealm<rows.RealmSqlRow>(
    (realm) =>
      `SELECT ${rows.REALM_COLUMNS} FROM realms WHERE realms.realm_id = ${realm} FOR UPDATE`,
  ),
  kinds: ofRealm<rows.PointKindSqlRow>(
    (realm) =>
      `SELECT realm_id, ${rows.POINT_KIND_COLUMNS} FROM point_kinds
       WHERE realm_id = ${realm} ORDER BY realm_point_id`,
  ),
  assets: ofRealm<rows.AssetSqlRow>(
    (realm) =>
      `SELECT realm_id, ${rows.ASSET_COLUMNS} FROM assets
       WHERE realm_id = ${realm} ORDER BY asset_id`,
  ),
  challenges: lookUp<rows.ChallengeSqlRow>(
    'text',
    by('challenges', rows.CHALLENGE_COLUMNS, 'nonce'),
  ),
  unusedChallenges: lookUp<rows.ChallengeSqlRow>(
    'bigint',
    by('challenges', rows.CHALLENGE_COLUMNS, 'used_at IS NULL AND member_id'),
  ),
  members: lookUp<rows.MemberSqlRow>('bigint', by('members', rows.MEMBER_COLUMNS, 'member_id')),
  standings: lookUp<StandingSqlRow>(
    'bigint',
    (realm, id) =>
      `SELECT ${id}::text AS member_id, m.status, b.realm_point_id, b.balance, b.open_holds,
         CASE WHEN b.open_holds > 0 THEN
           (SELECT json_agg(h) FROM (SELECT ${rows.HOLD_COLUMNS} FROM holds
              WHERE realm_id = ${realm} AND member_id = ${id} AND realm_point_id = b.realm_point_id
                AND status = 'open' ORDER BY holds.hold_id) h) END AS holds
       FROM (${by('members', 'status', 'member_id')(realm, id)}) m
       LEFT JOIN LATERAL (${by('balances', BALANCE_COLUMNS, 'member_id')(realm, id)}
       ) b ON true`,
  ),
  holds: lookUp<rows.HoldSqlRow, number>('bigint', by('holds', rows.HOLD_COLUMNS, 'hold_id')),
  accountsOf: lookUp<rows.AccountSqlRow>(
    'bigint',
    by('accounts', rows.ACCOUNT_COLUMNS, 'member_id'),
  ),
  accounts: lookUp<rows.AccountSqlRow>('text', by('accounts', rows.ACCOUNT_COLUMNS, 'account_key')),
  walletsOf: lookUp<rows.WalletSqlRow>('bigint', by('wallets', rows.WALLET_COLUMNS, 'member_id')),
  wallets: lookUp<rows.WalletSqlRow>('text', by('wallets', rows.WALLET_COLUMNS, 'wallet_key')),
  apiKeys: lookUp<rows.ApiKeySqlRow>('text', by('api_keys', rows.API_KEY_COLUMNS, 'key_id')),
  idempotencyRecords: lookUp<IdempotencySqlRow>(
    'text',
    (realm, key) =>
      `SELECT r.*, (SELECT row_to_json(j) FROM (SELECT ${rows.JOURNAL_COLUMNS} FROM journal
           WHERE realm_id = ${realm} AND seq = r.seq) j) AS record
       FROM (${by('idempotency_keys', IDEMPOTENCY_COLUMNS, 'idempotency_key')(realm, key)}) r`,
  ),
  records: lookUp<JournalRecord, number>('bigint', by('journal', rows.JOURNAL_COLUMNS, 'seq')),
  reversed: lookUp<Reversed, number>('bigint', by('reversed', 'seq, tokens, by_seq AS by', 'seq')),
  // The series is made as it is read, so only as far as free ids must be looked for.
  freeIds: lookUp<{ id: string }, number>(
    'bigint',
    (realm, count) =>
      `SELECT series.id::text AS id FROM
         (SELECT generate_series(next_member_id, 9223372036854775807) AS id
          FROM realms WHERE realms.realm_id = ${realm} OFFSET 0) series
       WHERE (SELECT 1 FROM members WHERE realm_id = ${realm} AND member_id = series.id) IS NULL
       LIMIT ${count}`,
  ),
};
