import type {
  ChosenMembers,
  MemberConditions,
  MemberCount,
  MemberFilter,
  MembersUpTo,
  SearchPage,
  SearchParams,
  SortedPage,
  SortedParams,
  SortKey,
} from './member-queries.ts';
import type {
  ApiKey,
  ApiKeyRow,
  Asset,
  Challenge,
  Hold,
  HoldStatus,
  Member,
  PointKind,
  Realm,
  RealmSettings,
  Session,
  Sum,
  Wallet,
  Window,
} from './model.ts';
import type { Claim, ClaimStatus, Offer, OfferStatus, Tickets } from './offer.ts';
import type { PeopleQueries } from './person.ts';
import type { Verification } from './rules/audit.ts';
import type { ActiveDay, DailyTotals } from './rules/daily-totals.ts';
import type { JournalRecord } from './rules/journal.ts';
import type { Page, PageUpTo } from './rules/pages.ts';
import type { StatementPage, Transaction } from './rules/statements.ts';
import type { Delivery, Webhook, WebhookRow } from './webhook.ts';

/** Selects a page of a list, in the order of a key that never changes. */
interface PageParams {
  /** The key of the last row of the previous page; null for the first page. */
  after: string | null;
  /** The most rows; a page of large rows has fewer. */
  limit: number;
}

export interface WalletHolder {
  memberId: string;
  verified: boolean;
}

/** Selects movements, newest first, from the instant `from` up to but excluding `to`. */
export interface StatementParams {
  realmId: string;
  realmPointId: string | null;
  type: string | null;
  from: number | null;
  to: number | null;
  /** Only those with this reference, of any kind and type. */
  reference?: string | undefined;
  before: number | null;
  limit: number;
}

export interface HoldParams {
  realmId: string;
  /** The status at the instant `now`; null for any. */
  status: HoldStatus | null;
  /** The id of the last hold of the previous page. */
  before: number | null;
  limit: number;
  now: number;
}

export interface ClaimParams {
  realmId: string;
  status: ClaimStatus | null;
  offerId: string | null;
  /** The id of the last claim of the previous page. */
  before: number | null;
  limit: number;
}

/** A member's balances at a past instant, by kind of points, the default kind first. */
export interface PastBalances {
  defaultRealmPointId: string;
  balances: Record<string, number>;
}

export interface LeaderboardParams {
  realmId: string;
  /** Null for the realm's default kind. */
  realmPointId: string | null;
  window: Window;
  /** An instant in the window. */
  at: number;
}

export interface Standing {
  /** Null for a member that is not on the leaderboard. */
  rank: number | null;
  memberId: string;
  username: string | null;
  displayName: string | null;
  score: Sum;
  balance: number;
  /** The address of the primary wallet. */
  wallet: string | null;
  /** When the member's points of this kind last moved, or else when it was enrolled. */
  updatedAt: number;
}

export interface RealmTotals {
  members: number;
  records: number;
  lastAt: number;
  /** By kind of points, the default kind first: what members have, and how much of it is held. */
  circulation: Record<string, Sum>;
  held: Record<string, Sum>;
}

export interface StorageFault {
  /** Without some of the servers, the others serve their realms. */
  check: 'storage' | 'clock' | 'integrity' | 'servers';
  reason: string;
}

export type LimitedKey = ApiKeyRow & Pick<RealmSettings, 'rateLimit'>;

export interface ErasingRealm {
  realmId: string;
  members: number;
  since: number;
}

interface Queries extends PeopleQueries {
  realm: [{ realmId: string }, Realm | null];
  realms: [PageParams, Page<Realm>];
  /** Deleted realms of which rows are left. */
  deletedRealms: [{ limit: number }, string[]];
  /** Realms with members whose erasure is not finished, and the instant of the first of these. */
  erasingRealms: [{ limit: number }, ErasingRealm[]];
  /** Realms with new kinds of points that some members have no balance of yet. */
  enrollingRealms: [{ limit: number }, string[]];
  /** `now` tells which holds have expired, here and wherever members are returned. */
  member: [{ realmId: string; memberId: string; now: number }, Member | null];
  members: [
    PageParams & {
      realmId: string;
      filter: MemberFilter;
      conditions?: MemberConditions | undefined;
      now: number;
    },
    MembersUpTo<string>,
  ];
  countMembers: [ChosenMembers, MemberCount];
  /** Those of the members that are present, in this order. */
  namedMembers: [
    { realmId: string; memberIds: string[]; limit: number; now: number },
    Page<Member>,
  ];
  searchMembers: [SearchParams, SearchPage];
  /** Null when there is no such kind of points. */
  sortedMembers: [SortedParams, SortedPage | null];
  /** Null when there is no such member. */
  walletsOf: [{ realmId: string; memberId: string }, Wallet[] | null];
  /** One result for each wallet key, in order. */
  walletHolders: [{ realmId: string; wallets: string[] }, (WalletHolder | null)[]];
  /** Null also if the idempotency key was used: the stored answer needs no proof. */
  challenge: [{ realmId: string; nonce: string; idempotencyKey: string | null }, Challenge | null];
  apiKeys: [PageParams & { realmId: string }, Page<ApiKey>];
  /** With the setting of its realm. */
  apiKey: [{ keyId: string }, LimitedKey | null];
  /** Of any key, and also if it has expired, as for the next one. */
  session: [{ sessionId: string }, Session | null];
  /** Newest first, without one-time codes. */
  sessions: [{ keyId: string }, Session[]];
  kinds: [{ realmId: string }, PointKind[]];
  assets: [{ realmId: string }, Asset[]];
  webhooks: [{ realmId: string }, Webhook[]];
  webhook: [{ realmId: string; webhookId: string }, WebhookRow | null];
  /** Newest first; null when there is no such webhook. */
  deliveries: [
    { realmId: string; webhookId: string; before: number | null; limit: number },
    Page<Delivery> | null,
  ];
  delivery: [{ realmId: string; webhookId: string; deliveryId: number }, Delivery | null];
  /** Null when there is no such member, as for the next three. */
  statement: [StatementParams & { memberId: string }, StatementPage | null];
  balancesAt: [{ realmId: string; memberId: string; at: number }, PastBalances | null];
  /** The same at several instants, in order. */
  balanceHistory: [
    { realmId: string; memberId: string; instants: number[] },
    PastBalances[] | null,
  ];
  standing: [
    LeaderboardParams & { memberId: string },
    { standing: Standing | null; total: number } | null,
  ];
  transactions: [StatementParams, StatementPage];
  /** What the command with this idempotency key moved, newest first. */
  transactionsOfKey: [
    { realmId: string; idempotencyKey: string; before: number | null; limit: number },
    StatementPage,
  ];
  transaction: [{ realmId: string; seq: number }, Transaction | null];
  hold: [{ realmId: string; holdId: number }, Hold | null];
  /** As they are stored: whether one has expired depends on the instant. */
  holds: [HoldParams, Page<Hold>];
  /** Null when there is no such member. */
  holdsOf: [HoldParams & { memberId: string }, Page<Hold> | null];
  offer: [{ realmId: string; offerId: string }, Offer | null];
  /** Those that have the status now. */
  offers: [
    PageParams & { realmId: string; status: OfferStatus | null; now: number },
    PageUpTo<Offer, string>,
  ];
  claim: [{ realmId: string; claimId: number }, Claim | null];
  claims: [ClaimParams & { memberId: string | null }, PageUpTo<Claim, number>];
  /** Null when there is no such member. */
  claimsOf: [ClaimParams & { memberId: string }, PageUpTo<Claim, number> | null];
  /** The claims of an offer that were not rejected, by number. */
  tickets: [{ realmId: string; offerId: string; after: number; limit: number }, Tickets[]];
  /** Holds of all realms whose expiry has not been recorded yet. */
  dueHolds: [{ now: number; limit: number }, { realmId: string; holdId: number }[]];
  /** Null when there is no such kind of points. */
  leaderboard: [
    LeaderboardParams & {
      /** Whether the week or month is over: then some members are on its past leaderboard. */
      isPast?: boolean;
      after: SortKey | null;
      limit: number;
    },
    (Page<Standing> & { total: number }) | null,
  ];
  /** Null when there is no such realm. */
  realmTotals: [{ realmId: string }, RealmTotals | null];
  /** From one day to another, by day and kind of points; those without records are left out. */
  dailyTotals: [{ realmId: string; from: number; to: number }, DailyTotals[]];
  /** Days in which nobody was active are left out. */
  activeDays: [{ realmId: string; from: number; to: number }, ActiveDay[]];
  records: [{ realmId: string; after: number; limit: number }, Page<JournalRecord>];
  /** Those before a record, newest first; of all types if there are none. */
  newestRecords: [
    { realmId: string; before: number; types: string[] | null; limit: number },
    Page<JournalRecord>,
  ];
  lastSeq: [{ realmId: string }, number];
  /** Null if there is no such realm. A realm whose server is away is left out. */
  lastSeqs: [{ realmIds: string[] }, { realmId: string; seq: number | null }[]];
  /** Queues a check of the realm, which may take long, or returns the one that is unfinished. */
  startVerification: [RealmToVerify, Verification];
  verification: [RealmToVerify & { id: string }, Verification | null];
  /** A setting that the service stores for itself. */
  note: [{ name: NoteName }, string | null];
  /** Those whose names begin so. */
  notes: [{ prefix: string }, { name: string; value: string }[]];
  /** What is wrong with the storage, each a sentence; none if it is ready. */
  ready: [null, StorageFault[]];
}

/** When a realm was created tells it from an earlier one of the same id. */
type RealmToVerify = { realmId: string; createdAt: number };

/** The queries that check realms, which can take minutes. */
export const VERIFICATION_QUERIES = [
  'startVerification',
  'verification',
] as const satisfies (keyof Queries)[];

export type VerificationQuery = (typeof VERIFICATION_QUERIES)[number];
export type QueryName = keyof Queries;
export type QueryParams<N extends QueryName> = Queries[N][0];
export type QueryResult<N extends QueryName> = Queries[N][1];
export type Reader = {
  [N in QueryName]: (params: QueryParams<N>) => QueryResult<N> | Promise<QueryResult<N>>;
};

/**
 * The SHA-256 of the key in root.key; where the database was copied to, and when; of the app of
 * Discord, which process is connected, how it is, the realm of each server, and what it keeps of
 * each realm.
 */
export type NoteName =
  | 'root_key_hash'
  | 'copied_to'
  | 'discord_lease'
  | 'discord_status'
  | `discord_server:${string}`
  | `discord_app:${string}`;
