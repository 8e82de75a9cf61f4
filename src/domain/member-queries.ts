import type { Member, MemberStatus, Sum } from './model.ts';
import type { SearchKey } from './rules/search.ts';

export interface MemberFilter {
  /** A wallet key. */
  wallet: string | null;
  /** An account as `provider:id`. */
  account: string | null;
  status: Exclude<MemberStatus, 'removed'> | null;
}

/** From the first to the second, both included. */
export type Range = readonly [from: number, to: number];

export interface MemberConditions {
  status?: MemberFilter['status'];
  /** All of them. */
  tags?: readonly string[];
  hasWallet?: boolean;
  balance?: Range;
  /** Of which kind the balance is; null for the default kind. */
  realmPointId?: string | null;
  created?: Range;
  /** The instant of its last activity. */
  active?: Range;
}

/** Members that meet conditions, in an order by which an index finds them. */
export interface ChosenMembers {
  realmId: string;
  by: 'id' | 'balance' | 'createdAt';
  conditions: MemberConditions;
}

export interface MemberCount {
  members: number;
  isComplete: boolean;
}

/** Members up to a key in the order of their list. There may be few, even none, before the last. */
export interface MembersUpTo<Key> {
  members: Member[];
  /** Where the next page starts; null after the last one. */
  next: Key | null;
}

export interface SearchParams {
  realmId: string;
  search: string;
  status: MemberFilter['status'];
  conditions?: MemberConditions | undefined;
  after: SearchKey | null;
  limit: number;
  now: number;
}

export type SearchPage = MembersUpTo<SearchKey>;

/** The place of a member in a list that is sorted by a number, a balance or an instant. */
export interface SortKey {
  score: Sum;
  memberId: string;
}

/** The same in one that is sorted by names, in lower case. */
export interface NameKey {
  name: string;
  memberId: string;
}

export interface SortedParams {
  realmId: string;
  by: 'balance' | 'createdAt' | 'name';
  /** Of which kind the balance is; null for the default kind. */
  realmPointId: string | null;
  /** Not by name. */
  conditions?: MemberConditions | undefined;
  /** By name a `NameKey`, otherwise a `SortKey`. */
  after: SortKey | NameKey | null;
  limit: number;
  now: number;
}

export type SortedPage = MembersUpTo<SortKey | NameKey>;
