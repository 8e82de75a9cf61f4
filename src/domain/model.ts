/**
 * The nouns of the domain. A member id is a string of digits, because Discord ids exceed 2^53. An
 * amount of points is a safe integer. An instant is in milliseconds since 1970.
 */
export type Scope = 'read' | 'write' | 'admin';

/** A token bucket: so many requests a second, and so many at once after a pause. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

export const MAX_RATE = 1_000_000;

/** A server of Discord whose members are those of a realm. */
export interface DiscordLink {
  guildId: string;
  /** Where gifts, draws and new offers are announced; null for nowhere. */
  announceChannelId: string | null;
  /** Whose bearers manage points, besides those who may manage the server; null for nobody. */
  managerRoleId: string | null;
}

export interface RealmSettings {
  /** Whether a credit to an unknown member id enrols the member. */
  autoEnroll: boolean;
  transfers: boolean;
  /** The largest amount of one movement of points; null for no limit. */
  maxTokensPerRequest: number | null;
  rateLimit: RateLimit | null;
  /** The page where members sign for their wallets; null for the service's own URL. */
  siteUrl: string | null;
  /** Where a day, a week or a month begins: the IANA name of a time zone. */
  timeZone: string;
  /** What a caller gets who asks for a member that there is not. */
  unknownMembers: 'not-found' | 'zero';
  discordPictures: boolean;
  /** Null unless a server is linked; a list if several are. */
  discord: DiscordLink | DiscordLink[] | null;
}

export interface Realm {
  id: string;
  name: string;
  settings: RealmSettings;
  createdAt: number;
  updatedAt: number;
  archivedAt: number | null;
}

/** The realm's row. It is locked for writing, and holds the journal's end. */
export interface RealmRow extends Realm {
  seq: number;
  head: string;
  /** The instant of the journal's last record, and what the clock showed when it was written. */
  lastAt: number;
  clockAt: number;
  /** While the journal is ahead of the clock: the first record since the clock was set back. */
  setBackSeq: number | null;
  nextMemberId: string;
  /** A deleted realm is invisible; its row stays until all its other rows are removed. */
  deletedAt: number | null;
}

export interface PointKind {
  id: string;
  name: string;
  symbol: string | null;
  isDefault: boolean;
  isTransferable: boolean;
  minimumBalance: number;
  maximumBalance: number;
  /** The points of an archived kind can be read, but not moved. */
  archived: boolean;
}

/** A leaderboard ranks one point kind: all time by balance, or in a UTC window by points earned. */
export type Window = 'all' | 'day' | 'week' | 'month';

export type HoldStatus = 'open' | 'captured' | 'released' | 'expired';

/** Points set aside for one purpose: part of the balance, but not available for anything else. */
export interface Hold {
  /** The `seq` of the record that created it. */
  id: number;
  memberId: string;
  realmPointId: string;
  tokens: number;
  captured: number;
  status: HoldStatus;
  description: string | null;
  reference: string | null;
  /** JSON text. */
  metadata: string | null;
  createdAt: number;
  expiresAt: number;
}

/** Whatever a caller likes to add to a movement, by names of its own. */
export type Metadata = Record<string, string | number | boolean>;

/** What a caller says of a movement or a hold. */
export interface Remarks {
  description?: string;
  /** The caller's own id of the matter, which several movements may share. */
  reference?: string;
  metadata?: Metadata;
}

export type MemberStatus = 'active' | 'frozen' | 'removed';

export interface Account {
  provider: string;
  id: string;
  username: string | null;
}

/** What is told of a member. All of it is personal, and can be erased. */
export interface Profile {
  username: string | null;
  displayName: string | null;
  accounts: Account[];
  tags: string[];
  note: string | null;
  metadata: Record<string, unknown>;
}

/** The profile in a member's row: accounts have rows of their own, tags and metadata are JSON. */
export interface ProfileColumns extends Omit<Profile, 'accounts' | 'tags' | 'metadata'> {
  tags: string;
  metadata: string;
}

/** The profile of a new member, unless more is told, and of an erased one. */
const BLANK_TEXTS = { username: null, displayName: null, note: null };
export const BLANK_PROFILE: ProfileColumns = { ...BLANK_TEXTS, tags: '[]', metadata: '{}' };

/** Those that are sent, stored and recorded as they are, and those that are stored as JSON. */
export const PLAIN_FIELDS = ['username', 'displayName', 'note'] as const;
export const JSON_FIELDS = ['tags', 'metadata'] as const;
export const PROFILE_COLUMNS = [...PLAIN_FIELDS, ...JSON_FIELDS];

export interface MemberRow extends ProfileColumns {
  id: string;
  status: MemberStatus;
  createdAt: number;
  updatedAt: number;
  /** Of a removed member whose personal parts are erased; null otherwise. */
  erasedAt: number | null;
}

export type Chain = 'eip155' | 'solana' | 'bitcoin';

/** An address: `key` is the same for every spelling of it, `address` is the one to display. */
export interface Address {
  chain: Chain;
  key: string;
  address: string;
}

export interface Wallet extends Address {
  primary: boolean;
  verifiedAt: number | null;
  /** The chain whose contract accepted the signature, `eip155:<id>`; null otherwise. */
  verifiedOn: string | null;
  linkedAt: number;
}

/** A text for a member to sign as a proof of owning a wallet. */
export interface Challenge {
  nonce: string;
  memberId: string;
  walletKey: string;
  message: string;
  expiresAt: number;
  usedAt: number | null;
}

/** A token contract whose balances a realm shows for its members' wallets. */
export interface Asset {
  id: string;
  /** The chain by its CAIP-2 name, such as `eip155:1`. */
  chain: string;
  standard: 'erc20' | 'erc721' | 'erc1155';
  /** The contract's address with its EIP-55 checksum. */
  contract: string;
  /** The token of an ERC-1155 contract as digits, up to 256 bits; null for other standards. */
  tokenId: string | null;
  /** The realm's symbol for it; null to use the contract's. */
  symbol: string | null;
}

/** How much of an asset a set of wallets holds, as last read from its chain. */
export interface Holding {
  symbol: string | null;
  /** Digits, in the smallest unit; null until the chain has answered once. */
  balance: string | null;
  block: number | null;
  asOf: number | null;
  /** Whether it may be outdated, because the chain failed to answer since. */
  stale: boolean;
}

export interface Member extends MemberRow {
  realmId: string;
  defaultRealmPointId: string;
  /** By kind of points, the default kind first; also what open holds set aside and what is free. */
  balances: Record<string, number>;
  held: Record<string, Sum>;
  available: Record<string, Sum>;
  accounts: Account[];
  wallets: Wallet[];
  /** When its points last moved, or else when it was enrolled. */
  lastActiveAt: number;
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
  /** The SHA-256 of the secret in hexadecimal. The secret itself is not stored. */
  secretHash: string;
  revokedAt: number | null;
  /** The key that replaced it when it was rotated. */
  replacedBy: string | null;
}

/** A session of the console: it acts for a key, for as long as the key is valid, or a person. */
export interface Session {
  id: string;
  /** The id of an API key or a person, or for the root key an id that changes with it. */
  keyId: string;
  /** A one-time code, such as an invitation: exchanged for a session, but none itself. */
  isCode: boolean;
  secretHash: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  userAgent: string | null;
}

/** A further one ends the key's oldest. */
export const MAX_SESSIONS = 100;

/** The largest balance and the largest movement. */
export const MAX_POINTS = Number.MAX_SAFE_INTEGER;

/** What many movements add up to: a number or, where no number is exact, its digits. */
export type Sum = number | string;

export function sumOf(exact: bigint | string): Sum {
  const value = Number(exact);
  return Number.isSafeInteger(value) ? value : String(exact);
}

/** Limits that keep one member or realm from slowing down the others. */
export const MAX_OPEN_HOLDS = 100;
/** In all kinds of points: a removal ends all holds of the member at once. */
export const MAX_OPEN_HOLDS_IN_ALL = 500;
export const [MAX_WALLETS, MAX_ASSETS] = [100, 50];
/** Unused challenges of a member. */
export const MAX_CHALLENGES = 50;

/** The kind of points that a new realm has unless others are asked for. */
export const FIRST_KIND: PointKind = {
  id: 'points',
  name: 'Points',
  symbol: null,
  isDefault: true,
  isTransferable: true,
  minimumBalance: 0,
  maximumBalance: MAX_POINTS,
  archived: false,
};

export const DEFAULT_SETTINGS: RealmSettings = {
  autoEnroll: false,
  transfers: true,
  maxTokensPerRequest: null,
  rateLimit: null,
  siteUrl: null,
  timeZone: 'UTC',
  unknownMembers: 'not-found',
  discordPictures: false,
  discord: null,
};
