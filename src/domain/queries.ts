import type { ApiKey, ApiKeyRow, Member, MemberStatus, Realm, Wallet } from './model.ts';

/** A page of a list that is walked in the order of an immutable key. */
export interface PageAsk {
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

/** Every question by its name: what is asked and what is answered. Plain data both ways. */
export interface Queries {
  realm: [{ realmId: string }, Realm | null];
  realms: [PageAsk, Realm[]];
  member: [{ realmId: string; memberId: string }, Member | null];
  members: [PageAsk & { realmId: string; filter: MemberFilter }, Member[]];
  /** Null when there is no such member. */
  walletsOf: [{ realmId: string; memberId: string }, Wallet[] | null];
  /** One answer for each wallet key, in order. */
  walletHolders: [{ realmId: string; wallets: string[] }, (WalletHolder | null)[]];
  apiKeys: [PageAsk & { realmId: string }, ApiKey[]];
  apiKey: [{ keyId: string }, ApiKeyRow | null];
  /** The SHA-256 of the root key that the first start made, if one was made. */
  rootKeyHash: [null, string | null];
  /** Answers when the storage is there and migrated. */
  ready: [null, boolean];
}

export type QueryName = keyof Queries;
export type Ask<N extends QueryName> = Queries[N][0];
export type Answer<N extends QueryName> = Queries[N][1];
export type Reader = { [N in QueryName]: (ask: Ask<N>) => Answer<N> | Promise<Answer<N>> };

/** A reader that answers at once, as SQLite does. */
export type SyncReader = { [N in QueryName]: (ask: Ask<N>) => Answer<N> };
