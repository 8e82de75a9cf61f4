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
} from '../../domain/model.ts';
import { accountKey } from '../../domain/rules/books.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { searchText } from '../../domain/rules/search.ts';
import {
  boolean,
  bytes,
  computed,
  globalTable,
  id,
  integer,
  json,
  nullable,
  realmTable,
  text,
  words,
} from './table.ts';

/**
 * Every table that both databases have, each described once: the statements that write rows, the
 * columns and the decoding of those that read them, and the copy from SQLite to PostgreSQL follow
 * from here. The DDL is in `migrations.ts` of each database; a test compares it with this file.
 */
export const service = globalTable<{ name: string; value: string }>('service', {
  key: ['name'],
  columns: { name: text('name'), value: text('value') },
});

const realms = realmTable<RealmRow>('realms', {
  key: [],
  columns: {
    id: text('realm_id'),
    name: text('name'),
    settings: json('settings', DEFAULT_SETTINGS),
    createdAt: integer('created_at'),
    updatedAt: integer('updated_at'),
    seq: integer('seq'),
    head: bytes('head'),
    lastAt: integer('last_at'),
    nextMemberId: id('next_member_id'),
  },
});

const kinds = realmTable<PointKind>('point_kinds', {
  key: ['realm_point_id'],
  columns: {
    id: text('realm_point_id'),
    name: text('name'),
    symbol: nullable(text('symbol')),
    isDefault: boolean('is_default'),
    isTransferable: boolean('is_transferable'),
    minimumBalance: integer('minimum_balance'),
    maximumBalance: integer('maximum_balance'),
  },
});

const assets = realmTable<Asset>('assets', {
  key: ['asset_id'],
  columns: {
    id: text('asset_id'),
    chain: text('chain'),
    standard: text('standard'),
    contract: text('contract'),
    tokenId: nullable(text('token_id')),
    symbol: nullable(text('symbol')),
  },
});

const apiKeys = realmTable<ApiKeyRow>('api_keys', {
  key: ['key_id'],
  columns: {
    id: text('key_id'),
    realmId: text('realm_id'),
    name: text('name'),
    scopes: words('scopes'),
    secretHash: text('secret_hash'),
    createdAt: integer('created_at'),
    expiresAt: nullable(integer('expires_at')),
    revokedAt: nullable(integer('revoked_at')),
    replacedBy: nullable(text('replaced_by')),
    lastUsedAt: nullable(integer('last_used_at')),
  },
  updatedSeparately: ['lastUsedAt'],
});

const members = realmTable<MemberRow>('members', {
  key: ['member_id'],
  columns: {
    id: id('member_id'),
    username: nullable(text('username')),
    displayName: nullable(text('display_name')),
    status: text('status'),
    metadata: text('metadata'),
    createdAt: integer('created_at'),
    updatedAt: integer('updated_at'),
  },
  computed: [
    computed(text('search'), ({ username, displayName }) => searchText([username, displayName])),
  ],
});

const accounts = realmTable<OwnedAccount>('accounts', {
  key: ['account_key'],
  columns: {
    memberId: id('member_id'),
    provider: text('provider'),
    id: text('account_id'),
    username: nullable(text('username')),
  },
  computed: [computed(text('account_key'), accountKey)],
});

const wallets = realmTable<OwnedWallet>('wallets', {
  key: ['wallet_key'],
  columns: {
    memberId: id('member_id'),
    key: text('wallet_key'),
    chain: text('chain'),
    address: text('address'),
    primary: boolean('is_primary'),
    verifiedAt: nullable(integer('verified_at')),
    verifiedOn: nullable(text('verified_on')),
    linkedAt: integer('linked_at'),
  },
});

const challenges = realmTable<Challenge>('challenges', {
  key: ['nonce'],
  columns: {
    nonce: text('nonce'),
    memberId: id('member_id'),
    walletKey: text('wallet_key'),
    message: text('message'),
    expiresAt: integer('expires_at'),
    usedAt: nullable(integer('used_at')),
  },
});

const balances = realmTable<Balance>('balances', {
  key: ['member_id', 'realm_point_id'],
  columns: {
    memberId: id('member_id'),
    realmPointId: text('realm_point_id'),
    balance: integer('balance'),
    openHolds: integer('open_holds'),
  },
});

const holds = realmTable<Hold>('holds', {
  key: ['hold_id'],
  columns: {
    id: integer('hold_id'),
    memberId: id('member_id'),
    realmPointId: text('realm_point_id'),
    tokens: integer('tokens'),
    captured: integer('captured'),
    status: text('status'),
    description: nullable(text('description')),
    createdAt: integer('created_at'),
    expiresAt: integer('expires_at'),
  },
});

const reversals = realmTable<Reversal>('reversals', {
  key: ['seq'],
  columns: { seq: integer('seq'), tokens: integer('tokens'), by: integer('by_seq') },
});

const idempotencyRecords = realmTable<IdempotencyRecord>('idempotency_keys', {
  key: ['idempotency_key'],
  columns: {
    key: text('idempotency_key'),
    fingerprint: text('fingerprint'),
    at: integer('at'),
    seq: nullable(integer('seq')),
    answer: nullable(text('answer')),
  },
});

const records = realmTable<JournalRecord>('journal', {
  key: ['seq'],
  columns: {
    seq: integer('seq'),
    type: text('type'),
    at: integer('at'),
    actor: text('actor'),
    data: text('data'),
    hash: bytes('hash'),
  },
});

/** The tables of realms, named as in `RealmFacts` and `RealmChanges`. */
export const tables = {
  realms,
  kinds,
  assets,
  apiKeys,
  members,
  accounts,
  wallets,
  challenges,
  balances,
  holds,
  reversals,
  idempotencyRecords,
  records,
};
