/**
 * Generated from src/contract by `npm run client-types`: change the contract, not this file.
 */

/** A member id: digits, or a bigint. Discord ids exceed what a number holds. */
export type MemberId = string | bigint;

/** An instant in a request: RFC 3339, or a Date. In an answer it is always RFC 3339 in UTC. */
export type Instant = string | Date;

/** A problem (RFC 9457). Some codes have further members. */
export interface ProblemBody {
  /** A URN that ends in the code. */
  type: string;
  /** The kind of problem, for people. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** A sentence that says what to do. */
  detail: string;
  /** The same as `detail`. */
  message: string;
  /** The kind of problem, for programs. More codes may be added. */
  code: string;
  /** Include it when you report a problem. */
  requestId: string;
  /** All faults of the request. */
  errors?: {
    /** A JSON pointer into the body; `/path/…`, `/query/…` and `/header/…` elsewhere. */
    pointer: string;
    /** What is required. */
    detail: string;
  }[];
}

export interface Member {
  /** A member id as a string of digits, 1 to 2^63-1. */
  id: string;
  /** The same as `id`. */
  memberId: string;
  /** The `id` in 24 digits, for older programs. */
  dripId: string;
  /** The realm: 1 to 64 letters, digits, `_` or `-`, the first a letter or digit. */
  realmId: string;
  /** The member’s handle. */
  username: string | null;
  /** The display name. */
  displayName: string | null;
  /** `unknown` if there is no such member and the realm’s `unknownMembers` is `zero`. */
  status: 'active' | 'frozen' | 'unknown';
  /** The balance in the realm’s default points. */
  tokenBalance: number;
  /** The same as `tokenBalance`. */
  tokens: number;
  /**
   * The balance in every kind of points, including zeros. The default kind comes first, then the
   * others by id.
   */
  balances: Record<string, number>;
  /**
   * What open holds set aside of each balance. The default kind comes first, then the others by id.
   */
  held: Record<string, number>;
  /**
   * What can be spent of each balance now: all but what is held and the minimum balance; nothing
   * while the member is frozen or the kind archived. The default kind comes first, then the others
   * by id.
   */
  available: Record<string, number>;
  accounts: {
    /** The provider of the account. */
    provider: string;
    /** The account’s id at the provider, as a string. */
    id: string;
    /** The account’s name at the provider. */
    username: string | null;
  }[];
  /** Addresses, the primary one first. */
  wallets: string[];
  /** Accounts and wallets, for older programs. */
  credentials: {
    /** An account, or a wallet. */
    format: 'oauth' | 'blockchain';
    /** The id of the account, or the address. */
    publicIdentifier: string;
    /** The provider of the account. */
    oauthProvider: string | null;
    /** The account’s id. */
    oauthAccountId: string | null;
    /** The account’s name. */
    oauthUsername: string | null;
    /** The chain of the wallet. */
    chain: string | null;
  }[];
  /** Your own data: a JSON object of at most 8 KiB. */
  metadata: Record<string, unknown>;
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  updatedAt: string;
}

export interface Wallet {
  /** EVM addresses with their EIP-55 checksum. */
  address: string;
  chain: 'eip155' | 'solana' | 'bitcoin';
  /** Whether it is the primary wallet. */
  primary: boolean;
  /** Whether the member proved ownership. */
  verified: boolean;
  /** RFC 3339, in UTC, with milliseconds. */
  verifiedAt: string | null;
  /**
   * The chain on which a contract wallet proved ownership, such as `eip155:8453`. It says nothing
   * about other chains. Null if a private key signed: that holds on every chain.
   */
  verifiedOn: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  linkedAt: string;
}

export interface Holding {
  /** The asset. */
  assetId: string;
  /** The chain by its CAIP-2 name: `eip155:` and the chain id. */
  chain: string;
  /** The token standard of the contract. */
  standard: 'erc20' | 'erc721' | 'erc1155';
  /** The contract’s address, with its EIP-55 checksum. */
  contract: string;
  /** The token of an ERC-1155 contract, as digits. */
  tokenId: string | null;
  /** As set by the realm, or else the contract’s own. */
  symbol: string | null;
  /**
   * The total held by the member’s EVM wallets, in the smallest unit. Null until every wallet’s
   * balance has been read.
   */
  balance: string | null;
  /** The block at which the balance was read. */
  block: number | null;
  /** RFC 3339, in UTC, with milliseconds. */
  asOf: string | null;
  /** Whether the balance could not be refreshed: it is the last known one, or null. */
  stale: boolean;
}

export interface Web3Member {
  /** A member id as a string of digits, 1 to 2^63-1. */
  memberId: string;
  /** The realm: 1 to 64 letters, digits, `_` or `-`, the first a letter or digit. */
  realmId: string;
  wallets: Wallet[];
  /** Empty while the realm has no assets. */
  assets: Holding[];
}

export interface WalletCheckBody {
  wallets: readonly string[];
}

export interface WalletCheck {
  /** Whether every wallet is included. */
  all: boolean;
  /** Whether at least one wallet is included. */
  any: boolean;
  results: {
    /** Exactly as sent. */
    wallet: string;
    /** Whether it belongs to a member. */
    included: boolean;
    /** A member id as a string of digits, 1 to 2^63-1. */
    memberId: string | null;
    /** Whether the member proved ownership. */
    verified: boolean;
  }[];
}

export interface ChangePointsBody {
  /** Points: positive adds, negative subtracts. Never 0. */
  tokens: number;
  /** The reason, in your own words. Stored in the journal. */
  description?: string | undefined;
  /** The kind of points; empty for the realm’s default kind. */
  realmPointId?: string | null | undefined;
  /** The handle of the member, if the realm’s `autoEnroll` enrols it. It renames no member. */
  username?: string | null | undefined;
}

export interface ChangePointsAnswer {
  /** A balance of points. */
  newBalance: number;
  /** The number of the journal record that moved the points: 1, 2, 3, … without gaps. */
  transactionId: number;
  /** A member id as a string of digits, 1 to 2^63-1. */
  memberId: string;
  /** The kind of points. */
  realmPointId: string;
}

export interface TransferPointsBody {
  /** A member id: a JSON integer (read losslessly) or a string of digits, 1 to 2^63-1. */
  recipientId: MemberId;
  /** The number of points, at least 1. */
  tokens: number;
  /** The reason, in your own words. Stored in the journal. */
  description?: string | undefined;
  /** The kind of points; empty for the realm’s default kind. */
  realmPointId?: string | null | undefined;
  /** The handle of the member, if the realm’s `autoEnroll` enrols it. It renames no member. */
  recipientUsername?: string | null | undefined;
}

export interface TransferPointsAnswer {
  /** “Ok”. */
  message: string;
  /** The number of the journal record that moved the points: 1, 2, 3, … without gaps. */
  transactionId: number;
  /** A member id as a string of digits, 1 to 2^63-1. */
  memberId: string;
  /** A member id as a string of digits, 1 to 2^63-1. */
  recipientId: string;
  /** The points that were moved. */
  tokens: number;
  /** A balance of points. */
  senderBalance: number;
  /** A balance of points. */
  recipientBalance: number;
  /** The kind of points. */
  realmPointId: string;
}

export interface ChangeManyPointsBody {
  /** The reason, in your own words. Stored in the journal. */
  description?: string | undefined;
  /** Whether all entries succeed or none. Default true. */
  atomic?: boolean | undefined;
  /** Whether entries of 0 are skipped instead of refused. Default false. */
  skipZero?: boolean | undefined;
  entries: readonly {
    /** A member id: a JSON integer (read losslessly) or a string of digits, 1 to 2^63-1. */
    memberId: MemberId;
    /** Points: positive adds, negative subtracts. 0 only with `skipZero`. */
    tokens: number;
    /** The reason, in your own words. Stored in the journal. */
    description?: string | undefined;
    /** The kind of points; empty for the realm’s default kind. */
    realmPointId?: string | null | undefined;
    /** The handle of the member, if the realm’s `autoEnroll` enrols it. It renames no member. */
    username?: string | null | undefined;
  }[];
}

export interface EntryResult {
  /** A member id as a string of digits, 1 to 2^63-1. */
  memberId: string;
  /** A balance of points. */
  newBalance?: number;
  /** The number of the journal record that moved the points: 1, 2, 3, … without gaps. */
  transactionId?: number | null;
  /** Why this entry was refused; only if "atomic" is false. */
  problem?: Omit<ProblemBody, 'requestId'>;
}

export interface ChangeManyPointsAnswer {
  /** “Ok”. */
  message: string;
  results: EntryResult[];
}

export interface CreateMemberBody {
  /** A member id: a JSON integer (read losslessly) or a string of digits, 1 to 2^63-1. */
  id?: MemberId | undefined;
  /** The member’s handle. */
  username?: string | null | undefined;
  /** The display name. */
  displayName?: string | null | undefined;
  /** The member’s external accounts; each belongs to one member of the realm. */
  accounts?: readonly {
    /** The provider of the account. */
    provider: string;
    /** The account’s id at the provider, as a string. */
    id: string;
    /** The account’s name at the provider. */
    username?: string | null | undefined;
  }[] | undefined;
  /** Your own data: a JSON object of at most 8 KiB. */
  metadata?: Record<string, unknown> | undefined;
  /** Wallet addresses to link, unverified; the first becomes the primary one. */
  wallets?: readonly string[] | undefined;
}

export interface CreateMembersBody {
  /** The reason, in your own words. Stored in the journal. */
  description?: string | undefined;
  /** Whether all members are enrolled or none. Default true. */
  atomic?: boolean | undefined;
  members: readonly {
    /** A member id: a JSON integer (read losslessly) or a string of digits, 1 to 2^63-1. */
    id?: MemberId | undefined;
    /** The member’s handle. */
    username?: string | null | undefined;
    /** The display name. */
    displayName?: string | null | undefined;
    /** The member’s external accounts; each belongs to one member of the realm. */
    accounts?: readonly {
      /** The provider of the account. */
      provider: string;
      /** The account’s id at the provider, as a string. */
      id: string;
      /** The account’s name at the provider. */
      username?: string | null | undefined;
    }[] | undefined;
    /** Your own data: a JSON object of at most 8 KiB. */
    metadata?: Record<string, unknown> | undefined;
    /** Wallet addresses to link, unverified; the first becomes the primary one. */
    wallets?: readonly string[] | undefined;
    /**
     * What the member brings along, by kind of points. Recorded as `points.opened`: it counts in
     * balances, but not as earned. Down to the `minimumBalance` of its kind; 0 is not recorded.
     */
    balances?: Record<string, number> | undefined;
    /** "frozen" for one who is not to move points yet. */
    status?: 'active' | 'frozen' | undefined;
  }[];
}

export interface CreateMembersAnswer {
  /** “Ok”. */
  message: string;
  results: {
    /** A member id as a string of digits, 1 to 2^63-1. */
    memberId: string | null;
    /** The opening balances that were recorded. */
    opened?: {
      /** The kind of points. */
      realmPointId: string;
      /** A balance of points. */
      newBalance: number;
      /** The number of the journal record that moved the points: 1, 2, 3, … without gaps. */
      transactionId: number;
    }[];
    /** Why this entry was refused; only if "atomic" is false. */
    problem?: Omit<ProblemBody, 'requestId'>;
  }[];
}

export interface PutMemberBody {
  /** A member id: a JSON integer (read losslessly) or a string of digits, 1 to 2^63-1. */
  id?: MemberId | undefined;
  /** The member’s handle. */
  username?: string | null | undefined;
  /** The display name. */
  displayName?: string | null | undefined;
  /** The member’s external accounts; each belongs to one member of the realm. */
  accounts?: readonly {
    /** The provider of the account. */
    provider: string;
    /** The account’s id at the provider, as a string. */
    id: string;
    /** The account’s name at the provider. */
    username?: string | null | undefined;
  }[] | undefined;
  /** Your own data: a JSON object of at most 8 KiB. */
  metadata?: Record<string, unknown> | undefined;
  /** Wallet addresses to link, unverified; the first becomes the primary one. */
  wallets?: readonly string[] | undefined;
}

export interface MemberList {
  items: Member[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface UpdateMemberBody {
  /** The member’s handle. */
  username?: string | null | undefined;
  /** The display name. */
  displayName?: string | null | undefined;
  /** The member’s external accounts; each belongs to one member of the realm. */
  accounts?: readonly {
    /** The provider of the account. */
    provider: string;
    /** The account’s id at the provider, as a string. */
    id: string;
    /** The account’s name at the provider. */
    username?: string | null | undefined;
  }[] | undefined;
  /** Your own data: a JSON object of at most 8 KiB. */
  metadata?: Record<string, unknown> | undefined;
  /** Freeze or unfreeze. To remove a member, DELETE it. */
  status?: 'active' | 'frozen' | undefined;
}

export interface LinkWalletBody {
  /** An EVM, Solana or Bitcoin address. */
  address: string;
  /**
   * The kind of address, by default derived from the address; or a chain of that kind, such as
   * `eip155:8453`. With a proof, a chain must be the one of the challenge.
   */
  chain?: string | undefined;
  /** Make it the primary wallet. */
  primary?: boolean | undefined;
  /** The `message` of a challenge, unchanged. */
  message?: string | undefined;
  /**
   * The signature of `message`. EVM: `0x` and hex digits, by an account or a contract. Solana:
   * base58 or base64. Bitcoin: base64, BIP-137 or BIP-322 simple.
   */
  signature?: string | undefined;
}

export interface ChallengeWalletBody {
  /** An EVM, Solana or Bitcoin address. */
  address: string;
  /**
   * The kind of address, by default derived from the address; or the chain of a contract wallet,
   * such as `eip155:8453`. `eip155` means `eip155:1`.
   */
  chain?: string | undefined;
}

export interface ChallengeWalletAnswer {
  /** The message to sign, unchanged. */
  message: string;
  /** RFC 3339, in UTC, with milliseconds. */
  expiresAt: string;
}

export interface Asset {
  /** The asset. */
  id: string;
  /** The chain by its CAIP-2 name: `eip155:` and the chain id. */
  chain: string;
  /** The token standard of the contract. */
  standard: 'erc20' | 'erc721' | 'erc1155';
  /** The contract’s address, with its EIP-55 checksum. */
  contract: string;
  /** The token of an ERC-1155 contract, as digits. */
  tokenId: string | null;
  /** As set by the realm; null if the contract’s own symbol is shown. */
  symbol: string | null;
}

export interface AssetList {
  items: Asset[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface CreateAssetBody {
  /** The asset. */
  id: string;
  /** The chain by its CAIP-2 name: `eip155:` and the chain id. */
  chain: string;
  /** The token standard of the contract. */
  standard: 'erc20' | 'erc721' | 'erc1155';
  /** The address of the contract. */
  contract: string;
  /**
   * The token of an ERC-1155 contract: an integer of at most 256 bits as a string of digits.
   * Required for `erc1155`, not allowed otherwise.
   */
  tokenId?: string | null | undefined;
  /** The symbol to show; the contract’s own `symbol()` if absent. */
  symbol?: string | null | undefined;
}

export interface Kind {
  /** The kind of points. */
  id: string;
  /** The display name. */
  name: string;
  /** A short symbol for amounts, such as `★`. */
  symbol: string | null;
  /**
   * Whether calls that name no kind mean this one. Exactly one kind is the default; setting another
   * one moves it.
   */
  isDefault: boolean;
  /** Whether members may transfer these points to each other. Default true. */
  isTransferable: boolean;
  /** The lowest allowed balance. Default 0; may be negative. */
  minimumBalance: number;
  /** The highest allowed balance. Default 2^53-1. */
  maximumBalance: number;
  /** Whether the points cannot be moved. The default kind cannot be archived. */
  archived: boolean;
}

export interface KindList {
  items: Kind[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface CreateKindBody {
  /** The id of the kind. It never changes, and is not made of digits alone. */
  id: string;
  /** The display name. */
  name: string;
  /** A short symbol for amounts, such as `★`. */
  symbol?: string | null | undefined;
  /**
   * Whether calls that name no kind mean this one. Exactly one kind is the default; setting another
   * one moves it.
   */
  isDefault?: boolean | undefined;
  /** Whether members may transfer these points to each other. Default true. */
  isTransferable?: boolean | undefined;
  /** The lowest allowed balance. Default 0; may be negative. */
  minimumBalance?: number | undefined;
  /** The highest allowed balance. Default 2^53-1. */
  maximumBalance?: number | undefined;
}

export interface UpdateKindBody {
  /** The display name. */
  name?: string | undefined;
  /** A short symbol for amounts, such as `★`. */
  symbol?: string | null | undefined;
  /**
   * Whether calls that name no kind mean this one. Exactly one kind is the default; setting another
   * one moves it.
   */
  isDefault?: boolean | undefined;
  /** Whether members may transfer these points to each other. Default true. */
  isTransferable?: boolean | undefined;
  /** The lowest allowed balance. Default 0; may be negative. */
  minimumBalance?: number | undefined;
  /** The highest allowed balance. Default 2^53-1. */
  maximumBalance?: number | undefined;
  /** Whether the points cannot be moved. The default kind cannot be archived. */
  archived?: boolean | undefined;
}

export interface Transaction {
  /** The number of the journal record that moved the points: 1, 2, 3, … without gaps. */
  transactionId: number;
  /** RFC 3339, in UTC, with milliseconds. */
  at: string;
  type:
    | 'points.opened' | 'points.added' | 'points.subtracted' | 'points.transferred'
    | 'points.captured' | 'points.reversed';
  /** A member id as a string of digits, 1 to 2^63-1. */
  memberId: string;
  /** The points that the member gained (positive) or lost (negative). */
  tokens: number;
  /** The member’s balance afterwards. */
  balance: number;
  /** A member id as a string of digits, 1 to 2^63-1. */
  counterpartyId: string | null;
  /** The reason, as it was sent. */
  description: string | null;
  /** True if it had a description, which was erased with a member. */
  erased?: boolean;
  /** The kind of points. */
  realmPointId: string;
  /** The caller: `root`, `cli` or `key:<public id>`, and its session if any. */
  actor: string;
  /** The transaction that it reverses, if it is a reversal. */
  reversalOf: number | null;
  /** Its last reversal, if it was reversed in full or in part. */
  reversedBy: number | null;
  /** How much has been reversed so far. */
  reversedTokens: number;
}

export interface TransactionList {
  items: Transaction[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface Balances {
  /** A member id as a string of digits, 1 to 2^63-1. */
  memberId: string;
  /** RFC 3339, in UTC, with milliseconds. */
  at: string;
  /** The balance in the realm’s default points. */
  tokenBalance: number;
  /**
   * The balance in every kind of points, including zeros. The default kind comes first, then the
   * others by id.
   */
  balances: Record<string, number>;
  /**
   * What open holds set aside of each balance. The default kind comes first, then the others by id.
   */
  held?: Record<string, number>;
  /**
   * What can be spent of each balance now: all but what is held and the minimum balance; nothing
   * while the member is frozen or the kind archived. The default kind comes first, then the others
   * by id.
   */
  available?: Record<string, number>;
}

export interface BalanceHistory {
  /** A member id as a string of digits, 1 to 2^63-1. */
  memberId: string;
  days: {
    /** A day in UTC. */
    day: string;
    /**
     * The balance in every kind of points, including zeros. The default kind comes first, then the
     * others by id.
     */
    balances: Record<string, number>;
  }[];
}

export interface ExportedMovement {
  /** The number of the journal record that moved the points: 1, 2, 3, … without gaps. */
  id: number;
  /** RFC 2822, in UTC. */
  timestamp: string;
  type:
    | 'points.opened' | 'points.added' | 'points.subtracted' | 'points.transferred'
    | 'points.captured' | 'points.reversed';
  /** The realm: 1 to 64 letters, digits, `_` or `-`, the first a letter or digit. */
  realm_id: string;
  /** The same as `realm_id`. */
  guild_id: string;
  /** Who gained the points; null if nobody did. */
  receiver: string | null;
  /** Who lost them; null if nobody did. */
  sender: string | null;
  data: {
    activity:
      | 'points.opened' | 'points.added' | 'points.subtracted' | 'points.transferred'
      | 'points.captured' | 'points.reversed';
    /** How many points. */
    amount: number;
    /** The balance of the receiver afterwards. */
    receiverBalance: number | null;
    /** The balance of the sender afterwards. */
    senderBalance: number | null;
  };
  /** A member id as a string of digits, 1 to 2^63-1. */
  member_id: string;
  /** The points that the member gained (positive) or lost (negative). */
  tokens: number;
  /** The member’s balance afterwards. */
  balance: number;
  /** A member id as a string of digits, 1 to 2^63-1. */
  counterparty_id: string | null;
  /** The reason, as it was sent. */
  description: string | null;
  /** The kind of points. */
  realm_point_id: string;
  /** True if it had a description, which was erased with a member. */
  erased?: boolean;
}

export type ExportedMovements = ExportedMovement[];

export interface ReverseTransactionBody {
  /** How much to reverse; by default all that remains. */
  tokens?: number | undefined;
  /** The reason, in your own words. Stored in the journal. */
  description?: string | undefined;
  /** Reverse spent points too, down to the minimum balance. Default false. */
  force?: boolean | undefined;
}

export interface ReverseTransactionAnswer {
  /** The number of the journal record that moved the points: 1, 2, 3, … without gaps. */
  transactionId: number;
  /** The number of the journal record that moved the points: 1, 2, 3, … without gaps. */
  reversalOf: number;
  /** A member id as a string of digits, 1 to 2^63-1. */
  memberId: string;
  /** The points that were moved. */
  tokens: number;
  /** The kind of points. */
  realmPointId: string;
  /** A balance of points. */
  newBalance: number;
  /** A member id as a string of digits, 1 to 2^63-1. */
  recipientId?: string;
  /** A balance of points. */
  recipientBalance?: number;
}

export interface CreateHoldBody {
  /** The number of points, at least 1. */
  tokens: number;
  /** How long the hold lasts. Default 3600, at most a year. */
  expiresInSeconds?: number | undefined;
  /** The reason, in your own words. Stored in the journal. */
  description?: string | undefined;
  /** The kind of points; empty for the realm’s default kind. */
  realmPointId?: string | null | undefined;
}

export interface Hold {
  /** The number of the hold. */
  holdId: number;
  /** A member id as a string of digits, 1 to 2^63-1. */
  memberId: string;
  /** The kind of points. */
  realmPointId: string;
  /** The points held at first. */
  tokens: number;
  /** The points captured so far. */
  captured: number;
  /** The points still held. */
  remaining: number;
  status: 'open' | 'captured' | 'released' | 'expired';
  /** The reason, as it was sent. */
  description: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  expiresAt: string;
}

export interface HoldList {
  items: Hold[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface CaptureHoldBody {
  /** The number of points, at least 1. */
  tokens?: number | undefined;
  /** A member id: a JSON integer (read losslessly) or a string of digits, 1 to 2^63-1. */
  recipientId?: MemberId | undefined;
}

export interface CaptureHoldAnswer {
  /** The number of the journal record that moved the points: 1, 2, 3, … without gaps. */
  transactionId: number;
  /** The points that were moved. */
  tokens: number;
  /** A balance of points. */
  newBalance: number;
  /** A member id as a string of digits, 1 to 2^63-1. */
  recipientId?: string;
  /** A balance of points. */
  recipientBalance?: number;
  hold: Hold;
}

export interface LeaderboardRow {
  /** Ties share a rank. Null if not on this leaderboard. */
  rank: number | null;
  /** A member id as a string of digits, 1 to 2^63-1. */
  id: string;
  /** The member’s handle. */
  username: string | null;
  /** The display name. */
  displayName: string | null;
  /** A balance of points. */
  balance: number;
  /** Points earned in the window; null for `all`. */
  earned: number | null;
  /** The points that the rank is by: `balance` for `all`, otherwise `earned`. */
  tokens: number;
  /** The address of the primary wallet. */
  wallet: string | null;
  /** When the member’s points of this kind last moved, or else its enrolment. */
  last_updated: string;
}

export interface Leaderboard {
  members: LeaderboardRow[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
  /** The number of members on the leaderboard. */
  total: number;
  /** RFC 3339, in UTC, with milliseconds. */
  asOf: string;
}

export interface MemberRank {
  /** Ties share a rank. Null if not on this leaderboard. */
  rank: number | null;
  /** A member id as a string of digits, 1 to 2^63-1. */
  id: string;
  /** The member’s handle. */
  username: string | null;
  /** The display name. */
  displayName: string | null;
  /** A balance of points. */
  balance: number;
  /** Points earned in the window; null for `all`. */
  earned: number | null;
  /** The points that the rank is by: `balance` for `all`, otherwise `earned`. */
  tokens: number;
  /** The address of the primary wallet. */
  wallet: string | null;
  /** When the member’s points of this kind last moved, or else its enrolment. */
  last_updated: string;
  /** The number of members on the leaderboard. */
  total: number;
  /** RFC 3339, in UTC, with milliseconds. */
  asOf: string;
}

export interface ListEventsAnswer {
  items: RealmEvent[];
  /** How far this page goes: the next `after`. */
  lastSeq: number;
}

export interface EventWithHash {
  /** Its number in the realm’s journal: 1, 2, 3, … without gaps. */
  seq: number;
  /** What happened. */
  type: string;
  /** RFC 3339, in UTC, with milliseconds. */
  at: string;
  /** The caller: `root`, `cli`, `service` or `key:<public id>`. */
  actor: string;
  data: Record<string, unknown>;
  /**
   * SHA-256, in hex, of the hash before it and the text of its record: it covers the whole journal
   * up to here.
   */
  hash: string;
}

export interface Verdict {
  /** Whether everything is as the journal says. */
  ok: boolean;
  /** Movements of points that passed. */
  transactions: number;
  /** Journal records that passed. */
  records: number;
  /** Members that passed. */
  members?: number;
  /** The hash of the last record. */
  head?: string;
  fault?: {
    /** The record, if the fault is of one. */
    seq: number | null;
    /** A member id as a string of digits, 1 to 2^63-1. */
    memberId?: string;
    /** The kind of points. */
    realmPointId?: string;
    /** The table of statements or leaderboards that differs from the journal, which is right. */
    projection?: string;
    /** What is wrong. */
    detail: string;
  };
}

export interface Verification {
  /** The id of the check. */
  id: string;
  /**
   * `failed`: the check could not be completed, because the storage failed or the service was
   * stopped. Start another one.
   */
  status: 'queued' | 'running' | 'done' | 'failed';
  /** What is being checked; null while it waits. */
  step: 'journal' | 'tables' | 'projections' | null;
  /** The records or rows of this step that passed so far. */
  checked: number;
  /** How many the step has; null if that is not known. */
  total: number | null;
  result: Verdict | null;
}

export interface CreateWebhookBody {
  /**
   * Where to send events, by http or https on port 80, 443, 8080 or 8443. The host must resolve to
   * public addresses, and redirects are not followed.
   */
  url: string;
  /**
   * The types of events to send, such as `points.added`, or `points.*` for all that begin so. All
   * types if null or absent.
   */
  types?: readonly (
    | 'realm.created' | 'realm.updated' | 'realm.archived' | 'realm.unarchived' | 'realm.deleted'
    | 'key.created' | 'key.rotated' | 'key.revoked' | 'point.created' | 'point.updated'
    | 'asset.created' | 'asset.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.paused'
    | 'webhook.resumed' | 'webhook.rotated' | 'webhook.replayed' | 'webhook.deleted'
    | 'member.created' | 'member.updated' | 'member.frozen' | 'member.unfrozen' | 'member.removed'
    | 'member.erased' | 'wallet.linked' | 'wallet.verified' | 'wallet.unlinked' | 'points.held'
    | 'points.released' | 'points.opened' | 'points.added' | 'points.subtracted'
    | 'points.transferred' | 'points.captured' | 'points.reversed' | 'realm.*' | 'key.*'
    | 'point.*' | 'asset.*' | 'webhook.*' | 'member.*' | 'wallet.*'
    | 'points.*')[] | null | undefined;
  /** What it is for. */
  description?: string | null | undefined;
}

export interface NewWebhook {
  /** The id of the webhook. */
  id: string;
  /** Where events are sent. */
  url: string;
  /** The types of events that are sent; null for all. */
  types: (
    | 'realm.created' | 'realm.updated' | 'realm.archived' | 'realm.unarchived' | 'realm.deleted'
    | 'key.created' | 'key.rotated' | 'key.revoked' | 'point.created' | 'point.updated'
    | 'asset.created' | 'asset.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.paused'
    | 'webhook.resumed' | 'webhook.rotated' | 'webhook.replayed' | 'webhook.deleted'
    | 'member.created' | 'member.updated' | 'member.frozen' | 'member.unfrozen' | 'member.removed'
    | 'member.erased' | 'wallet.linked' | 'wallet.verified' | 'wallet.unlinked' | 'points.held'
    | 'points.released' | 'points.opened' | 'points.added' | 'points.subtracted'
    | 'points.transferred' | 'points.captured' | 'points.reversed' | 'realm.*' | 'key.*'
    | 'point.*' | 'asset.*' | 'webhook.*' | 'member.*' | 'wallet.*'
    | 'points.*')[] | null;
  /** What it is for. */
  description: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  updatedAt: string;
  /** Whether nothing is sent. */
  paused: boolean;
  /** RFC 3339, in UTC, with milliseconds. */
  pausedAt: string | null;
  /**
   * `requested`: by an admin. `gone`: the receiver answered 410. `failing`: no attempt succeeded
   * for 3 days. `secret-unreadable`: its secret was sealed with another `SECRET_KEY` than this
   * service has; rotate it.
   */
  pauseReason: 'requested' | 'gone' | 'failing' | 'secret-unreadable' | null;
  /** The `seq` of the last event that was delivered, or is not of these types. */
  position: number;
  /** Failed attempts to deliver the next event. */
  attempts: number;
  /** RFC 3339, in UTC, with milliseconds. */
  failingSince: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  nextAttemptAt: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  previousSecretUntil: string | null;
  /** Signs the events. Shown in this answer only; null in a replayed answer. Keep it. */
  secret: string | null;
}

export interface Webhook {
  /** The id of the webhook. */
  id: string;
  /** Where events are sent. */
  url: string;
  /** The types of events that are sent; null for all. */
  types: (
    | 'realm.created' | 'realm.updated' | 'realm.archived' | 'realm.unarchived' | 'realm.deleted'
    | 'key.created' | 'key.rotated' | 'key.revoked' | 'point.created' | 'point.updated'
    | 'asset.created' | 'asset.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.paused'
    | 'webhook.resumed' | 'webhook.rotated' | 'webhook.replayed' | 'webhook.deleted'
    | 'member.created' | 'member.updated' | 'member.frozen' | 'member.unfrozen' | 'member.removed'
    | 'member.erased' | 'wallet.linked' | 'wallet.verified' | 'wallet.unlinked' | 'points.held'
    | 'points.released' | 'points.opened' | 'points.added' | 'points.subtracted'
    | 'points.transferred' | 'points.captured' | 'points.reversed' | 'realm.*' | 'key.*'
    | 'point.*' | 'asset.*' | 'webhook.*' | 'member.*' | 'wallet.*'
    | 'points.*')[] | null;
  /** What it is for. */
  description: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  updatedAt: string;
  /** Whether nothing is sent. */
  paused: boolean;
  /** RFC 3339, in UTC, with milliseconds. */
  pausedAt: string | null;
  /**
   * `requested`: by an admin. `gone`: the receiver answered 410. `failing`: no attempt succeeded
   * for 3 days. `secret-unreadable`: its secret was sealed with another `SECRET_KEY` than this
   * service has; rotate it.
   */
  pauseReason: 'requested' | 'gone' | 'failing' | 'secret-unreadable' | null;
  /** The `seq` of the last event that was delivered, or is not of these types. */
  position: number;
  /** Failed attempts to deliver the next event. */
  attempts: number;
  /** RFC 3339, in UTC, with milliseconds. */
  failingSince: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  nextAttemptAt: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  previousSecretUntil: string | null;
}

export interface WebhookList {
  items: Webhook[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface UpdateWebhookBody {
  /**
   * Where to send events, by http or https on port 80, 443, 8080 or 8443. The host must resolve to
   * public addresses, and redirects are not followed.
   */
  url?: string | undefined;
  /**
   * The types of events to send, such as `points.added`, or `points.*` for all that begin so. All
   * types if null or absent.
   */
  types?: readonly (
    | 'realm.created' | 'realm.updated' | 'realm.archived' | 'realm.unarchived' | 'realm.deleted'
    | 'key.created' | 'key.rotated' | 'key.revoked' | 'point.created' | 'point.updated'
    | 'asset.created' | 'asset.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.paused'
    | 'webhook.resumed' | 'webhook.rotated' | 'webhook.replayed' | 'webhook.deleted'
    | 'member.created' | 'member.updated' | 'member.frozen' | 'member.unfrozen' | 'member.removed'
    | 'member.erased' | 'wallet.linked' | 'wallet.verified' | 'wallet.unlinked' | 'points.held'
    | 'points.released' | 'points.opened' | 'points.added' | 'points.subtracted'
    | 'points.transferred' | 'points.captured' | 'points.reversed' | 'realm.*' | 'key.*'
    | 'point.*' | 'asset.*' | 'webhook.*' | 'member.*' | 'wallet.*'
    | 'points.*')[] | null | undefined;
  /** What it is for. */
  description?: string | null | undefined;
  /** Whether it is paused. */
  paused?: boolean | undefined;
}

export interface RotateWebhookBody {
  /** How long the old secret signs as well. Default 86400, at most 30 days. */
  overlapSeconds?: number | undefined;
}

export interface TestDelivery {
  /** Whether the receiver accepted it. */
  delivered: boolean;
  /** The HTTP status; null if there was no complete answer. */
  status: number | null;
  /** Milliseconds until the answer. */
  latencyMs: number;
  /** The first 1 KiB of the answer. */
  answer: string | null;
  /**
   * Why there was no complete answer: `timeout`, `refused-target`, `name-not-resolved`,
   * `connection-failed`, `tls-failed` or `invalid-answer`.
   */
  error: string | null;
}

export interface ReplayWebhookBody {
  /** The `seq` of the first event to send. */
  fromSeq: number;
}

export interface Delivery {
  /** Larger for later ones. */
  id: number;
  /** The event. */
  seq: number;
  /** The type of the event. */
  type: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** RFC 3339, in UTC, with milliseconds. */
  at: string;
  /** Whether the receiver accepted it. */
  delivered: boolean;
  /** The HTTP status; null if there was no complete answer. */
  status: number | null;
  /** Milliseconds until the answer. */
  latencyMs: number;
  /** The first 1 KiB of the answer. */
  answer: string | null;
  /**
   * Why there was no complete answer: `timeout`, `refused-target`, `name-not-resolved`,
   * `connection-failed`, `tls-failed` or `invalid-answer`.
   */
  error: string | null;
}

export interface DeliveryList {
  items: Delivery[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface CreateRealmBody {
  /** The realm: 1 to 64 letters, digits, `_` or `-`, the first a letter or digit. */
  id: string;
  /** The display name. */
  name: string;
  /** Settings that are absent keep their values. */
  settings?: {
    /** Whether points for an unknown member id enrol that member. Default false. */
    autoEnroll?: boolean | undefined;
    /** Whether members may transfer points to each other. Default true. */
    transfers?: boolean | undefined;
    /** The most points that one movement may carry; null for no limit. */
    maxTokensPerRequest?: number | null | undefined;
    /**
     * Requests per second of each key of the realm, and how many it may make at once after a pause;
     * null for the service’s default. A change takes effect within 2 seconds.
     */
    rateLimit?: {
      /** Requests per second. */
      perSecond: number;
      /** Requests at once. */
      burst: number;
    } | null | undefined;
    /**
     * The site where members sign with their wallets, such as `https://acme.example`: wallets show
     * its host and warn on any other site. Null for the service’s own `PUBLIC_URL`.
     */
    siteUrl?: string | null | undefined;
    /**
     * What a read of a member answers for an unknown id: 404, or 200 with zero balances and the
     * status `unknown`, for bots that ask about everybody.
     */
    unknownMembers?: 'not-found' | 'zero' | undefined;
  } | undefined;
  /**
   * The kinds of points that it starts with. Of several, exactly one is the default; a single one
   * is the default by itself.
   */
  points?: readonly {
    /** The id of the kind. It never changes, and is not made of digits alone. */
    id: string;
    /** The display name. */
    name: string;
    /** A short symbol for amounts, such as `★`. */
    symbol?: string | null | undefined;
    /**
     * Whether calls that name no kind mean this one. Exactly one kind is the default; setting
     * another one moves it.
     */
    isDefault?: boolean | undefined;
    /** Whether members may transfer these points to each other. Default true. */
    isTransferable?: boolean | undefined;
    /** The lowest allowed balance. Default 0; may be negative. */
    minimumBalance?: number | undefined;
    /** The highest allowed balance. Default 2^53-1. */
    maximumBalance?: number | undefined;
  }[] | undefined;
}

export interface RealmSettings {
  /** Whether points for an unknown member id enrol that member. Default false. */
  autoEnroll: boolean;
  /** Whether members may transfer points to each other. Default true. */
  transfers: boolean;
  /** The most points that one movement may carry; null for no limit. */
  maxTokensPerRequest: number | null;
  /**
   * Requests per second of each key of the realm, and how many it may make at once after a pause;
   * null for the service’s default. A change takes effect within 2 seconds.
   */
  rateLimit: {
    /** Requests per second. */
    perSecond: number;
    /** Requests at once. */
    burst: number;
  } | null;
  /**
   * The site where members sign with their wallets, such as `https://acme.example`: wallets show
   * its host and warn on any other site. Null for the service’s own `PUBLIC_URL`.
   */
  siteUrl: string | null;
  /**
   * What a read of a member answers for an unknown id: 404, or 200 with zero balances and the
   * status `unknown`, for bots that ask about everybody.
   */
  unknownMembers: 'not-found' | 'zero';
}

export interface Realm {
  /** The realm: 1 to 64 letters, digits, `_` or `-`, the first a letter or digit. */
  id: string;
  /** The display name. */
  name: string;
  settings: RealmSettings;
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  updatedAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  archivedAt: string | null;
}

export interface RealmList {
  items: Realm[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface RealmSummary {
  /** The realm: 1 to 64 letters, digits, `_` or `-`, the first a letter or digit. */
  realmId: string;
  /** Members that are not removed. */
  members: number;
  /** Records in the journal. */
  records: number;
  /** When the last record was written. */
  lastActivityAt: string;
  /**
   * The points that all members have together, by kind. The default kind comes first, then the
   * others by id.
   */
  circulation: Record<string, number>;
  /** How much of them open holds set aside. The default kind comes first, then the others by id. */
  held: Record<string, number>;
  activity: {
    /** A day in UTC. */
    day: string;
    /** Records of the day. */
    records: number;
  }[];
}

export interface Activity {
  /** The kind of points. */
  realmPointId: string;
  days: {
    /** A day in UTC. */
    day: string;
    /** Points added, less reversals. */
    issued: number;
    /** Points subtracted and captured without a recipient, less reversals. */
    spent: number;
    /** Records about this kind of points. */
    records: number;
  }[];
}

export interface UpdateRealmBody {
  /** The display name. */
  name?: string | undefined;
  /** Settings that are absent keep their values. */
  settings?: {
    /** Whether points for an unknown member id enrol that member. Default false. */
    autoEnroll?: boolean | undefined;
    /** Whether members may transfer points to each other. Default true. */
    transfers?: boolean | undefined;
    /** The most points that one movement may carry; null for no limit. */
    maxTokensPerRequest?: number | null | undefined;
    /**
     * Requests per second of each key of the realm, and how many it may make at once after a pause;
     * null for the service’s default. A change takes effect within 2 seconds.
     */
    rateLimit?: {
      /** Requests per second. */
      perSecond: number;
      /** Requests at once. */
      burst: number;
    } | null | undefined;
    /**
     * The site where members sign with their wallets, such as `https://acme.example`: wallets show
     * its host and warn on any other site. Null for the service’s own `PUBLIC_URL`.
     */
    siteUrl?: string | null | undefined;
    /**
     * What a read of a member answers for an unknown id: 404, or 200 with zero balances and the
     * status `unknown`, for bots that ask about everybody.
     */
    unknownMembers?: 'not-found' | 'zero' | undefined;
  } | undefined;
}

export interface CreateKeyBody {
  /** What the key is for. */
  name: string;
  scopes: readonly ('read' | 'write' | 'admin')[];
  /** When the key expires; never if null or absent. */
  expiresAt?: Instant | null | undefined;
}

export interface NewApiKey {
  /** The public part of the key. */
  id: string;
  /** What the key is for. */
  name: string;
  scopes: ('read' | 'write' | 'admin')[];
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  expiresAt: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  lastUsedAt: string | null;
  /** The key itself. Shown in this answer only; null in a replayed answer. */
  key: string | null;
}

export interface ApiKey {
  /** The public part of the key. */
  id: string;
  /** What the key is for. */
  name: string;
  scopes: ('read' | 'write' | 'admin')[];
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  expiresAt: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  lastUsedAt: string | null;
}

export interface ApiKeyList {
  items: ApiKey[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface RotateKeyBody {
  /** How long the old key stays valid. Default 3600, at most 30 days. */
  overlapSeconds?: number | undefined;
}

export interface CreateSessionBody {
  /** The code of a one-time link, in place of a key. */
  code?: string | undefined;
}

export interface CurrentSession {
  /** The id of the session; null if the call has a key of its own. */
  id: string | null;
  /** Whether it may do everything in every realm. */
  isRoot: boolean;
  /** The realm of the key; null for root. */
  realmId: string | null;
  /** What it may do, with the scopes that others imply. */
  scopes: ('read' | 'write' | 'admin')[];
  /** The id of the key; null for root. */
  keyId: string | null;
  /** The name of the key; null for root. */
  keyName: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  expiresAt: string | null;
}

export interface Session {
  /** The public id of the session. */
  id: string;
  /** Whether this call belongs to it. */
  isCurrent: boolean;
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  lastUsedAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  expiresAt: string;
  /** What the browser said of itself when it signed in. */
  userAgent: string | null;
}

export interface SessionList {
  items: Session[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

/** An entry of the event feed, by its type. A later service may send other types as well. */
export type RealmEvent<T extends EventType = EventType> = {
  [K in T]: {
    /** Its number in the realm’s journal: 1, 2, 3, … without gaps. */
    seq: number;
    type: K;
    /** RFC 3339, in UTC, with milliseconds. */
    at: string;
    /** The caller: `root`, `cli`, `service` or `key:<public id>`. */
    actor: string;
    /**
     * `occurredAt` is there if the journal was ahead of the clock. `erased` is there if what
     * the event says of a person was erased: then those fields are missing, even required ones.
     */
    data: EventData[K] & { occurredAt?: string; erased?: true };
  };
}[T];

export type EventType = keyof EventData;

/**
 * What an event tells, by its type. Instants are RFC 3339, and `tokens` is positive: the type
 * gives the direction. Only those of an opening balance, and hence of its reversals, may be
 * negative.
 */
export interface EventData {
  'realm.created': { name: string; settings: RealmSettings; points: Kind[] };
  'realm.updated': { name?: string; settings?: RealmSettings };
  'realm.archived': NoPayload;
  'realm.unarchived': NoPayload;
  /** The last record of a journal, which is removed soon after. */
  'realm.deleted': NoPayload;
  'key.created': { keyId: string; name: string; scopes: Scope[]; expiresAt: string | null };
  'key.rotated': { keyId: string; newKeyId: string; overlapUntil: string };
  'key.revoked': { keyId: string };
  'point.created': Kind;
  'point.updated': Pick<Kind, 'id'> & Partial<Kind>;
  'asset.created': Asset;
  'asset.deleted': Asset;
  /** Not the whole URL, whose path or query may be a secret between its owner and the receiver. */
  'webhook.created': WebhookPayload & WebhookDetails;
  'webhook.updated': WebhookPayload & Partial<WebhookDetails>;
  'webhook.paused': WebhookPayload & { reason: PauseReason };
  'webhook.resumed': WebhookPayload;
  'webhook.rotated': WebhookPayload & { overlapUntil: string };
  'webhook.replayed': WebhookPayload & { fromSeq: number };
  'webhook.deleted': WebhookPayload;
  'member.created': MemberPayload;
  'member.updated': MemberPayload;
  'member.frozen': { memberId: string };
  'member.unfrozen': { memberId: string };
  'member.removed': {
    memberId: string;
    wallets?: string[];
    accounts?: Pick<Account, 'provider' | 'id'>[];
  };
  /** The personal fields of the member's records up to here are erased. */
  'member.erased': { memberId: string };
  'wallet.linked': WalletPayload & { primary: boolean };
  'wallet.verified': WalletPayload & {
    verifiedOn: string | null;
    message: string;
    signature: string;
  };
  'wallet.unlinked': WalletPayload & { newPrimary?: string };
  'points.held': Amount & { expiresAt: string; description?: string };
  'points.released': Amount & { holdId: number; expiredAt?: string };
  'points.opened': OpeningPayload;
  'points.added': ChangePayload;
  'points.subtracted': ChangePayload;
  'points.transferred': Amount & {
    recipientId: string;
    senderBalance: number;
    recipientBalance: number;
    description?: string;
  };
  'points.captured': Amount & TakenPayload & { holdId: number };
  'points.reversed': Amount &
    TakenPayload & {
      reversalOf: number;
      reversedType: Exclude<MovementType, 'points.reversed'>;
    };
}

type NoPayload = Record<never, never>;

type Scope = 'read' | 'write' | 'admin';

interface WebhookPayload {
  webhookId: string;
}

interface WebhookDetails {
  /** Scheme, host and port of the URL. */
  origin: string;
  /** None for all. */
  types: string[];
  description: string | null;
}

/** Why a webhook is paused: an admin asked for it, the receiver said 410, or failed for days. */
type PauseReason = 'requested' | 'gone' | 'failing';

interface MemberPayload extends Partial<Profile> {
  memberId: string;
}

/** What is told of a member. All of it is personal, and can be erased. */
interface Profile {
  username: string | null;
  displayName: string | null;
  accounts: Account[];
  metadata: Record<string, unknown>;
}

interface Account {
  provider: string;
  id: string;
  username: string | null;
}

interface WalletPayload {
  memberId: string;
  address: string;
  chain: Chain;
}

type Chain = 'eip155' | 'solana' | 'bitcoin';

interface Amount {
  memberId: string;
  tokens: number;
  realmPointId: string;
}

/** What a member brings along from elsewhere when it is enrolled: not earned here. */
interface OpeningPayload extends Amount {
  newBalance: number;
  description?: string;
}

interface ChangePayload extends OpeningPayload {
  /** The member was removed with a balance. */
  reason?: 'forfeit';
}

/** Both recipient fields are present or neither is. */
interface TakenPayload {
  newBalance: number;
  recipientId?: string;
  recipientBalance?: number;
  description?: string;
}

type MovementType =
  | 'points.opened' | 'points.added' | 'points.subtracted' | 'points.transferred'
  | 'points.captured' | 'points.reversed';

/** What a problem tells beyond the members that all have, by its code. */
export interface ProblemDetails {
  'malformed-json': Record<never, never>;
  'invalid-request': { errors: { pointer: string; detail: string }[] };
  unauthorized: Record<never, never>;
  'session-ended': Record<never, never>;
  'code-not-valid': Record<never, never>;
  forbidden: Record<never, never>;
  'insufficient-scope': { required: string };
  'console-header-missing': Record<never, never>;
  'not-found': Record<never, never>;
  'realm-not-found': Record<never, never>;
  'member-not-found': { memberId: string };
  'recipient-not-found': { recipientId: string };
  'realm-point-not-found': { realmPointId: string };
  'key-not-found': { keyId: string };
  'session-not-found': { sessionId: string };
  'wallet-not-found': { wallet: string };
  'transaction-not-found': { transactionId: number };
  'event-not-found': { seq: number };
  'verification-not-found': { verificationId: string };
  'asset-not-found': { assetId: string };
  'webhook-not-found': { webhookId: string };
  'hold-not-found': { holdId: number };
  'method-not-allowed': Record<never, never>;
  'request-timeout': Record<never, never>;
  'realm-exists': { realmId: string };
  'realm-being-deleted': { realmId: string };
  'member-exists': { memberId: string };
  'account-taken': { account: string; memberId: string };
  'wallet-taken': { wallet: string; memberId: string };
  'challenge-used': Record<never, never>;
  'realm-point-exists': { realmPointId: string };
  'asset-exists': { assetId: string };
  'body-too-large': { limit: number };
  'unsupported-media-type': Record<never, never>;
  'realm-archived': { realmId: string };
  'challenge-not-found': Record<never, never>;
  'challenge-mismatch': { field: string };
  'challenge-expired': { expiredAt: string };
  'signature-invalid': { wallet: string };
  'self-transfer': { memberId: string };
  'transfers-disabled': Record<never, never>;
  'not-transferable': { realmPointId: string };
  'limit-reached': { limit: number; of: string };
  'too-many-tokens': { limit: number; requested: number };
  'member-frozen': { memberId: string };
  'insufficient-points': { memberId: string; balance: number; requested: number };
  'balance-limit': { memberId: string; limit: number; balance: number };
  'balance-not-zero': { memberId: string; balance: number; realmPointId: string };
  'key-expired': { keyId: string };
  'webhook-target-refused': Record<never, never>;
  'webhook-secret-unreadable': { webhookId: string };
  'replay-beyond-end': { lastSeq: number; fromSeq: number };
  'default-required': { realmPointId: string };
  'default-archived': { realmPointId: string };
  'realm-point-archived': { realmPointId: string };
  'bounds-crossed': { minimumBalance: number; realmPointId: string; maximumBalance: number };
  'not-reversible': { transactionId: number };
  'reversal-exceeded': { transactionId: number; remaining: number; requested: number };
  'hold-closed': { holdId: number; holdStatus: string };
  'hold-exceeded': { holdId: number; remaining: number; requested: number };
  'key-replaced': { replacedBy: string; keyId: string };
  'member-ids-exhausted': Record<never, never>;
  'idempotency-key-reused': Record<never, never>;
  'answer-erased': Record<never, never>;
  'rate-limited': Record<never, never>;
  'headers-too-large': Record<never, never>;
  internal: Record<never, never>;
  'not-ready': Record<never, never>;
  overloaded: Record<never, never>;
  'storage-full': Record<never, never>;
  'storage-unavailable': Record<never, never>;
  'chain-unavailable': { chain: string };
  'outcome-unknown': Record<never, never>;
}

/** The problems that every call can have. */
export type CommonProblem =
  | 'invalid-request' | 'unauthorized' | 'rate-limited' | 'headers-too-large' | 'internal'
  | 'overloaded' | 'storage-full' | 'storage-unavailable';

/** The whole API: what a call takes, what it answers, and how it can fail. */
export interface Operations {
  /** Get a member. */
  getMember: {
    path: { realmID: string; memberID: MemberId };
    fields: Record<never, never>;
    answer: Member;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'member-not-found';
  };
  /** Get a member’s web3 data. */
  getWeb3Member: {
    path: { realmID: string; memberID: MemberId };
    fields: Record<never, never>;
    answer: Web3Member;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'member-not-found';
  };
  /** Check whether wallets belong to members. */
  checkWallets: {
    path: { realmID: string };
    fields: {
      /**
       * Wallets, separated by commas or as a repeated parameter, instead of a body. Path, query and
       * headers are limited to 16 KiB in total, about 375 EVM addresses; beyond that the answer is
       * 431. POST and QUERY on the same path accept 10,000.
       */
      wallets?: string | readonly string[] | undefined;
    };
    answer: WalletCheck;
    problem: CommonProblem | 'malformed-json' | 'forbidden' | 'realm-not-found' | 'body-too-large';
  };
  /** Check whether wallets belong to members. */
  checkWalletsByPost: {
    path: { realmID: string };
    fields: WalletCheckBody;
    answer: WalletCheck;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'realm-not-found' | 'body-too-large'
      | 'unsupported-media-type';
  };
  /** Check whether wallets belong to members. */
  checkWalletsByQuery: {
    path: { realmID: string };
    fields: WalletCheckBody;
    answer: WalletCheck;
    problem: CommonProblem | 'malformed-json' | 'forbidden' | 'realm-not-found' | 'body-too-large';
  };
  /** Add or subtract points. */
  changePoints: {
    path: { realmID: string; memberID: MemberId };
    fields: ChangePointsBody;
    answer: ChangePointsAnswer;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'member-not-found' | 'realm-point-not-found'
      | 'too-many-tokens' | 'realm-point-archived' | 'member-frozen' | 'insufficient-points'
      | 'balance-limit';
  };
  /** Transfer points. */
  transferPoints: {
    path: { realmID: string; memberID: MemberId };
    fields: TransferPointsBody;
    answer: TransferPointsAnswer;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'member-not-found' | 'realm-point-not-found'
      | 'too-many-tokens' | 'recipient-not-found' | 'self-transfer' | 'transfers-disabled'
      | 'not-transferable' | 'realm-point-archived' | 'member-frozen' | 'insufficient-points'
      | 'balance-limit';
  };
  /** Add or subtract points of many members. */
  changeManyPoints: {
    path: { realmID: string };
    fields: ChangeManyPointsBody;
    answer: ChangeManyPointsAnswer;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'member-not-found' | 'realm-point-not-found'
      | 'too-many-tokens' | 'realm-point-archived' | 'member-frozen' | 'insufficient-points'
      | 'balance-limit';
  };
  /** Enrol a member. */
  createMember: {
    path: { realmID: string };
    fields: CreateMemberBody;
    answer: Member;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'member-exists' | 'account-taken' | 'wallet-taken'
      | 'member-ids-exhausted';
  };
  /** Enrol many members. */
  createMembers: {
    path: { realmID: string };
    fields: CreateMembersBody;
    answer: CreateMembersAnswer;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'realm-point-not-found' | 'member-exists'
      | 'account-taken' | 'wallet-taken' | 'member-ids-exhausted' | 'realm-point-archived'
      | 'too-many-tokens' | 'insufficient-points' | 'balance-limit';
  };
  /** Enrol or change a member. */
  putMember: {
    path: { realmID: string; memberID: MemberId };
    fields: PutMemberBody;
    answer: Member;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'account-taken' | 'wallet-taken'
      | 'limit-reached';
  };
  /** Find members. */
  listMembers: {
    path: { realmID: string };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
      /**
       * Beginnings of words of the username and display name, ignoring case and accents: `jo smi`
       * finds John Smith.
       */
      search?: string | undefined;
      /** Only these members: up to 100 ids, separated by commas. */
      ids?: string | undefined;
      /** A wallet address. */
      wallet?: string | undefined;
      /** An account: provider and id, separated by a colon. */
      account?: string | undefined;
      /** Only members with this status. */
      status?: 'active' | 'frozen' | undefined;
      /**
       * `name` is by the display name or else the username, `-balance` begins with the highest
       * balance, `-createdAt` with the newest.
       */
      sort?: 'id' | 'name' | '-balance' | '-createdAt' | undefined;
      /** The kind of points of `-balance`; the default kind if absent. */
      realmPointId?: string | undefined;
    };
    answer: MemberList;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'realm-point-not-found';
  };
  /** Change, freeze or unfreeze a member. */
  updateMember: {
    path: { realmID: string; memberID: MemberId };
    fields: UpdateMemberBody;
    answer: Member;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'member-not-found'
      | 'account-taken';
  };
  /** Remove a member. */
  removeMember: {
    path: { realmID: string; memberID: MemberId };
    fields: {
      /** Give up the remaining balances. */
      forfeit?: boolean | undefined;
      /** Erase the personal parts of its records. */
      erase?: boolean | undefined;
    };
    answer: void;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'realm-archived' | 'outcome-unknown' | 'member-not-found'
      | 'balance-not-zero';
  };
  /** Link a wallet. */
  linkWallet: {
    path: { realmID: string; memberID: MemberId };
    fields: LinkWalletBody;
    answer: Wallet;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'member-not-found' | 'wallet-taken'
      | 'challenge-not-found' | 'challenge-mismatch' | 'challenge-used' | 'challenge-expired'
      | 'signature-invalid' | 'limit-reached' | 'chain-unavailable';
  };
  /** Request a message to sign. */
  challengeWallet: {
    path: { realmID: string; memberID: MemberId };
    fields: ChallengeWalletBody;
    answer: ChallengeWalletAnswer;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'member-not-found'
      | 'wallet-taken';
  };
  /** Unlink a wallet. */
  unlinkWallet: {
    path: { realmID: string; memberID: MemberId; address: string };
    fields: Record<never, never>;
    answer: void;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'realm-archived' | 'outcome-unknown' | 'member-not-found'
      | 'wallet-not-found';
  };
  /** List assets. */
  listAssets: {
    path: { realmID: string };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
    };
    answer: AssetList;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** Create an asset. */
  createAsset: {
    path: { realmID: string };
    fields: CreateAssetBody;
    answer: Asset;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'asset-exists'
      | 'limit-reached';
  };
  /** Delete an asset. */
  deleteAsset: {
    path: { realmID: string; assetId: string };
    fields: Record<never, never>;
    answer: void;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'realm-archived' | 'outcome-unknown' | 'asset-not-found';
  };
  /** List kinds of points. */
  listKinds: {
    path: { realmID: string };
    fields: Record<never, never>;
    answer: KindList;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** Create a kind of points. */
  createKind: {
    path: { realmID: string };
    fields: CreateKindBody;
    answer: Kind;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'realm-point-exists' | 'bounds-crossed'
      | 'limit-reached';
  };
  /** Change a kind of points. */
  updateKind: {
    path: { realmID: string; realmPointId: string };
    fields: UpdateKindBody;
    answer: Kind;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'realm-point-not-found' | 'default-required'
      | 'default-archived' | 'bounds-crossed';
  };
  /** Get a member’s statement. */
  memberTransactions: {
    path: { realmID: string; memberID: MemberId };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
      /** The kind of points; empty for the realm’s default kind. */
      realmPointId?: string | undefined;
      /** Only movements of this type. */
      type?:
        | 'points.opened' | 'points.added' | 'points.subtracted' | 'points.transferred'
        | 'points.captured' | 'points.reversed' | undefined;
      /** Only at or after this instant. RFC 3339, such as `2027-01-31T00:00:00Z`. */
      from?: Instant | undefined;
      /** Only before this instant. RFC 3339, such as `2027-01-31T00:00:00Z`. */
      to?: Instant | undefined;
    };
    answer: TransactionList;
    problem:
      | CommonProblem | 'forbidden' | 'realm-not-found' | 'member-not-found'
      | 'realm-point-not-found';
  };
  /** Get balances at an instant. */
  getBalance: {
    path: { realmID: string; memberID: MemberId };
    fields: {
      /** The instant. RFC 3339, such as `2027-01-31T00:00:00Z`. */
      at?: Instant | undefined;
    };
    answer: Balances;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'member-not-found';
  };
  /** Get a member’s balances by day. */
  getBalanceHistory: {
    path: { realmID: string; memberID: MemberId };
    fields: {
      /** How many days, 1 to 92. */
      days?: number | undefined;
    };
    answer: BalanceHistory;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'member-not-found';
  };
  /** List the realm’s transactions. */
  listTransactions: {
    path: { realmID: string };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
      /** The kind of points; empty for the realm’s default kind. */
      realmPointId?: string | undefined;
      /** Only movements of this type. */
      type?:
        | 'points.opened' | 'points.added' | 'points.subtracted' | 'points.transferred'
        | 'points.captured' | 'points.reversed' | undefined;
      /** Only at or after this instant. RFC 3339, such as `2027-01-31T00:00:00Z`. */
      from?: Instant | undefined;
      /** Only before this instant. RFC 3339, such as `2027-01-31T00:00:00Z`. */
      to?: Instant | undefined;
    };
    answer: TransactionList;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'realm-point-not-found';
  };
  /** Export the realm’s movements. */
  exportLogs: {
    path: { realmID: string };
    fields: {
      /** The most movements, 1 to 1000. */
      limit?: number | undefined;
      /** Only movements before this transaction. */
      before?: number | undefined;
      /** The same as `limit`, which wins. */
      count?: number | undefined;
      /** Only movements of the last days. */
      days?: number | undefined;
      /** Only movements of these members: ids, with commas between. At most 10. */
      users?: string | undefined;
      /** Only movements of these types, with commas. At most 6. */
      types?: string | undefined;
    };
    answer: ExportedMovements;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** Get a transaction. */
  getTransaction: {
    path: { realmID: string; transactionID: number };
    fields: Record<never, never>;
    answer: Transaction;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'transaction-not-found';
  };
  /** Reverse a transaction. */
  reverseTransaction: {
    path: { realmID: string; transactionID: number };
    fields: ReverseTransactionBody;
    answer: ReverseTransactionAnswer;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'transaction-not-found' | 'member-not-found'
      | 'not-reversible' | 'reversal-exceeded' | 'realm-point-archived' | 'member-frozen'
      | 'insufficient-points' | 'balance-limit';
  };
  /** Hold points. */
  createHold: {
    path: { realmID: string; memberID: MemberId };
    fields: CreateHoldBody;
    answer: Hold;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'member-not-found' | 'realm-point-not-found'
      | 'too-many-tokens' | 'realm-point-archived' | 'member-frozen' | 'insufficient-points'
      | 'limit-reached';
  };
  /** List a member’s holds. */
  memberHolds: {
    path: { realmID: string; memberID: MemberId };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
      /** Only holds with this status now: a hold past `expiresAt` is `expired`. */
      status?: 'open' | 'captured' | 'released' | 'expired' | undefined;
    };
    answer: HoldList;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'member-not-found';
  };
  /** List the realm’s holds. */
  listHolds: {
    path: { realmID: string };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
      /** Only holds with this status now: a hold past `expiresAt` is `expired`. */
      status?: 'open' | 'captured' | 'released' | 'expired' | undefined;
    };
    answer: HoldList;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** Get a hold. */
  getHold: {
    path: { realmID: string; holdID: number };
    fields: Record<never, never>;
    answer: Hold;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'hold-not-found';
  };
  /** Capture a hold. */
  captureHold: {
    path: { realmID: string; holdID: number };
    fields: CaptureHoldBody;
    answer: CaptureHoldAnswer;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'hold-not-found' | 'hold-closed' | 'hold-exceeded'
      | 'recipient-not-found' | 'self-transfer' | 'transfers-disabled' | 'not-transferable'
      | 'realm-point-archived' | 'member-frozen' | 'insufficient-points'
      | 'balance-limit';
  };
  /** Release a hold. */
  releaseHold: {
    path: { realmID: string; holdID: number };
    fields: Record<never, never>;
    answer: Hold;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'idempotency-key-reused' | 'answer-erased' | 'realm-archived' | 'outcome-unknown'
      | 'hold-not-found' | 'hold-closed';
  };
  /** Get a leaderboard. */
  getLeaderboard: {
    path: { realmID: string };
    fields: {
      /** The most members, 1 to 1000. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
      /** The kind of points; empty for the realm’s default kind. */
      realmPointId?: string | undefined;
      /**
       * `all` ranks by balance. `day`, `week` (from Monday) and `month` (UTC) rank by points
       * earned: points added minus points reversed. Transfers between members do not count.
       */
      window?: 'all' | 'day' | 'week' | 'month' | undefined;
    };
    answer: Leaderboard;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'realm-point-not-found';
  };
  /** Get a member’s rank. */
  getStanding: {
    path: { realmID: string; memberID: MemberId };
    fields: {
      /** The kind of points; empty for the realm’s default kind. */
      realmPointId?: string | undefined;
      /**
       * `all` ranks by balance. `day`, `week` (from Monday) and `month` (UTC) rank by points
       * earned: points added minus points reversed. Transfers between members do not count.
       */
      window?: 'all' | 'day' | 'week' | 'month' | undefined;
    };
    answer: MemberRank;
    problem:
      | CommonProblem | 'forbidden' | 'realm-not-found' | 'member-not-found'
      | 'realm-point-not-found';
  };
  /** Read the event feed, or follow it. */
  listEvents: {
    path: { realmID: string };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The last `seq` you have seen. */
      after?: number | undefined;
      /** Only events of these types, separated by commas or as a repeated parameter. */
      types?: string | readonly (
        | 'realm.created' | 'realm.updated' | 'realm.archived' | 'realm.unarchived'
        | 'realm.deleted' | 'key.created' | 'key.rotated' | 'key.revoked' | 'point.created'
        | 'point.updated' | 'asset.created' | 'asset.deleted' | 'webhook.created'
        | 'webhook.updated' | 'webhook.paused' | 'webhook.resumed' | 'webhook.rotated'
        | 'webhook.replayed' | 'webhook.deleted' | 'member.created' | 'member.updated'
        | 'member.frozen' | 'member.unfrozen' | 'member.removed' | 'member.erased'
        | 'wallet.linked' | 'wallet.verified' | 'wallet.unlinked' | 'points.held'
        | 'points.released' | 'points.opened' | 'points.added' | 'points.subtracted'
        | 'points.transferred' | 'points.captured' | 'points.reversed')[] | undefined;
    };
    answer: ListEventsAnswer;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** Get an event. */
  getEvent: {
    path: { realmID: string; seq: number };
    fields: Record<never, never>;
    answer: EventWithHash;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'event-not-found';
  };
  /** Verify a realm. */
  verifyRealm: {
    path: { realmID: string };
    fields: Record<never, never>;
    answer: Verdict;
    problem: CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found';
  };
  /** Start to verify a realm. */
  startVerification: {
    path: { realmID: string };
    fields: Record<never, never>;
    answer: Verification;
    problem: CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found';
  };
  /** Follow the check of a realm. */
  getVerification: {
    path: { realmID: string; verificationID: string };
    fields: Record<never, never>;
    answer: Verification;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'verification-not-found';
  };
  /** Create a webhook. */
  createWebhook: {
    path: { realmID: string };
    fields: CreateWebhookBody;
    answer: NewWebhook;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'webhook-target-refused'
      | 'limit-reached';
  };
  /** List webhooks. */
  listWebhooks: {
    path: { realmID: string };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
    };
    answer: WebhookList;
    problem: CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found';
  };
  /** Read a webhook. */
  getWebhook: {
    path: { realmID: string; webhookID: string };
    fields: Record<never, never>;
    answer: Webhook;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'webhook-not-found';
  };
  /** Change a webhook. */
  updateWebhook: {
    path: { realmID: string; webhookID: string };
    fields: UpdateWebhookBody;
    answer: Webhook;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'webhook-not-found'
      | 'webhook-target-refused';
  };
  /** Delete a webhook. */
  deleteWebhook: {
    path: { realmID: string; webhookID: string };
    fields: Record<never, never>;
    answer: void;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'outcome-unknown' | 'webhook-not-found';
  };
  /** Rotate the secret of a webhook. */
  rotateWebhook: {
    path: { realmID: string; webhookID: string };
    fields: RotateWebhookBody;
    answer: NewWebhook;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'webhook-not-found';
  };
  /** Send a test event. */
  testWebhook: {
    path: { realmID: string; webhookID: string };
    fields: Record<never, never>;
    answer: TestDelivery;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'webhook-not-found' | 'webhook-secret-unreadable';
  };
  /** Send events again. */
  replayWebhook: {
    path: { realmID: string; webhookID: string };
    fields: ReplayWebhookBody;
    answer: Webhook;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'webhook-not-found'
      | 'replay-beyond-end';
  };
  /** List deliveries. */
  listDeliveries: {
    path: { realmID: string; webhookID: string };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
    };
    answer: DeliveryList;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'webhook-not-found';
  };
  /** Create a realm. */
  createRealm: {
    path: Record<never, never>;
    fields: CreateRealmBody;
    answer: Realm;
    problem:
      | CommonProblem | 'malformed-json' | 'insufficient-scope' | 'body-too-large'
      | 'unsupported-media-type' | 'idempotency-key-reused' | 'outcome-unknown' | 'realm-exists'
      | 'realm-being-deleted' | 'bounds-crossed';
  };
  /** List realms. */
  listRealms: {
    path: Record<never, never>;
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
    };
    answer: RealmList;
    problem: CommonProblem | 'insufficient-scope';
  };
  /** Get a realm. */
  getRealm: {
    path: { realmID: string };
    fields: Record<never, never>;
    answer: Realm;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** Get what a realm adds up to. */
  getRealmSummary: {
    path: { realmID: string };
    fields: Record<never, never>;
    answer: RealmSummary;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** Get points issued and spent by day. */
  getActivity: {
    path: { realmID: string };
    fields: {
      /** The kind of points; empty for the realm’s default kind. */
      realmPointId?: string | undefined;
      /** How many days, 1 to 366. */
      days?: number | undefined;
    };
    answer: Activity;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'realm-point-not-found';
  };
  /** Change a realm. */
  updateRealm: {
    path: { realmID: string };
    fields: UpdateRealmBody;
    answer: Realm;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown';
  };
  /** Archive a realm. */
  archiveRealm: {
    path: { realmID: string };
    fields: Record<never, never>;
    answer: Realm;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'idempotency-key-reused' | 'answer-erased' | 'outcome-unknown';
  };
  /** Unarchive a realm. */
  unarchiveRealm: {
    path: { realmID: string };
    fields: Record<never, never>;
    answer: Realm;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'idempotency-key-reused' | 'answer-erased' | 'outcome-unknown';
  };
  /** Delete a realm. */
  deleteRealm: {
    path: { realmID: string };
    fields: {
      /** The id of the realm once more, as a safeguard. */
      confirm: string;
    };
    answer: void;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'outcome-unknown';
  };
  /** Issue a key. */
  createKey: {
    path: { realmID: string };
    fields: CreateKeyBody;
    answer: NewApiKey;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown';
  };
  /** List keys. */
  listKeys: {
    path: { realmID: string };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
    };
    answer: ApiKeyList;
    problem: CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found';
  };
  /** Rotate a key. */
  rotateKey: {
    path: { realmID: string; keyID: string };
    fields: RotateKeyBody;
    answer: NewApiKey;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'key-not-found' | 'key-expired'
      | 'key-replaced';
  };
  /** Revoke a key. */
  revokeKey: {
    path: { realmID: string; keyID: string };
    fields: Record<never, never>;
    answer: void;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'outcome-unknown' | 'key-not-found';
  };
  /** Sign in. */
  createSession: {
    path: Record<never, never>;
    fields: CreateSessionBody;
    answer: CurrentSession;
    problem:
      | CommonProblem | 'malformed-json' | 'body-too-large' | 'unsupported-media-type'
      | 'code-not-valid';
  };
  /** List sessions. */
  listSessions: {
    path: Record<never, never>;
    fields: Record<never, never>;
    answer: SessionList;
    problem: CommonProblem | 'session-ended' | 'console-header-missing';
  };
  /** Read the current session. */
  getCurrentSession: {
    path: Record<never, never>;
    fields: Record<never, never>;
    answer: CurrentSession;
    problem: CommonProblem | 'session-ended' | 'console-header-missing';
  };
  /** End a session. */
  endSession: {
    path: { sessionID: string };
    fields: Record<never, never>;
    answer: void;
    problem: CommonProblem | 'session-not-found' | 'session-ended' | 'console-header-missing';
  };
}

export type OperationId = keyof Operations;

/** The method and path of each operation. */
export const operations = {
  getMember: ['GET', '/api/v4/realms/{realmID}/members/{memberID}'],
  getWeb3Member: ['GET', '/api/v4/realms/{realmID}/web3/members/{memberID}'],
  checkWallets: ['GET', '/api/v4/realms/{realmID}/members/includes'],
  checkWalletsByPost: ['POST', '/api/v4/realms/{realmID}/members/includes'],
  checkWalletsByQuery: ['QUERY', '/api/v4/realms/{realmID}/members/includes'],
  changePoints: ['PATCH', '/api/v4/realms/{realmID}/members/{memberID}/tokenBalance'],
  transferPoints: ['PATCH', '/api/v4/realms/{realmID}/members/{memberID}/transfer'],
  changeManyPoints: ['PATCH', '/api/v4/realms/{realmID}/members/tokenBalance'],
  createMember: ['POST', '/api/v4/realms/{realmID}/members'],
  createMembers: ['POST', '/api/v4/realms/{realmID}/members/batch'],
  putMember: ['PUT', '/api/v4/realms/{realmID}/members/{memberID}'],
  listMembers: ['GET', '/api/v4/realms/{realmID}/members'],
  updateMember: ['PATCH', '/api/v4/realms/{realmID}/members/{memberID}'],
  removeMember: ['DELETE', '/api/v4/realms/{realmID}/members/{memberID}'],
  linkWallet: ['POST', '/api/v4/realms/{realmID}/members/{memberID}/wallets'],
  challengeWallet: ['POST', '/api/v4/realms/{realmID}/members/{memberID}/wallets/challenge'],
  unlinkWallet: ['DELETE', '/api/v4/realms/{realmID}/members/{memberID}/wallets/{address}'],
  listAssets: ['GET', '/api/v4/realms/{realmID}/assets'],
  createAsset: ['POST', '/api/v4/realms/{realmID}/assets'],
  deleteAsset: ['DELETE', '/api/v4/realms/{realmID}/assets/{assetId}'],
  listKinds: ['GET', '/api/v4/realms/{realmID}/points'],
  createKind: ['POST', '/api/v4/realms/{realmID}/points'],
  updateKind: ['PATCH', '/api/v4/realms/{realmID}/points/{realmPointId}'],
  memberTransactions: ['GET', '/api/v4/realms/{realmID}/members/{memberID}/transactions'],
  getBalance: ['GET', '/api/v4/realms/{realmID}/members/{memberID}/balance'],
  getBalanceHistory: ['GET', '/api/v4/realms/{realmID}/members/{memberID}/balance/history'],
  listTransactions: ['GET', '/api/v4/realms/{realmID}/transactions'],
  exportLogs: ['GET', '/api/v4/realms/{realmID}/export_logs'],
  getTransaction: ['GET', '/api/v4/realms/{realmID}/transactions/{transactionID}'],
  reverseTransaction: ['POST', '/api/v4/realms/{realmID}/transactions/{transactionID}/reversal'],
  createHold: ['POST', '/api/v4/realms/{realmID}/members/{memberID}/holds'],
  memberHolds: ['GET', '/api/v4/realms/{realmID}/members/{memberID}/holds'],
  listHolds: ['GET', '/api/v4/realms/{realmID}/holds'],
  getHold: ['GET', '/api/v4/realms/{realmID}/holds/{holdID}'],
  captureHold: ['POST', '/api/v4/realms/{realmID}/holds/{holdID}/capture'],
  releaseHold: ['POST', '/api/v4/realms/{realmID}/holds/{holdID}/release'],
  getLeaderboard: ['GET', '/api/v4/realms/{realmID}/leaderboard'],
  getStanding: ['GET', '/api/v4/realms/{realmID}/leaderboard/{memberID}'],
  listEvents: ['GET', '/api/v4/realms/{realmID}/events'],
  getEvent: ['GET', '/api/v4/realms/{realmID}/events/{seq}'],
  verifyRealm: ['GET', '/api/v4/realms/{realmID}/verify'],
  startVerification: ['POST', '/api/v4/realms/{realmID}/verify'],
  getVerification: ['GET', '/api/v4/realms/{realmID}/verify/{verificationID}'],
  createWebhook: ['POST', '/api/v4/realms/{realmID}/webhooks'],
  listWebhooks: ['GET', '/api/v4/realms/{realmID}/webhooks'],
  getWebhook: ['GET', '/api/v4/realms/{realmID}/webhooks/{webhookID}'],
  updateWebhook: ['PATCH', '/api/v4/realms/{realmID}/webhooks/{webhookID}'],
  deleteWebhook: ['DELETE', '/api/v4/realms/{realmID}/webhooks/{webhookID}'],
  rotateWebhook: ['POST', '/api/v4/realms/{realmID}/webhooks/{webhookID}/rotate'],
  testWebhook: ['POST', '/api/v4/realms/{realmID}/webhooks/{webhookID}/test'],
  replayWebhook: ['POST', '/api/v4/realms/{realmID}/webhooks/{webhookID}/replay'],
  listDeliveries: ['GET', '/api/v4/realms/{realmID}/webhooks/{webhookID}/deliveries'],
  createRealm: ['POST', '/api/v4/realms'],
  listRealms: ['GET', '/api/v4/realms'],
  getRealm: ['GET', '/api/v4/realms/{realmID}'],
  getRealmSummary: ['GET', '/api/v4/realms/{realmID}/summary'],
  getActivity: ['GET', '/api/v4/realms/{realmID}/activity'],
  updateRealm: ['PATCH', '/api/v4/realms/{realmID}'],
  archiveRealm: ['POST', '/api/v4/realms/{realmID}/archive'],
  unarchiveRealm: ['POST', '/api/v4/realms/{realmID}/unarchive'],
  deleteRealm: ['DELETE', '/api/v4/realms/{realmID}'],
  createKey: ['POST', '/api/v4/realms/{realmID}/keys'],
  listKeys: ['GET', '/api/v4/realms/{realmID}/keys'],
  rotateKey: ['POST', '/api/v4/realms/{realmID}/keys/{keyID}/rotate'],
  revokeKey: ['DELETE', '/api/v4/realms/{realmID}/keys/{keyID}'],
  createSession: ['POST', '/api/v4/sessions'],
  listSessions: ['GET', '/api/v4/sessions'],
  getCurrentSession: ['GET', '/api/v4/sessions/current'],
  endSession: ['DELETE', '/api/v4/sessions/{sessionID}'],
} as const satisfies Record<OperationId, readonly [string, string]>;
