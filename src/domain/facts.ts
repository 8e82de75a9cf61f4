import type { JournalRecord } from './journal.rules.ts';
import type { Account, ApiKeyRow, MemberRow, PointKind, RealmRow, Wallet } from './model.ts';

/** What the commands of one realm must know before they can be decided. */
export interface Needs {
  realmId: string;
  /** Members whose row and balances count. */
  members: Set<string>;
  /** Members whose accounts and wallets count too. */
  profiles: Set<string>;
  /** Accounts and wallets whose holder counts, by `accountKey` and wallet key. */
  accounts: Set<string>;
  wallets: Set<string>;
  apiKeys: Set<string>;
  idempotencyKeys: Set<string>;
  /** How many member ids to assign, and how many others may be enrolled meanwhile. */
  idsToAssign: number;
  idsToEnrol: number;
}

export interface Balance {
  memberId: string;
  pointId: string;
  balance: number;
}

export interface HeldAccount extends Account {
  memberId: string;
}

export interface HeldWallet extends Wallet {
  memberId: string;
}

/**
 * A request that was carried out before. Its answer is kept as text, or, when one journal record
 * tells it all, as the `seq` of that record: a transfer is then stored once, not twice.
 */
export type Remembered = Receipt & { key: string; fingerprint: string; at: number };

export type Receipt = { answer: string; seq: null } | { answer: null; seq: number };

/** What the store knows of one realm, as far as it was asked. What is absent does not exist. */
export interface RealmFacts {
  realmId: string;
  realm: RealmRow | null;
  kinds: PointKind[];
  members: MemberRow[];
  balances: Balance[];
  accounts: HeldAccount[];
  wallets: HeldWallet[];
  apiKeys: ApiKeyRow[];
  remembered: Remembered[];
  /** The records that `remembered` points to. */
  receipts: JournalRecord[];
  freeMemberIds: string[];
}

/** A row to be written, or null where it goes. */
export interface Change<V> {
  key: string;
  row: V | null;
}

/** What a batch of commands did to one realm: to be written in one transaction, or not at all. */
export interface RealmChanges {
  realm: RealmRow;
  isNewRealm: boolean;
  records: JournalRecord[];
  kinds: Change<PointKind>[];
  members: Change<MemberRow>[];
  balances: Change<Balance>[];
  accounts: Change<HeldAccount>[];
  wallets: Change<HeldWallet>[];
  apiKeys: Change<ApiKeyRow>[];
  remembered: Remembered[];
}

export const accountKey = (account: { provider: string; id: string }): string =>
  `${account.provider}:${account.id}`;

export const balanceKey = (memberId: string, pointId: string): string => `${memberId}:${pointId}`;
