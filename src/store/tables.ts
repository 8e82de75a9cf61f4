import type {
  Balance,
  BucketCount,
  Erasure,
  IdempotencyRecord,
  KindEnrolment,
  OwnedAccount,
  OwnedWallet,
  Reversal,
  Scores,
} from '../domain/facts.ts';
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
} from '../domain/model.ts';
import type { Posting } from '../domain/records.ts';
import { accountKey } from '../domain/rules/books.ts';
import type { DailyTotals } from '../domain/rules/daily-totals.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import type { IndexedWord, SearchKey } from '../domain/rules/search.ts';
import type { Delivery, WebhookRow } from '../domain/webhook.ts';
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
 * Every table, each described once. Its definition, the statements that write and read its rows,
 * and the copy from SQLite to PostgreSQL follow from here.
 * `schema.ts` has the rest of the schema, such as the indexes.
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
  enrolments: realmTable<KindEnrolment>('kind_enrolments', ['realm_point_id'], {
    realmPointId: text('realm_point_id'),
    enrolledTo: id('enrolled_to'),
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
  // What no journal records is updated by the process that sends for the webhook.
  webhooks: realmTable<WebhookRow>('webhooks', ['webhook_id'], {
    id: text('webhook_id'),
    url: text('url'),
    types: words('types'),
    description: nullable(text('description')),
    createdAt: integer('created_at'),
    updatedAt: integer('updated_at'),
    pausedAt: nullable(integer('paused_at')),
    pauseReason: nullable(text('pause_reason')),
    secret: text('secret'),
    previousSecret: nullable(text('previous_secret')),
    previousUntil: nullable(integer('previous_until')),
    startSeq: integer('start_seq'),
    startAfter: integer('start_after'),
    progressOf: updatedSeparately(nullable(integer('progress_of'))),
    position: updatedSeparately(nullable(integer('position'))),
    attempts: updatedSeparately(nullable(integer('attempts'))),
    failingSince: updatedSeparately(nullable(integer('failing_since'))),
    nextAt: updatedSeparately(nullable(integer('next_at'))),
    leaseOwner: updatedSeparately(nullable(text('lease_owner'))),
    leaseUntil: updatedSeparately(nullable(integer('lease_until'))),
  }),
  members: realmTable<MemberRow>('members', ['member_id'], {
    id: id('member_id'),
    username: nullable(text('username')),
    displayName: nullable(text('display_name')),
    status: text('status'),
    metadata: text('metadata'),
    createdAt: integer('created_at'),
    updatedAt: integer('updated_at'),
    erasedAt: nullable(integer('erased_at')),
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
    movedAt: nullable(integer('moved_at')),
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
  erasures: realmTable<Erasure>('erasures', ['seq'], {
    seq: integer('seq'),
    memberId: id('member_id'),
    phase: text('phase'),
    position: text('position'),
  }),
  idempotencyRecords: realmTable<IdempotencyRecord>('idempotency_keys', ['idempotency_key'], {
    key: text('idempotency_key'),
    fingerprint: text('fingerprint'),
    at: integer('at'),
    seq: integer('seq'),
    answer: nullable(text('answer')),
  }),
  deliveries: realmTable<Delivery>('webhook_deliveries', ['webhook_id', 'delivery_id'], {
    webhookId: text('webhook_id'),
    id: integer('delivery_id'),
    seq: integer('seq'),
    type: text('type'),
    attempt: integer('attempt'),
    at: integer('at'),
    latencyMs: integer('latency_ms'),
    status: nullable(integer('status')),
    answer: nullable(text('answer')),
    error: nullable(text('error')),
  }),
  // The first record of a batch has the batch's id, where a writer has to find its batch again.
  records: withComputed<JournalRecord & { batch?: string }>(
    realmTable<JournalRecord>('journal', ['seq'], {
      seq: integer('seq'),
      type: text('type'),
      at: integer('at'),
      actor: text('actor'),
      data: text('data'),
      hash: bytes('hash'),
      personal: nullable(text('personal')),
      personalHash: nullable(bytes('personal_hash')),
    }),
    nullable(text('batch')),
    ({ batch }) => batch ?? null,
  ),
  // From here on, all that a table has follows from the journal, and is written with it.
  entries: realmTable<Omit<Posting, 'tokens'>>('entries', ['member_id', 'realm_point_id', 'seq'], {
    memberId: id('member_id'),
    realmPointId: text('realm_point_id'),
    seq: integer('seq'),
    type: text('type'),
    balance: integer('balance'),
  }),
  movements: realmTable<Pick<Posting, 'realmPointId' | 'type' | 'seq'>>(
    'movements',
    ['realm_point_id', 'type', 'seq'],
    { realmPointId: text('realm_point_id'), type: text('type'), seq: integer('seq') },
  ),
  scores: realmTable<Scores>('scores', ['member_id', 'realm_point_id'], {
    memberId: id('member_id'),
    realmPointId: text('realm_point_id'),
    day: integer('day'),
    dayScore: integer('day_score'),
    week: integer('week'),
    weekScore: integer('week_score'),
    month: integer('month'),
    monthScore: integer('month_score'),
  }),
  buckets: realmTable<BucketCount>('rank_buckets', ['leaderboard', 'width', 'bucket'], {
    leaderboard: text('leaderboard'),
    width: integer('width'),
    bucket: integer('bucket'),
    count: integer('count'),
    endsAt: nullable(integer('ends_at')),
  }),
  days: realmTable<DailyTotals>('daily_totals', ['day', 'realm_point_id'], {
    day: integer('day'),
    realmPointId: text('realm_point_id'),
    records: integer('records'),
    issued: text('issued'),
    spent: text('spent'),
    opened: text('opened'),
    held: text('held'),
  }),
  words: realmTable<SearchKey & IndexedWord>('member_words', ['word', 'member_id'], {
    word: text('word'),
    memberId: id('member_id'),
    others: text('others'),
  }),
};

/** Finds the realm of an API key, whose own row is stored with its realm. */
export const keyDirectory = globalTable<Pick<ApiKeyRow, 'id' | 'realmId'>>(
  'key_directory',
  ['key_id'],
  { id: text('key_id'), realmId: text('realm_id') },
);
