/**
 * The nouns. A member id is a string of digits everywhere (Discord ids pass 2^53), an amount of
 * points is a safe integer, an instant is milliseconds since 1970.
 */
export type Scope = 'read' | 'write' | 'admin';

export interface RateLimit {
  perSecond: number;
  burst: number;
}

export interface RealmSettings {
  /** Whether a credit to an unknown member id enrols that member. */
  autoEnroll: boolean;
  /** Whether members may transfer points to each other. */
  transfers: boolean;
  /** The most that one movement of points may carry, or null for no bound. */
  maxTokensPerRequest: number | null;
  rateLimit: RateLimit | null;
  /** The page where members sign for their wallets, or null for the service's own address. */
  siteUrl: string | null;
}

export interface Realm {
  id: string;
  name: string;
  settings: RealmSettings;
  createdAt: number;
  updatedAt: number;
}

/** The realm's row: also its lock, the end of its journal and the next member id to hand out. */
export interface RealmRow extends Realm {
  seq: number;
  head: string;
  lastAt: number;
  nextMemberId: string;
}

/** A kind of points. */
export interface PointKind {
  id: string;
  name: string;
  symbol: string | null;
  isDefault: boolean;
  isTransferable: boolean;
  minimumBalance: number;
  maximumBalance: number;
}

export type HoldStatus = 'open' | 'captured' | 'released' | 'expired';

/** Points set aside for one purpose: still the member's, but not to be spent on anything else. */
export interface Hold {
  /** The `seq` of the record that made it. */
  id: number;
  memberId: string;
  realmPointId: string;
  tokens: number;
  /** How much of it was taken so far. */
  captured: number;
  status: HoldStatus;
  description: string | null;
  createdAt: number;
  expiresAt: number;
}

export type MemberStatus = 'active' | 'frozen' | 'removed';

export interface MemberRow {
  id: string;
  username: string | null;
  displayName: string | null;
  status: MemberStatus;
  /** A JSON object, kept as text: nothing in the service looks inside. */
  metadata: string;
  createdAt: number;
  updatedAt: number;
}

export interface Account {
  provider: string;
  id: string;
  username: string | null;
}

export type Chain = 'eip155' | 'solana' | 'bitcoin';

/** An address: `key` is equal for every spelling of it, `address` is the spelling people see. */
export interface Address {
  chain: Chain;
  key: string;
  address: string;
}

export interface Wallet extends Address {
  primary: boolean;
  verifiedAt: number | null;
  /** The chain whose contract proved it, `eip155:<id>`; null where a key did, or nothing. */
  verifiedOn: string | null;
  linkedAt: number;
}

/** A text that a member was asked to sign, to prove that a wallet is its own. */
export interface Challenge {
  nonce: string;
  memberId: string;
  walletKey: string;
  message: string;
  expiresAt: number;
  /** It proves one wallet once. */
  usedAt: number | null;
}

export type AssetStandard = 'erc20' | 'erc721' | 'erc1155';

/** A token contract that a realm asks about: what its members hold of it is shown. */
export interface Asset {
  id: string;
  /** The chain by its CAIP-2 name, such as `eip155:1`. */
  chain: string;
  standard: AssetStandard;
  /** The contract's address with its EIP-55 checksum. */
  contract: string;
  /** Which token of an ERC-1155 contract, as digits: up to 256 bits. Null for the others. */
  tokenId: string | null;
  /** What the realm calls it; null where the contract's own word counts. */
  symbol: string | null;
}

/** What a set of wallets holds of one asset, as far as its chain told. */
export interface Holding {
  symbol: string | null;
  /** Digits, in the smallest unit; null while the chain has never told. */
  balance: string | null;
  /** The block at whose end it was so, and when that was read. */
  block: number | null;
  asOf: number | null;
  /** Whether it may be out of date because the chain did not answer, or not well. */
  stale: boolean;
}

/** A member as a reader sees it: the row and everything that belongs to it. */
export interface Member extends MemberRow {
  realmId: string;
  defaultRealmPointId: string;
  balances: Record<string, number>;
  accounts: Account[];
  wallets: Wallet[];
}

export interface ApiKey {
  id: string;
  realmId: string;
  name: string;
  scopes: Scope[];
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

export interface ApiKeyRow extends ApiKey {
  /** SHA-256 of the secret, hexadecimal. The secret itself is never kept. */
  secretHash: string;
  revokedAt: number | null;
  /** The key that took its place when it was rotated. */
  replacedBy: string | null;
}

/** The largest number of points that any balance or movement can have. */
export const MAX_POINTS = Number.MAX_SAFE_INTEGER;

/** Bounds that keep one member or realm from slowing down all others. */
export const MAX_OPEN_HOLDS = 100;
export const MAX_KINDS = 50;
export const MAX_WALLETS = 100;
export const MAX_ASSETS = 50;
/** Texts to sign that were not used yet, for one wallet of a member and for all of them. */
export const MAX_CHALLENGES_FOR_WALLET = 5;
export const MAX_CHALLENGES = 50;

/** The kind of points that every realm starts with. */
export const FIRST_KIND: PointKind = {
  id: 'points',
  name: 'Points',
  symbol: null,
  isDefault: true,
  isTransferable: true,
  minimumBalance: 0,
  maximumBalance: MAX_POINTS,
};

export const DEFAULT_SETTINGS: RealmSettings = {
  autoEnroll: false,
  transfers: true,
  maxTokensPerRequest: null,
  rateLimit: null,
  siteUrl: null,
};
