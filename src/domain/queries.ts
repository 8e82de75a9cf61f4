import type {
  ApiKey,
  ApiKeyRow,
  Asset,
  Challenge,
  Hold,
  Member,
  MemberStatus,
  PointKind,
  Realm,
  Wallet,
} from './model.ts';
import type { Verdict } from './rules/audit.ts';
import type { JournalRecord } from './rules/journal.ts';
import type { Window } from './rules/leaderboards.ts';
import type { Transaction } from './rules/statements.ts';

/** A page of a list that is walked in the order of an immutable key. */
export interface PageParams {
  /** The key of the last row already seen, or null at the beginning. */
  after: string | null;
  limit: number;
}

export interface MemberFilter {
  /** A part of the username or display name, in any case. */
  search: string | null;
  /** A wallet key. */
  wallet: string | null;
  /** An account as `provider:id`. */
  account: string | null;
  status: Exclude<MemberStatus, 'removed'> | null;
}

export interface WalletHolder {
  memberId: string;
  verified: boolean;
}

/** Which movements, from the newest back. Instants: from the first, up to but without the last. */
export interface StatementParams {
  realmId: string;
  realmPointId: string | null;
  type: string | null;
  from: number | null;
  to: number | null;
  /** The `seq` of the last one already seen. */
  before: number | null;
  limit: number;
}

export interface LeaderboardParams {
  realmId: string;
  /** Null for the realm's default kind. */
  realmPointId: string | null;
  window: Window;
  /** The instant whose window is meant. */
  at: number;
}

export interface Standing {
  /** Null for a member that is not on the board. */
  rank: number | null;
  memberId: string;
  username: string | null;
  displayName: string | null;
  score: number;
  balance: number;
}

/**
 * The SHA-256 of the root key that the first start made, if one was made; and where the books were
 * copied to, and when.
 */
export type NoteName = 'root_key_hash' | 'copied_to';

/** Every question by its name: what is asked and what is answered. Plain data both ways. */
export interface Queries {
  realm: [{ realmId: string }, Realm | null];
  realms: [PageParams, Realm[]];
  member: [{ realmId: string; memberId: string }, Member | null];
  members: [PageParams & { realmId: string; filter: MemberFilter }, Member[]];
  /** Null when there is no such member. */
  walletsOf: [{ realmId: string; memberId: string }, Wallet[] | null];
  /** One answer for each wallet key, in order. */
  walletHolders: [{ realmId: string; wallets: string[] }, (WalletHolder | null)[]];
  /**
   * The challenge of a present member. Null also where the idempotency key was used before: then
   * what was answered counts, and no proof.
   */
  challenge: [{ realmId: string; nonce: string; idempotencyKey: string | null }, Challenge | null];
  apiKeys: [PageParams & { realmId: string }, ApiKey[]];
  apiKey: [{ keyId: string }, ApiKeyRow | null];
  kinds: [{ realmId: string }, PointKind[]];
  assets: [{ realmId: string }, Asset[]];
  /** Null when there is no such member, as in the two after it. */
  statement: [StatementParams & { memberId: string }, Transaction[] | null];
  /** Null for `at` means now, whatever the clock says. */
  balancesAt: [
    { realmId: string; memberId: string; at: number | null },
    Record<string, number> | null,
  ];
  standing: [
    LeaderboardParams & { memberId: string },
    { standing: Standing | null; total: number } | null,
  ];
  transactions: [StatementParams, Transaction[]];
  transaction: [{ realmId: string; seq: number }, Transaction | null];
  hold: [{ realmId: string; holdId: number }, Hold | null];
  /** Holds of all realms whose time is over and not yet noted. */
  dueHolds: [{ now: number; limit: number }, { realmId: string; holdId: number }[]];
  /** Null when there is no such kind of points. */
  leaderboard: [
    LeaderboardParams & { after: { score: number; memberId: string } | null; limit: number },
    { standings: Standing[]; total: number } | null,
  ];
  records: [{ realmId: string; after: number; limit: number }, JournalRecord[]];
  lastSeq: [{ realmId: string }, number];
  verify: [{ realmId: string }, Verdict | null];
  /** What the service keeps for itself, where it was ever kept. */
  note: [{ name: NoteName }, string | null];
  /** Answers when the storage is there and migrated. */
  ready: [null, boolean];
}

/** The questions that are answered from what follows the journal, up to date when they are. */
export const PROJECTION_QUERIES = [
  'statement',
  'balancesAt',
  'transactions',
  'leaderboard',
  'standing',
] as const satisfies (keyof Queries)[];

export type ProjectionQuery = (typeof PROJECTION_QUERIES)[number];
export type QueryName = keyof Queries;
export type QueryParams<N extends QueryName> = Queries[N][0];
export type QueryResult<N extends QueryName> = Queries[N][1];
export type Reader = {
  [N in QueryName]: (params: QueryParams<N>) => QueryResult<N> | Promise<QueryResult<N>>;
};
