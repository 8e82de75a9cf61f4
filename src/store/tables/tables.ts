import type {
  Balance,
  IdempotencyRecord,
  OwnedAccount,
  OwnedWallet,
  Reversal,
} from '../../domain/facts.ts';
import {
  type ApiKeyRow,
  type Asset,
  type Challenge,
  DEFAULT_SETTINGS,
  type Hold,
  type MemberRow,
  type PointKind,
  type RealmRow,
  type Session,
} from '../../domain/model.ts';
import { accountKey } from '../../domain/rules/books.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import {
  boolean,
  bytes,
  globalTable,
  id,
  integer,
  json,
  nullable,
  realmTable,
  text,
  updatedSeparately,
  withComputed,
  words,
} from './table.ts';

/**
 * Every table that both databases have, each described once: the statements that write rows, the
 * columns and the decoding of those that read them, and the copy from SQLite to PostgreSQL follow
 * from here. The DDL is in `migrations.ts` of each database; a test compares it with this file.
 */
export const service = globalTable<{ name: string; value: string }>('service', ['name'], {
  name: text('name'),
  value: text('value'),
});

export const sessions = globalTable<Session>('sessions', ['session_id'], {
  id: text('session_id'),
  keyId: text('key_id'),
  isCode: boolean('is_code'),
  secretHash: text('secret_hash'),
  createdAt: integer('created_at'),
  lastUsedAt: integer('last_used_at'),
  expiresAt: integer('expires_at'),
  userAgent: nullable(text('user_agent')),
});

/** The tables of realms, named as in `RealmFacts` and `RealmChanges`. */
export const tables = {
  realms: realmTable<RealmRow>('realms', [], {
    id: text('realm_id'),
    name: text('name'),
    settings: json('settings', DEFAULT_SETTINGS),
    createdAt: integer('created_at'),
    updatedAt: integer('updated_at'),
    archivedAt: nullable(integer('archived_at')),
    seq: integer('seq'),
    head: bytes('head'),
    lastAt: integer('last_at'),
    clockAt: integer('clock_at'),
    setBackSeq: nullable(integer('set_back_seq')),
    nextMemberId: id('next_member_id'),
    deletedAt: nullable(integer('deleted_at')),
  }),
  kinds: realmTable<PointKind>('point_kinds', ['realm_point_id'], {
    id: text('realm_point_id'),
    name: text('name'),
    symbol: nullable(text('symbol')),
    isDefault: boolean('is_default'),
    isTransferable: boolean('is_transferable'),
    minimumBalance: integer('minimum_balance'),
    maximumBalance: integer('maximum_balance'),
    archived: boolean('archived'),
  }),
  assets: realmTable<Asset>('assets', ['asset_id'], {
    id: text('asset_id'),
    chain: text('chain'),
    standard: text('standard'),
    contract: text('contract'),
    tokenId: nullable(text('token_id')),
    symbol: nullable(text('symbol')),
  }),
  apiKeys: realmTable<ApiKeyRow>('api_keys', ['key_id'], {
    id: text('key_id'),
    realmId: text('realm_id'),
    name: text('name'),
    scopes: words('scopes'),
    secretHash: text('secret_hash'),
    createdAt: integer('created_at'),
    expiresAt: nullable(integer('expires_at')),
    revokedAt: nullable(integer('revoked_at')),
    replacedBy: nullable(text('replaced_by')),
    lastUsedAt: updatedSeparately(nullable(integer('last_used_at'))),
  }),
  members: realmTable<MemberRow>('members', ['member_id'], {
    id: id('member_id'),
    username: nullable(text('username')),
    displayName: nullable(text('display_name')),
    status: text('status'),
    metadata: text('metadata'),
    createdAt: integer('created_at'),
    updatedAt: integer('updated_at'),
  }),
  accounts: withComputed(
    realmTable<OwnedAccount>('accounts', ['account_key'], {
      memberId: id('member_id'),
      provider: text('provider'),
      id: text('account_id'),
      username: nullable(text('username')),
    }),
    text('account_key'),
    accountKey,
  ),
  wallets: realmTable<OwnedWallet>('wallets', ['wallet_key'], {
    memberId: id('member_id'),
    key: text('wallet_key'),
    chain: text('chain'),
    address: text('address'),
    primary: boolean('is_primary'),
    verifiedAt: nullable(integer('verified_at')),
    verifiedOn: nullable(text('verified_on')),
    linkedAt: integer('linked_at'),
  }),
  challenges: realmTable<Challenge>('challenges', ['nonce'], {
    nonce: text('nonce'),
    memberId: id('member_id'),
    walletKey: text('wallet_key'),
    message: text('message'),
    expiresAt: integer('expires_at'),
    usedAt: nullable(integer('used_at')),
  }),
  balances: realmTable<Balance>('balances', ['member_id', 'realm_point_id'], {
    memberId: id('member_id'),
    realmPointId: text('realm_point_id'),
    balance: integer('balance'),
    held: id('held'),
    openHolds: integer('open_holds'),
  }),
  holds: realmTable<Hold>('holds', ['hold_id'], {
    id: integer('hold_id'),
    memberId: id('member_id'),
    realmPointId: text('realm_point_id'),
    tokens: integer('tokens'),
    captured: integer('captured'),
    status: text('status'),
    description: nullable(text('description')),
    createdAt: integer('created_at'),
    expiresAt: integer('expires_at'),
  }),
  reversals: realmTable<Reversal>('reversals', ['seq'], {
    seq: integer('seq'),
    tokens: integer('tokens'),
    by: integer('by_seq'),
  }),
  idempotencyRecords: realmTable<IdempotencyRecord>('idempotency_keys', ['idempotency_key'], {
    key: text('idempotency_key'),
    fingerprint: text('fingerprint'),
    at: integer('at'),
    seq: nullable(integer('seq')),
    answer: nullable(text('answer')),
  }),
  records: realmTable<JournalRecord>('journal', ['seq'], {
    seq: integer('seq'),
    type: text('type'),
    at: integer('at'),
    actor: text('actor'),
    data: text('data'),
    hash: bytes('hash'),
  }),
};
