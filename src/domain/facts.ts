import type {
  Account,
  ApiKeyRow,
  Asset,
  Challenge,
  Hold,
  MemberRow,
  MemberStatus,
  PointKind,
  RealmRow,
  Wallet,
} from './model.ts';
import type { JournalRecord } from './rules/journal.ts';

/** What the commands of one realm must know before they can be decided. */
export interface Needs {
  realmId: string;
  /** Members whose status and balances count. */
  members: Set<string>;
  /** Members whose whole row, accounts and wallets count too. */
  profiles: Set<string>;
  /** Accounts and wallets whose holder counts, by `accountKey` and wallet key. */
  accounts: Set<string>;
  wallets: Set<string>;
  apiKeys: Set<string>;
  /** Challenges that a proof speaks of, by their nonce. */
  challenges: Set<string>;
  /** Members all of whose unused challenges count. */
  challengesOf: Set<string>;
  idempotencyKeys: Set<string>;
  /** Records and holds that are spoken of; their members count too. */
  records: Set<number>;
  holds: Set<number>;
  /** Whether the realm's assets count: all of them, since their number has a bound. */
  assets: boolean;
  /** How many member ids to assign, and how many others may be enrolled meanwhile. */
  idsToAssign: number;
  idsToEnrol: number;
}

export interface Balance {
  memberId: string;
  realmPointId: string;
  balance: number;
  /** How many holds are open on it: nearly always none, and then none need be looked for. */
  openHolds: number;
}

/** How much of a transaction was given back, and by which record last. */
export interface Reversed {
  seq: number;
  tokens: number;
  by: number;
}

export interface OwnedAccount extends Account {
  memberId: string;
}

export interface OwnedWallet extends Wallet {
  memberId: string;
}

/**
 * A request that was carried out before. Its answer is kept as text, or, when one journal record
 * tells it all, as the `seq` of that record: a transfer is then stored once, not twice.
 */
export type IdempotencyRecord = Receipt & { key: string; fingerprint: string; at: number };

export type Receipt = { answer: string; seq: null } | { answer: null; seq: number };

/** What the store knows of one realm, as far as it was asked. What is absent does not exist. */
export interface RealmFacts {
  realmId: string;
  realm: RealmRow | null;
  kinds: PointKind[];
  assets: Asset[];
  /** The rows of members that may be changed; of the others the status alone. */
  members: MemberRow[];
  statuses: { memberId: string; status: MemberStatus }[];
  balances: Balance[];
  accounts: OwnedAccount[];
  wallets: OwnedWallet[];
  apiKeys: ApiKeyRow[];
  challenges: Challenge[];
  idempotencyRecords: IdempotencyRecord[];
  /** The records asked for, and those that `remembered` points to. */
  records: JournalRecord[];
  reversed: Reversed[];
  /** The holds asked for, and every open one on a balance that was loaded. */
  holds: Hold[];
  freeMemberIds: string[];
}

/** The facts of a realm that does not exist, or of which nothing is known yet. */
export function emptyFacts(realmId: string): RealmFacts {
  return {
    realmId,
    realm: null,
    kinds: [],
    assets: [],
    members: [],
    statuses: [],
    balances: [],
    accounts: [],
    wallets: [],
    apiKeys: [],
    challenges: [],
    idempotencyRecords: [],
    records: [],
    reversed: [],
    holds: [],
    freeMemberIds: [],
  };
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
  reversed: Change<Reversed>[];
  holds: Change<Hold>[];
  kinds: Change<PointKind>[];
  assets: Change<Asset>[];
  members: Change<MemberRow>[];
  balances: Change<Balance>[];
  accounts: Change<OwnedAccount>[];
  wallets: Change<OwnedWallet>[];
  apiKeys: Change<ApiKeyRow>[];
  challenges: Change<Challenge>[];
  idempotencyRecords: IdempotencyRecord[];
}

export const accountKey = (account: { provider: string; id: string }): string =>
  `${account.provider}:${account.id}`;

export const balanceKey = (memberId: string, realmPointId: string): string =>
  `${memberId}:${realmPointId}`;
