/**
 * Generated from src/contract by `npm run client-types`: change the contract, not this file.
 */

/** A member id: digits, or a bigint. Discord ids exceed what a number holds. */
export type MemberId = string | bigint;

/** A sum of points: a bigint where it exceeds what a number holds. `Number(sum)` rounds it. */
export type Sum = number | bigint;

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
  /** A sentence for developers that says what to do. */
  detail: string;
  /** A sentence to show to the member; the same if the program is at fault. */
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
   * May exceed 2^53.
   */
  held: Record<string, Sum>;
  /**
   * What can be spent of each balance now: all but what is held and the minimum balance; nothing
   * while the member is frozen or the kind archived. The default kind comes first, then the others
   * by id. May exceed 2^53.
   */
  available: Record<string, Sum>;
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
  /** What you call the members that belong together; `tags` of a list finds them. */
  tags: string[];
  /** What you want to remember about the member. */
  note: string | null;
  /** Your own data: a JSON object of at most 8 KiB. */
  metadata: Record<string, unknown>;
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  updatedAt: string;
  /** When its points last moved, or else when it was enrolled. */
  lastActiveAt: string;
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
  /** Your own id of the matter, such as an order. Several movements may share one. */
  reference?: string | undefined;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata?: Record<string, string | number | boolean> | undefined;
  /**
   * Whether to take as many points as can be spent, at most `tokens` and at least 1, instead of
   * refusing. Not to add points. Default false.
   */
  upTo?: boolean | undefined;
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
  /** Of a transfer, or with `upTo`: the points that were moved. */
  tokens?: number;
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
  /** Your own id of the matter, such as an order. Several movements may share one. */
  reference?: string | undefined;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata?: Record<string, string | number | boolean> | undefined;
  /**
   * Whether to take as many points as can be spent, at most `tokens` and at least 1, instead of
   * refusing. Not to add points. Default false.
   */
  upTo?: boolean | undefined;
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
    /** Makes the entry a transfer from `memberId`; `tokens` is then at least 1. */
    recipientId?: MemberId | undefined;
    /** Points: positive adds, negative subtracts. 0 only with `skipZero`. */
    tokens: number;
    /** The reason, in your own words. Stored in the journal. */
    description?: string | undefined;
    /** The kind of points; empty for the realm’s default kind. */
    realmPointId?: string | null | undefined;
    /** Your own id of the matter, such as an order. Several movements may share one. */
    reference?: string | undefined;
    /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
    metadata?: Record<string, string | number | boolean> | undefined;
    /**
     * Whether to take as many points as can be spent, at most `tokens` and at least 1, instead of
     * refusing. Not to add points. Default false.
     */
    upTo?: boolean | undefined;
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
  /** Of a transfer, or with `upTo`: the points that were moved. */
  tokens?: number;
  /** A member id as a string of digits, 1 to 2^63-1. */
  recipientId?: string;
  /** A balance of points. */
  senderBalance?: number;
  /** A balance of points. */
  recipientBalance?: number;
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
  /** What you call the members that belong together; `tags` of a list finds them. */
  tags?: readonly string[] | undefined;
  /** What you want to remember about the member. */
  note?: string | null | undefined;
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
  /**
   * Whether members who are enrolled already are given `balances` of kinds of points that have
   * never moved for them, and nothing else. Default false: they are refused.
   */
  opensPresent?: boolean | undefined;
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
    /** What you call the members that belong together; `tags` of a list finds them. */
    tags?: readonly string[] | undefined;
    /** What you want to remember about the member. */
    note?: string | null | undefined;
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
    /** True if the member was enrolled before, and only its balances were opened. */
    wasPresent?: boolean;
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
  /** What you call the members that belong together; `tags` of a list finds them. */
  tags?: readonly string[] | undefined;
  /** What you want to remember about the member. */
  note?: string | null | undefined;
  /** Your own data: a JSON object of at most 8 KiB. */
  metadata?: Record<string, unknown> | undefined;
  /** Wallet addresses to link, unverified; the first becomes the primary one. */
  wallets?: readonly string[] | undefined;
}

export interface MemberList {
  items: Member[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
  count?: {
    /** How many members were counted. */
    members: number;
    /** False if there may be more of them. */
    isComplete: boolean;
  };
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
  /** What you call the members that belong together; `tags` of a list finds them. */
  tags?: readonly string[] | undefined;
  /** What you want to remember about the member. */
  note?: string | null | undefined;
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

export interface CreateWalletLinkAnswer {
  /** The link. Shown in this answer only; null in a replayed one. */
  url: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  expiresAt: string;
}

export interface OpenWalletLinkBody {
  /** What follows the `#` of the link. */
  code: string;
  /** An EVM, Solana or Bitcoin address. */
  address?: string | undefined;
  /**
   * The kind of address, by default derived from the address; or the chain of a contract wallet,
   * such as `eip155:8453`. `eip155` means `eip155:1`.
   */
  chain?: string | undefined;
}

export interface OpenWalletLinkAnswer {
  /** The realm. */
  realmName: string;
  /** The member, by name or else by id. */
  memberName: string;
  /** RFC 3339, in UTC, with milliseconds. */
  expiresAt: string;
  /** The message to sign, unchanged. */
  message: string | null;
}

export interface RedeemWalletLinkBody {
  /** What follows the `#` of the link. */
  code: string;
  /** An EVM, Solana or Bitcoin address. */
  address: string;
  /** The `message` of a challenge, unchanged. */
  message: string;
  /**
   * The signature of `message`. EVM: `0x` and hex digits, by an account or a contract. Solana:
   * base58 or base64. Bitcoin: base64, BIP-137 or BIP-322 simple.
   */
  signature: string;
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
    | 'points.captured' | 'points.reversed' | 'offer.claimed'
    | 'claim.rejected';
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
  /** True if what was said of it was erased with a member. */
  erased?: boolean;
  /** Your own id of the matter, such as an order. Several movements may share one. */
  reference?: string;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata?: Record<string, string | number | boolean>;
  /** The kind of points. */
  realmPointId: string;
  /** The caller: `root`, `cli` or `key:<public id>`, and its session if any. */
  actor: string;
  /** For whom the actor did it, if it said so. */
  onBehalfOf?: string;
  /** The transaction that it reverses, if it is a reversal. */
  reversalOf: number | null;
  /** Its last reversal, if it was reversed in full or in part. */
  reversedBy: number | null;
  /** How much has been reversed so far. */
  reversedTokens: number;
  /** Of a reversal: the points that the original moved. */
  originalTokens?: number;
  /** Of a reversal: the description of the original. */
  originalDescription?: string;
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
   * May exceed 2^53.
   */
  held?: Record<string, Sum>;
  /**
   * What can be spent of each balance now: all but what is held and the minimum balance; nothing
   * while the member is frozen or the kind archived. The default kind comes first, then the others
   * by id. May exceed 2^53.
   */
  available?: Record<string, Sum>;
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
    | 'points.captured' | 'points.reversed' | 'offer.claimed'
    | 'claim.rejected';
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
      | 'points.captured' | 'points.reversed' | 'offer.claimed'
      | 'claim.rejected';
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
  /** True if what was said of it was erased with a member. */
  erased?: boolean;
}

export type ExportedMovements = ExportedMovement[];

export interface ReverseTransactionBody {
  /** How much to reverse; by default all that remains. */
  tokens?: number | undefined;
  /** The reason, in your own words. Stored in the journal. */
  description?: string | undefined;
  /** Your own id of the matter, such as an order. Several movements may share one. */
  reference?: string | undefined;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata?: Record<string, string | number | boolean> | undefined;
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
  /** Your own id of the matter, such as an order. Several movements may share one. */
  reference?: string | undefined;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata?: Record<string, string | number | boolean> | undefined;
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
  /** Your own id of the matter, such as an order. Several movements may share one. */
  reference?: string;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata?: Record<string, string | number | boolean>;
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
  /** Your own id of the matter, such as an order. Several movements may share one. */
  reference?: string | undefined;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata?: Record<string, string | number | boolean> | undefined;
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

export interface CreateOfferBody {
  /** The id of the offer. It never changes, and is not made of digits alone. */
  id: string;
  /** The display name, which statements show. */
  name: string;
  /** What members read about it. */
  description?: string | null | undefined;
  /** An emoji, or the name of one. */
  emoji?: string | null | undefined;
  /** What one gives, by kind of points. */
  gives?: Record<string, number> | undefined;
  /** What one costs, by kind of points. Paid at the claim. */
  costs?: Record<string, number> | undefined;
  /** How often each member may claim it; null for no limit. */
  perMember?: {
    /** How often in a period; a claim of several counts for each. */
    times: number;
    /** A calendar day, a week from Monday or a month in the realm’s `timeZone`; `ever` for good. */
    period: 'ever' | 'day' | 'week' | 'month';
  } | null | undefined;
  /** How many there are; null for no limit. */
  stock?: number | null | undefined;
  /** When it opens; null for at once. RFC 3339, such as `2027-01-31T00:00:00Z`. */
  opensAt?: Instant | null | undefined;
  /** When it closes; null for never. RFC 3339, such as `2027-01-31T00:00:00Z`. */
  closesAt?: Instant | null | undefined;
  /** What a member must have to claim it; null for nothing. */
  requires?: {
    /** The balances that a member must have, by kind of points. */
    minimumBalance?: Record<string, number> | undefined;
    /** An offer that the member must have claimed before. */
    claimed?: string | undefined;
  } | null | undefined;
  /**
   * `none`: a claim is done at once. `manual`: it is pending until a program or a person delivers
   * or rejects it.
   */
  delivery?: 'none' | 'manual' | undefined;
  /** Whether programs show it to members. Default true. */
  isListed?: boolean | undefined;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata?: Record<string, string | number | boolean> | undefined;
  /** Rewards days in a row; with `perMember` of period `day` only. Null for none. */
  streak?: {
    /**
     * What the n-th day in a row adds, once a day, to the first kind of `gives`; the last stays.
     */
    bonus: readonly number[];
    /** How many days may be missed. Default 0. */
    graceDays?: number | undefined;
  } | null | undefined;
}

export interface Offer {
  /** The offer. */
  id: string;
  /** The display name, which statements show. */
  name: string;
  /** What members read about it. */
  description: string | null;
  /** An emoji, or the name of one. */
  emoji: string | null;
  /** What one gives, by kind of points. */
  gives: Record<string, number>;
  /** What one costs, by kind of points. Paid at the claim. */
  costs: Record<string, number>;
  /** How often each member may claim it; null for no limit. */
  perMember: {
    /** How often in a period; a claim of several counts for each. */
    times: number;
    /** A calendar day, a week from Monday or a month in the realm’s `timeZone`; `ever` for good. */
    period: 'ever' | 'day' | 'week' | 'month';
  } | null;
  /** How many there are; null for no limit. */
  stock: number | null;
  /** RFC 3339, in UTC, with milliseconds. */
  opensAt: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  closesAt: string | null;
  /** What a member must have to claim it; null for nothing. */
  requires: {
    /** The balances that a member must have, by kind of points. */
    minimumBalance?: Record<string, number>;
    /** An offer that the member must have claimed before. */
    claimed?: string;
  } | null;
  /**
   * `none`: a claim is done at once. `manual`: it is pending until a program or a person delivers
   * or rejects it.
   */
  delivery: 'none' | 'manual';
  /** Whether programs show it to members. */
  isListed: boolean;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata: Record<string, string | number | boolean>;
  /** Rewards days in a row; with `perMember` of period `day` only. Null for none. */
  streak: {
    /**
     * What the n-th day in a row adds, once a day, to the first kind of `gives`; the last stays.
     */
    bonus: number[];
    /** How many days may be missed. Default 0. */
    graceDays: number;
  } | null;
  /** Whether it was ended for good. */
  archived: boolean;
  /** What it is now: archived, upcoming, closed, sold out, or else open. */
  status: 'archived' | 'upcoming' | 'closed' | 'soldOut' | 'open';
  /** How many were claimed, without those that were rejected. */
  claimed: number;
  /** How many are left; null without `stock`. */
  stockLeft: number | null;
  /** The event of its draw, with the winners; null before. */
  drawSeq: number | null;
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  updatedAt: string;
}

export interface OfferList {
  items: Offer[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface UpdateOfferBody {
  /** The display name, which statements show. */
  name?: string | undefined;
  /** What members read about it. */
  description?: string | null | undefined;
  /** An emoji, or the name of one. */
  emoji?: string | null | undefined;
  /** What one gives, by kind of points. */
  gives?: Record<string, number> | undefined;
  /** What one costs, by kind of points. Paid at the claim. */
  costs?: Record<string, number> | undefined;
  /** How often each member may claim it; null for no limit. */
  perMember?: {
    /** How often in a period; a claim of several counts for each. */
    times: number;
    /** A calendar day, a week from Monday or a month in the realm’s `timeZone`; `ever` for good. */
    period: 'ever' | 'day' | 'week' | 'month';
  } | null | undefined;
  /** How many there are; null for no limit. */
  stock?: number | null | undefined;
  /** When it opens; null for at once. RFC 3339, such as `2027-01-31T00:00:00Z`. */
  opensAt?: Instant | null | undefined;
  /** When it closes; null for never. RFC 3339, such as `2027-01-31T00:00:00Z`. */
  closesAt?: Instant | null | undefined;
  /** What a member must have to claim it; null for nothing. */
  requires?: {
    /** The balances that a member must have, by kind of points. */
    minimumBalance?: Record<string, number> | undefined;
    /** An offer that the member must have claimed before. */
    claimed?: string | undefined;
  } | null | undefined;
  /**
   * `none`: a claim is done at once. `manual`: it is pending until a program or a person delivers
   * or rejects it.
   */
  delivery?: 'none' | 'manual' | undefined;
  /** Whether programs show it to members. Default true. */
  isListed?: boolean | undefined;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata?: Record<string, string | number | boolean> | undefined;
  /** Rewards days in a row; with `perMember` of period `day` only. Null for none. */
  streak?: {
    /**
     * What the n-th day in a row adds, once a day, to the first kind of `gives`; the last stays.
     */
    bonus: readonly number[];
    /** How many days may be missed. Default 0. */
    graceDays?: number | undefined;
  } | null | undefined;
  /** Whether it is ended. */
  archived?: boolean | undefined;
}

export interface ClaimOfferBody {
  /** A member id: a JSON integer (read losslessly) or a string of digits, 1 to 2^63-1. */
  memberId: MemberId;
  /** How many: multiplies what it gives and costs, and counts for as many. Default 1. */
  quantity?: number | undefined;
  /** What one costs, as the member saw it: refused if it costs something else now. */
  expectedCosts?: Record<string, number> | undefined;
  /** Your own id of the matter, such as an order. Several movements may share one. */
  reference?: string | undefined;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata?: Record<string, string | number | boolean> | undefined;
}

export interface Claim {
  /** The number of the claim, which is its `transactionId`. */
  claimId: number;
  /** The offer. */
  offerId: string;
  /** A member id as a string of digits, 1 to 2^63-1. */
  memberId: string;
  /** How many. */
  quantity: number;
  /** `pending` waits to be delivered or rejected; `done` and `rejected` are final. */
  status: 'pending' | 'done' | 'rejected';
  /** What it gave, by kind of points. */
  gave: Record<string, number>;
  /** What it cost, by kind of points. */
  cost: Record<string, number>;
  /** The balances that it changed, after it. */
  balances: Record<string, number>;
  /** The day, week or month that it counts for: `2026-11-18`, `2026-W47`, `2026-11`. */
  period: string | null;
  /** Which day in a row it was, if the offer counts them. */
  streak: number | null;
  /** RFC 3339, in UTC, with milliseconds. */
  at: string;
  /** The caller: `root`, `cli` or `key:<public id>`, and its session if any. */
  actor: string;
  /** For whom the actor did it, if it said so. */
  onBehalfOf?: string;
  /** Your own id of the matter, such as an order. Several movements may share one. */
  reference?: string;
  /** Your own data: up to 20 texts, numbers or booleans by name, 2 KiB in all. */
  metadata?: Record<string, string | number | boolean>;
  /** True if what was said of it was erased with its member. */
  erased?: boolean;
}

export interface DrawOfferBody {
  /** How many members win, if there are as many. */
  winners: number;
  /**
   * A public value that nobody could choose, such as the hash of a block that was announced before
   * it existed. Without it, the service makes one.
   */
  seed?: string | undefined;
}

export interface DrawOfferAnswer {
  /** In the order in which they were drawn. */
  winners: {
    /** A member id as a string of digits, 1 to 2^63-1. */
    memberId: string;
    /** The number of the claim, which is its `transactionId`. */
    claimId: number;
  }[];
  /** The seed. */
  seed: string;
  /** How many tickets there were. */
  tickets: number;
  /** The SHA-256 of the list of claims. */
  listHash: string;
  /** The name of the procedure. */
  method: string;
}

export interface ClaimList {
  items: Claim[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
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
  /** Points earned in the window; null for `all`. May exceed 2^53. */
  earned: Sum | null;
  /** The points that the rank is by: `balance` for `all`, otherwise `earned`. May exceed 2^53. */
  tokens: Sum;
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
  /** Now, or when a past week or month ended. */
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
  /** Points earned in the window; null for `all`. May exceed 2^53. */
  earned: Sum | null;
  /** The points that the rank is by: `balance` for `all`, otherwise `earned`. May exceed 2^53. */
  tokens: Sum;
  /** The address of the primary wallet. */
  wallet: string | null;
  /** When the member’s points of this kind last moved, or else its enrolment. */
  last_updated: string;
  /** The number of members on the leaderboard. */
  total: number;
  /** Now, or when a past week or month ended. */
  asOf: string;
}

export interface ListEventsAnswer {
  items: RealmEvent[];
  /** How far this page goes: the next `after`, or `before`. */
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
  /** For whom the actor did it, if it said so. */
  onBehalfOf?: string;
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
    | 'key.created' | 'key.rotated' | 'key.revoked' | 'person.invited' | 'person.updated'
    | 'person.removed' | 'person.erased' | 'point.created' | 'point.updated' | 'asset.created'
    | 'asset.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.paused'
    | 'webhook.resumed' | 'webhook.rotated' | 'webhook.replayed' | 'webhook.deleted'
    | 'member.created' | 'member.updated' | 'member.frozen' | 'member.unfrozen' | 'member.removed'
    | 'member.erased' | 'wallet.linked' | 'wallet.verified' | 'wallet.unlinked' | 'points.held'
    | 'points.released' | 'points.opened' | 'points.added' | 'points.subtracted'
    | 'points.transferred' | 'points.captured' | 'points.reversed' | 'offer.created'
    | 'offer.updated' | 'offer.claimed' | 'offer.drawn' | 'claim.delivered' | 'claim.rejected'
    | 'realm.*' | 'key.*' | 'person.*' | 'point.*' | 'asset.*' | 'webhook.*' | 'member.*'
    | 'wallet.*' | 'points.*' | 'offer.*' | 'claim.*')[] | null | undefined;
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
    | 'key.created' | 'key.rotated' | 'key.revoked' | 'person.invited' | 'person.updated'
    | 'person.removed' | 'person.erased' | 'point.created' | 'point.updated' | 'asset.created'
    | 'asset.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.paused'
    | 'webhook.resumed' | 'webhook.rotated' | 'webhook.replayed' | 'webhook.deleted'
    | 'member.created' | 'member.updated' | 'member.frozen' | 'member.unfrozen' | 'member.removed'
    | 'member.erased' | 'wallet.linked' | 'wallet.verified' | 'wallet.unlinked' | 'points.held'
    | 'points.released' | 'points.opened' | 'points.added' | 'points.subtracted'
    | 'points.transferred' | 'points.captured' | 'points.reversed' | 'offer.created'
    | 'offer.updated' | 'offer.claimed' | 'offer.drawn' | 'claim.delivered' | 'claim.rejected'
    | 'realm.*' | 'key.*' | 'person.*' | 'point.*' | 'asset.*' | 'webhook.*' | 'member.*'
    | 'wallet.*' | 'points.*' | 'offer.*' | 'claim.*')[] | null;
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
    | 'key.created' | 'key.rotated' | 'key.revoked' | 'person.invited' | 'person.updated'
    | 'person.removed' | 'person.erased' | 'point.created' | 'point.updated' | 'asset.created'
    | 'asset.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.paused'
    | 'webhook.resumed' | 'webhook.rotated' | 'webhook.replayed' | 'webhook.deleted'
    | 'member.created' | 'member.updated' | 'member.frozen' | 'member.unfrozen' | 'member.removed'
    | 'member.erased' | 'wallet.linked' | 'wallet.verified' | 'wallet.unlinked' | 'points.held'
    | 'points.released' | 'points.opened' | 'points.added' | 'points.subtracted'
    | 'points.transferred' | 'points.captured' | 'points.reversed' | 'offer.created'
    | 'offer.updated' | 'offer.claimed' | 'offer.drawn' | 'claim.delivered' | 'claim.rejected'
    | 'realm.*' | 'key.*' | 'person.*' | 'point.*' | 'asset.*' | 'webhook.*' | 'member.*'
    | 'wallet.*' | 'points.*' | 'offer.*' | 'claim.*')[] | null;
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
    | 'key.created' | 'key.rotated' | 'key.revoked' | 'person.invited' | 'person.updated'
    | 'person.removed' | 'person.erased' | 'point.created' | 'point.updated' | 'asset.created'
    | 'asset.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.paused'
    | 'webhook.resumed' | 'webhook.rotated' | 'webhook.replayed' | 'webhook.deleted'
    | 'member.created' | 'member.updated' | 'member.frozen' | 'member.unfrozen' | 'member.removed'
    | 'member.erased' | 'wallet.linked' | 'wallet.verified' | 'wallet.unlinked' | 'points.held'
    | 'points.released' | 'points.opened' | 'points.added' | 'points.subtracted'
    | 'points.transferred' | 'points.captured' | 'points.reversed' | 'offer.created'
    | 'offer.updated' | 'offer.claimed' | 'offer.drawn' | 'claim.delivered' | 'claim.rejected'
    | 'realm.*' | 'key.*' | 'person.*' | 'point.*' | 'asset.*' | 'webhook.*' | 'member.*'
    | 'wallet.*' | 'points.*' | 'offer.*' | 'claim.*')[] | null | undefined;
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

export interface DeliveryWithPayload {
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
  /** The header `webhook-id`. */
  messageId: string;
  /** The body: the event as the feed gives it, with `realmId` and `timestamp`. */
  payload: Record<string, unknown>;
}

export interface CreateRealmBody {
  /** The realm: 1 to 64 letters, digits, `_` or `-`, the first a letter or digit. */
  id: string;
  /** The display name. */
  name: string;
  /** Settings that are absent have their defaults. `discord` is set later. */
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
     * Where the days, weeks and months of offers begin: the IANA name of a time zone. Default
     * `UTC`. Past claims keep their days.
     */
    timeZone?: string | undefined;
    /**
     * What a read of a member answers for an unknown id: 404, or 200 with zero balances and the
     * status `unknown`, for bots that ask about everybody.
     */
    unknownMembers?: 'not-found' | 'zero' | undefined;
    /** Whether the console shows the pictures that members have on Discord. Default false. */
    discordPictures?: boolean | undefined;
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

export interface DiscordServer {
  /** The id of the server. */
  guildId: string;
  /** Where gifts, draws and new offers are announced; null for nowhere. */
  announceChannelId: string | null;
  /** Whose bearers manage points, besides who may manage the server; null for none. */
  managerRoleId: string | null;
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
   * Where the days, weeks and months of offers begin: the IANA name of a time zone. Default `UTC`.
   * Past claims keep their days.
   */
  timeZone: string;
  /**
   * What a read of a member answers for an unknown id: 404, or 200 with zero balances and the
   * status `unknown`, for bots that ask about everybody.
   */
  unknownMembers: 'not-found' | 'zero';
  /** Whether the console shows the pictures that members have on Discord. Default false. */
  discordPictures: boolean;
  /**
   * The server of Discord whose members are those of the realm, or a list if there are several, at
   * most 20. Set as a whole: what is absent is null. A server belongs to one realm. Null unlinks
   * all.
   */
  discord: DiscordServer | DiscordServer[] | null;
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
   * others by id. May exceed 2^53.
   */
  circulation: Record<string, Sum>;
  /**
   * How much of them open holds set aside. The default kind comes first, then the others by id. May
   * exceed 2^53.
   */
  held: Record<string, Sum>;
  activity: {
    /** A day in UTC. */
    day: string;
    /** Records of the day. */
    records: number;
  }[];
}

export interface GetDiscordStatusAnswer {
  /**
   * `off`: `DISCORD_TOKEN` is not set. `ready`: members can use its commands. `refused`: Discord
   * refuses the token or the application; the operator has to correct that. `waiting`: for another
   * process that has stopped.
   */
  state: 'off' | 'connecting' | 'ready' | 'waiting' | 'refused' | 'stopped';
  /** Why, in words. */
  detail: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  since: string | null;
  /** The application, once Discord has told it. */
  applicationId: string | null;
  /** Where the app is added to a server: to the first that has a problem, or to any. */
  invitationUrl: string | null;
  /** How members’ commands arrive. */
  interactions: 'gateway' | 'http';
  /** The servers that the realm is linked to. */
  servers: {
    /** Its id. */
    guildId: string;
    /** Whether the app is connected, and knows it. */
    isServed: boolean;
    /** What somebody has to do about it. */
    problem: string | null;
  }[];
}

export interface Activity {
  /** The kind of points. */
  realmPointId: string;
  /** Members who were active in these days, each once. */
  activeMembers: number;
  days: {
    /** A day in UTC. */
    day: string;
    /** Points added, less reversals. May exceed 2^53. */
    issued: Sum;
    /** Points subtracted and captured without a recipient, less reversals. May exceed 2^53. */
    spent: Sum;
    /** Records about this kind of points. */
    records: number;
    /** The points of all members at the end of the day. May exceed 2^53. */
    circulation: Sum;
    /** Members at the end of the day. */
    members: number;
    /** Members who were active. */
    activeMembers: number;
    /** Those of them who were so for the first time. */
    newMembers: number;
    /** So in an earlier week, and not yet in this one. */
    returningMembers: number;
  }[];
}

export interface Attention {
  items: {
    type:
      | 'check-failed' | 'backup-overdue' | 'discord-disconnected' | 'webhook-failing'
      | 'key-expiring' | 'claims-waiting' | 'award-unusual';
    /** Since when, if known; or when a key expires. */
    at: string | null;
    /** What is wrong. */
    detail?: string;
    /** The webhook. */
    webhookId?: string;
    /** Where it sends events. */
    url?: string;
    /** The key. */
    keyId?: string;
    /** The name of the key. */
    name?: string;
    /** How many claims wait for delivery. */
    claims?: number;
    /** The number of the journal record that moved the points: 1, 2, 3, … without gaps. */
    transactionId?: number;
    /** A member id as a string of digits, 1 to 2^63-1. */
    memberId?: string;
    /** The kind of points. */
    realmPointId?: string;
    /** What was awarded. */
    tokens?: number;
    /** What awards do not exceed usually. */
    usual?: number;
    /** Who awarded it. */
    actor?: string;
    /** For whom. */
    onBehalfOf?: string;
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
     * Where the days, weeks and months of offers begin: the IANA name of a time zone. Default
     * `UTC`. Past claims keep their days.
     */
    timeZone?: string | undefined;
    /**
     * What a read of a member answers for an unknown id: 404, or 200 with zero balances and the
     * status `unknown`, for bots that ask about everybody.
     */
    unknownMembers?: 'not-found' | 'zero' | undefined;
    /** Whether the console shows the pictures that members have on Discord. Default false. */
    discordPictures?: boolean | undefined;
    /**
     * The server of Discord whose members are those of the realm, or a list if there are several,
     * at most 20. Set as a whole: what is absent is null. A server belongs to one realm. Null
     * unlinks all.
     */
    discord?: {
      /** The id of the server. */
      guildId: string;
      /** Where gifts, draws and new offers are announced; null for nowhere. */
      announceChannelId?: string | null | undefined;
      /** Whose bearers manage points, besides who may manage the server; null for none. */
      managerRoleId?: string | null | undefined;
    } | readonly {
      /** The id of the server. */
      guildId: string;
      /** Where gifts, draws and new offers are announced; null for nowhere. */
      announceChannelId?: string | null | undefined;
      /** Whose bearers manage points, besides who may manage the server; null for none. */
      managerRoleId?: string | null | undefined;
    }[] | null | undefined;
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

export interface CreatePersonBody {
  /** What the person is called here. */
  name: string;
  role: 'viewer' | 'manager' | 'admin';
}

export interface InvitedPerson {
  /** The id. Records name their actor as `person:<id>`. */
  id: string;
  /** Null if it was erased. */
  name: string | null;
  /** The scopes `read`, `write`, `admin`; an `owner` may do everything everywhere. */
  role: 'viewer' | 'manager' | 'admin' | 'owner';
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** Null until an invitation was accepted. */
  lastSeenAt: string | null;
  /** Null unless the person was removed. */
  removedAt: string | null;
  /** A link that signs the person in once. Shown in this answer only; null in a replayed one. */
  invitation: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  invitationExpiresAt: string | null;
}

export interface Person {
  /** The id. Records name their actor as `person:<id>`. */
  id: string;
  /** Null if it was erased. */
  name: string | null;
  /** The scopes `read`, `write`, `admin`; an `owner` may do everything everywhere. */
  role: 'viewer' | 'manager' | 'admin' | 'owner';
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** Null until an invitation was accepted. */
  lastSeenAt: string | null;
  /** Null unless the person was removed. */
  removedAt: string | null;
}

export interface PersonList {
  items: Person[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface UpdatePersonBody {
  /** What the person is called here. */
  name?: string | undefined;
  role?: 'viewer' | 'manager' | 'admin' | undefined;
}

export interface CreateOwnerBody {
  /** What the person is called here. */
  name: string;
}

export interface UpdateOwnerBody {
  /** What the person is called here. */
  name?: string | undefined;
}

export interface PasskeyChallenge {
  /** In base64url. */
  challenge: string;
  /** The host that passkeys belong to. */
  rpId: string;
  /** Where the page has to be. */
  origin: string;
  /** RFC 3339, in UTC, with milliseconds. */
  expiresAt: string;
}

export interface CreatePasskeyBody {
  /** As the browser returned it, in base64url. */
  clientDataJSON: string;
  /** As the browser returned it, in base64url. */
  attestationObject: string;
}

export interface Passkey {
  /** The id that the authenticator gave it. */
  id: string;
  /** What the browser said of itself when the passkey was added. */
  userAgent: string | null;
  /** RFC 3339, in UTC, with milliseconds. */
  createdAt: string;
  /** RFC 3339, in UTC, with milliseconds. */
  lastUsedAt: string | null;
}

export interface PasskeyList {
  items: Passkey[];
  /** Pass it as `cursor` to get the next page; only the last page has null. */
  nextCursor: string | null;
}

export interface CreateSessionBody {
  /** The code of a one-time link, in place of a key. */
  code?: string | undefined;
  /** What a passkey signed, in place of a key: see `createChallenge`. */
  assertion?: {
    /** The id of the passkey, in base64url. */
    id: string;
    /** As the browser returned it, in base64url. */
    clientDataJSON: string;
    /** As the browser returned it, in base64url. */
    authenticatorData: string;
    /** As the browser returned it, in base64url. */
    signature: string;
  } | undefined;
}

/** Who is signed in; null if a key is. */
export interface CurrentPerson {
  /** The id. Records name their actor as `person:<id>`. */
  id: string;
  /** Null if it was erased. */
  name: string | null;
  /** The scopes `read`, `write`, `admin`; an `owner` may do everything everywhere. */
  role: 'viewer' | 'manager' | 'admin' | 'owner';
}

export interface CurrentSession {
  /** The id of the session; null if the call has a key of its own. */
  id: string | null;
  /** Whether it may do everything in every realm. */
  isRoot: boolean;
  person: CurrentPerson | null;
  /** The realm of the key or person; null for root and owners. */
  realmId: string | null;
  /** What it may do, with the scopes that others imply. */
  scopes: ('read' | 'write' | 'admin')[];
  /** The id of the key; null for root and people. */
  keyId: string | null;
  /** The name of the key; null for root and people. */
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
    /** For whom the actor did it, if it said so. */
    onBehalfOf?: string;
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
  'realm.updated': {
    name?: string;
    settings?: RealmSettings;
    /** Which of the settings. */
    changed?: (keyof RealmSettings)[];
  };
  'realm.archived': NoPayload;
  'realm.unarchived': NoPayload;
  /** The last record of a journal, which is removed soon after. */
  'realm.deleted': NoPayload;
  'key.created': { keyId: string; name: string; scopes: Scope[]; expiresAt: string | null };
  'key.rotated': { keyId: string; newKeyId: string; overlapUntil: string; name?: string };
  'key.revoked': { keyId: string; name?: string };
  /** The first invitation is how a person is made; the later ones are new links. */
  'person.invited': { personId: string; name: string; role: RealmRole };
  'person.updated': { personId: string; name?: string; role?: RealmRole };
  'person.removed': { personId: string };
  'person.erased': { personId: string };
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
  'points.held': Amount & Remarks & { expiresAt: string };
  'points.released': Amount & { holdId: number; expiredAt?: string };
  'points.opened': OpeningPayload;
  'points.added': ChangePayload;
  'points.subtracted': ChangePayload;
  'points.transferred': Amount &
    Remarks & {
      recipientId: string;
      senderBalance: number;
      recipientBalance: number;
    };
  'points.captured': Amount & TakenPayload & { holdId: number };
  'points.reversed': Amount &
    TakenPayload & {
      reversalOf: number;
      reversedType: Exclude<PointsType, 'points.reversed'>;
      /** What the original moved, and its description. */
      originalTokens?: number;
      originalDescription?: string;
    };
  'offer.created': { id: string } & OfferTerms;
  'offer.updated': { id: string } & Partial<OfferTerms>;
  'offer.claimed': ClaimPayload &
    Said & {
      status: Exclude<ClaimStatus, 'rejected'>;
      /** What it counts for: a day, week or month; null if there is no such limit. */
      period: string | null;
      /** The local date that it counts for. */
      day: string;
      streak: number | null;
    };
  'offer.drawn': { offerId: string } & Drawn;
  'claim.delivered': Omit<ClaimPayload, keyof ClaimPoints | 'offerName'> & { claimId: number };
  /** What was moved by the claim is moved back. */
  'claim.rejected': ClaimPayload & Omit<Said, 'metadata'> & { claimId: number };
}

type NoPayload = Record<never, never>;

type Scope = 'read' | 'write' | 'admin';

/** What somebody may do in a realm: the scopes read, write and admin. */
type RealmRole = 'viewer' | 'manager' | 'admin';

/** What records say of a webhook. */
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
  tags: string[];
  note: string | null;
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

/** What a caller says of a movement or a hold. */
interface Remarks {
  description?: string;
  /** The caller's own id of the matter, which several movements may share. */
  reference?: string;
  metadata?: Metadata;
}

/** Whatever a caller likes to add to a movement, by names of its own. */
type Metadata = Record<string, string | number | boolean>;

/** What a member brings along from elsewhere when it is enrolled: not earned here. */
interface OpeningPayload extends Amount {
  newBalance: number;
  description?: string;
}

interface ChangePayload extends OpeningPayload, Remarks {
  /** The member was removed with a balance. */
  reason?: 'forfeit';
}

/** Both recipient fields are present or neither is. */
interface TakenPayload extends Remarks {
  newBalance: number;
  recipientId?: string;
  recipientBalance?: number;
}

type PointsType =
  | 'points.opened' | 'points.added' | 'points.subtracted' | 'points.transferred'
  | 'points.captured' | 'points.reversed';

/** What members may take, and on which terms. Instants are ISO 8601 texts. */
interface OfferTerms {
  name: string;
  description: string | null;
  emoji: string | null;
  gives: Amounts;
  costs: Amounts;
  perMember: PerMember | null;
  stock: number | null;
  opensAt: string | null;
  closesAt: string | null;
  requires: Requirements | null;
  delivery: 'none' | 'manual';
  streak: Streak | null;
  isListed: boolean;
  metadata: Metadata;
  archived: boolean;
}

/** Points by kind, each at least 1. */
type Amounts = Record<string, number>;

interface PerMember {
  times: number;
  period: Period;
}

/** A calendar day, a week from Monday or a month, in the time zone of the realm. */
type Period = 'ever' | 'day' | 'week' | 'month';

interface Requirements {
  minimumBalance?: Amounts;
  /** The id of another offer. */
  claimed?: string;
}

interface Streak {
  bonus: number[];
  graceDays: number;
}

interface ClaimPayload extends ClaimPoints {
  memberId: string;
  offerId: string;
  /** As it was then. */
  offerName: string;
  quantity: number;
}

interface ClaimPoints {
  gave: Amounts;
  cost: Amounts;
  /** Of the kinds of points that were touched, afterwards. */
  balances: Amounts;
}

/** A claim has the name of its offer in place of a description. */
type Said = Omit<Remarks, 'description'>;

type ClaimStatus = 'pending' | 'done' | 'rejected';

/** The outcome of a draw, which anybody can repeat. */
interface Drawn {
  winners: Winner[];
  seed: string;
  /** How many there were. */
  tickets: number;
  /** The SHA-256 of the list of tickets in hexadecimal. */
  listHash: string;
  /** The name of the procedure. */
  method: string;
}

interface Winner {
  memberId: string;
  claimId: number;
}

/** What a problem tells beyond the members that all have, by its code. */
export interface ProblemDetails {
  'malformed-json': Record<never, never>;
  'invalid-request': { errors: { pointer: string; detail: string }[] };
  unauthorized: Record<never, never>;
  'session-ended': Record<never, never>;
  'code-not-valid': Record<never, never>;
  'passkey-not-valid': Record<never, never>;
  forbidden: Record<never, never>;
  'insufficient-scope': { required: string };
  'person-required': Record<never, never>;
  'console-header-missing': Record<never, never>;
  'not-found': Record<never, never>;
  'realm-not-found': Record<never, never>;
  'member-not-found': { memberId: string };
  'recipient-not-found': { recipientId: string };
  'realm-point-not-found': { realmPointId: string };
  'key-not-found': { keyId: string };
  'session-not-found': { sessionId: string };
  'person-not-found': { personId: string };
  'passkey-not-found': { passkeyId: string };
  'wallet-not-found': { wallet: string };
  'transaction-not-found': { transactionId: number };
  'event-not-found': { seq: number };
  'verification-not-found': { verificationId: string };
  'asset-not-found': { assetId: string };
  'webhook-not-found': { webhookId: string };
  'delivery-not-found': { deliveryId: number };
  'hold-not-found': { holdId: number };
  'offer-not-found': { offerId: string };
  'claim-not-found': { claimId: number };
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
  'offer-exists': { offerId: string };
  'discord-server-taken': { guildId: string; of: string; realmId: string };
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
  'balance-limit': { memberId: string; realmPointId: string; limit: number; balance: number };
  'balance-not-zero': { memberId: string; balance: number; realmPointId: string };
  'last-passkey': Record<never, never>;
  'last-owner': Record<never, never>;
  'key-expired': { keyId: string };
  'webhook-target-refused': { error: string };
  'webhook-secret-unreadable': { webhookId: string };
  'replay-beyond-end': { lastSeq: number; fromSeq: number };
  'default-required': { realmPointId: string };
  'default-archived': { realmPointId: string };
  'realm-point-archived': { realmPointId: string };
  'bounds-crossed': { minimumBalance: number; realmPointId: string; maximumBalance: number };
  'reversal-exceeded': { transactionId: number; remaining: number; requested: number };
  'hold-closed': { holdId: number; holdStatus: string };
  'hold-exceeded': { holdId: number; remaining: number; requested: number };
  'not-reversible': { transactionId: number };
  'offer-incomplete': { offerId: string };
  'offer-closed': { offerId: string; opensAt: string | null; closesAt: string | null; offerStatus: Offer['status'] };
  'offer-sold-out': { offerId: string; stockLeft: number };
  'offer-limit-reached': { offerId: string; memberId: string; limit: number; nextAt: string | null };
  'offer-requirement': { offerId: string; memberId: string; requirement: NonNullable<Offer['requires']> };
  'price-changed': { offerId: string; costs: Record<string, number> };
  'claim-closed': { claimId: number; claimStatus: Claim['status'] };
  'offer-drawn': { offerId: string };
  'offer-open': { offerId: string; opensAt: string | null; offerStatus: Offer['status'] };
  'draw-outdated': { offerId: string };
  'key-replaced': { replacedBy: string; keyId: string };
  'member-ids-exhausted': Record<never, never>;
  'idempotency-key-reused': Record<never, never>;
  'answer-erased': Record<never, never>;
  'rate-limited': { retryAfter: number };
  'headers-too-large': Record<never, never>;
  internal: Record<never, never>;
  'not-ready': Record<never, never>;
  overloaded: { retryAfter: number };
  'storage-full': { retryAfter: number };
  'storage-unavailable': { retryAfter: number };
  'chain-unavailable': { chain: string; retryAfter: number };
  'outcome-unknown': { retryAfter: number };
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
  /** Add, subtract or transfer points of many members. */
  changeManyPoints: {
    path: { realmID: string };
    fields: ChangeManyPointsBody;
    answer: ChangeManyPointsAnswer;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'member-not-found' | 'realm-point-not-found'
      | 'too-many-tokens' | 'recipient-not-found' | 'self-transfer' | 'transfers-disabled'
      | 'not-transferable' | 'realm-point-archived' | 'member-frozen' | 'insufficient-points'
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
      | 'too-many-tokens' | 'insufficient-points' | 'balance-limit'
      | 'member-frozen';
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
       * finds John Smith. One word also finds the ids that begin with it and, from four characters
       * on, the wallets.
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
      /** Only members with all of these tags, separated by commas; up to 20. */
      tags?: string | undefined;
      /** Only members with a wallet, or only those without one. */
      hasWallet?: boolean | undefined;
      /** Only members with at least so many points of `realmPointId`. */
      minimumBalance?: number | undefined;
      /** Only members with at most so many points of `realmPointId`. */
      maximumBalance?: number | undefined;
      /**
       * Only members who were enrolled at this instant or later. RFC 3339, such as
       * `2027-01-31T00:00:00Z`.
       */
      createdFrom?: Instant | undefined;
      /**
       * Only members who were enrolled before this instant. RFC 3339, such as
       * `2027-01-31T00:00:00Z`.
       */
      createdTo?: Instant | undefined;
      /**
       * Only members whose `lastActiveAt` is at this instant or later. RFC 3339, such as
       * `2027-01-31T00:00:00Z`.
       */
      activeFrom?: Instant | undefined;
      /**
       * Only members whose `lastActiveAt` is before this instant. RFC 3339, such as
       * `2027-01-31T00:00:00Z`.
       */
      activeTo?: Instant | undefined;
      /**
       * `name` is by the display name or else the username, `-balance` begins with the highest
       * balance, `-createdAt` with the newest.
       */
      sort?: 'id' | 'name' | '-balance' | '-createdAt' | undefined;
      /** The kind of points of the balances; the default kind if absent. */
      realmPointId?: string | undefined;
      /** Also count the members of the list, as far as one look at 15,000 goes; not in a search. */
      count?: boolean | undefined;
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
  /** Create a link to link a wallet. */
  createWalletLink: {
    path: { realmID: string; memberID: MemberId };
    fields: Record<never, never>;
    answer: CreateWalletLinkAnswer;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'idempotency-key-reused' | 'answer-erased' | 'realm-archived' | 'outcome-unknown'
      | 'member-not-found';
  };
  /** Open a link to link a wallet. */
  openWalletLink: {
    path: Record<never, never>;
    fields: OpenWalletLinkBody;
    answer: OpenWalletLinkAnswer;
    problem:
      | CommonProblem | 'malformed-json' | 'body-too-large' | 'unsupported-media-type'
      | 'code-not-valid' | 'wallet-taken' | 'member-not-found'
      | 'realm-archived';
  };
  /** Link a wallet by a link. */
  redeemWalletLink: {
    path: Record<never, never>;
    fields: RedeemWalletLinkBody;
    answer: Wallet;
    problem:
      | CommonProblem | 'malformed-json' | 'body-too-large' | 'unsupported-media-type'
      | 'code-not-valid' | 'member-not-found' | 'realm-archived' | 'wallet-taken'
      | 'challenge-not-found' | 'challenge-mismatch' | 'challenge-used' | 'challenge-expired'
      | 'signature-invalid' | 'limit-reached' | 'chain-unavailable';
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
        | 'points.captured' | 'points.reversed' | 'offer.claimed'
        | 'claim.rejected' | undefined;
      /** Only at or after this instant. RFC 3339, such as `2027-01-31T00:00:00Z`. */
      from?: Instant | undefined;
      /** Only before this instant. RFC 3339, such as `2027-01-31T00:00:00Z`. */
      to?: Instant | undefined;
      /** Only movements with this reference. Not together with `realmPointId` or `type`. */
      reference?: string | undefined;
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
        | 'points.captured' | 'points.reversed' | 'offer.claimed'
        | 'claim.rejected' | undefined;
      /** Only at or after this instant. RFC 3339, such as `2027-01-31T00:00:00Z`. */
      from?: Instant | undefined;
      /** Only before this instant. RFC 3339, such as `2027-01-31T00:00:00Z`. */
      to?: Instant | undefined;
      /** Only movements with this reference. Not together with `realmPointId` or `type`. */
      reference?: string | undefined;
      /**
       * Only what the call with this idempotency key moved, for as long as keys are kept: none if
       * it has not taken effect. Not together with other filters.
       */
      idempotencyKey?: string | undefined;
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
      /** Only movements of these types, with commas. At most 8. */
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
  /** Create an offer. */
  createOffer: {
    path: { realmID: string };
    fields: CreateOfferBody;
    answer: Offer;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'offer-exists' | 'offer-not-found'
      | 'realm-point-not-found' | 'offer-incomplete';
  };
  /** List offers. */
  listOffers: {
    path: { realmID: string };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
      /** Only offers with this status now. */
      status?: 'archived' | 'upcoming' | 'closed' | 'soldOut' | 'open' | undefined;
    };
    answer: OfferList;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** Get an offer. */
  getOffer: {
    path: { realmID: string; offerID: string };
    fields: Record<never, never>;
    answer: Offer;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'offer-not-found';
  };
  /** Change an offer. */
  updateOffer: {
    path: { realmID: string; offerID: string };
    fields: UpdateOfferBody;
    answer: Offer;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'offer-not-found' | 'realm-point-not-found'
      | 'offer-incomplete';
  };
  /** Claim an offer. */
  claimOffer: {
    path: { realmID: string; offerID: string };
    fields: ClaimOfferBody;
    answer: Claim;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'offer-not-found' | 'member-not-found'
      | 'offer-closed' | 'offer-drawn' | 'offer-sold-out' | 'offer-limit-reached'
      | 'offer-requirement' | 'price-changed' | 'too-many-tokens' | 'realm-point-archived'
      | 'member-frozen' | 'insufficient-points' | 'balance-limit';
  };
  /** Draw winners. */
  drawOffer: {
    path: { realmID: string; offerID: string };
    fields: DrawOfferBody;
    answer: DrawOfferAnswer;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'offer-not-found' | 'offer-drawn' | 'offer-open'
      | 'draw-outdated' | 'limit-reached';
  };
  /** List claims. */
  listClaims: {
    path: { realmID: string };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
      /** Only claims with this status. */
      status?: 'pending' | 'done' | 'rejected' | undefined;
      /** Only claims of this offer. */
      offerId?: string | undefined;
      /** Only claims of this member. */
      memberId?: string | undefined;
    };
    answer: ClaimList;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** List a member’s claims. */
  memberClaims: {
    path: { realmID: string; memberID: MemberId };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
      /** Only claims with this status. */
      status?: 'pending' | 'done' | 'rejected' | undefined;
      /** Only claims of this offer. */
      offerId?: string | undefined;
    };
    answer: ClaimList;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'member-not-found';
  };
  /** Get a claim. */
  getClaim: {
    path: { realmID: string; claimID: number };
    fields: Record<never, never>;
    answer: Claim;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'claim-not-found';
  };
  /** Deliver a claim. */
  deliverClaim: {
    path: { realmID: string; claimID: number };
    fields: Record<never, never>;
    answer: Claim;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'idempotency-key-reused' | 'answer-erased' | 'realm-archived' | 'outcome-unknown'
      | 'claim-not-found' | 'claim-closed';
  };
  /** Reject a claim. */
  rejectClaim: {
    path: { realmID: string; claimID: number };
    fields: Record<never, never>;
    answer: Claim;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'idempotency-key-reused' | 'answer-erased' | 'realm-archived' | 'outcome-unknown'
      | 'claim-not-found' | 'member-not-found' | 'claim-closed' | 'offer-drawn'
      | 'realm-point-archived' | 'member-frozen' | 'insufficient-points'
      | 'balance-limit';
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
      /**
       * With `week` or `month`: an instant in it, also of a past one. Past ones stay as they were;
       * of members who have left since, they have the id alone. `balance` is that of now. RFC 3339,
       * such as `2027-01-31T00:00:00Z`.
       */
      at?: Instant | undefined;
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
      /** Newest first: the events before this `seq`. */
      before?: number | undefined;
      /** Only events of these types, separated by commas or as a repeated parameter. */
      types?: string | readonly (
        | 'realm.created' | 'realm.updated' | 'realm.archived' | 'realm.unarchived'
        | 'realm.deleted' | 'key.created' | 'key.rotated' | 'key.revoked' | 'person.invited'
        | 'person.updated' | 'person.removed' | 'person.erased' | 'point.created' | 'point.updated'
        | 'asset.created' | 'asset.deleted' | 'webhook.created' | 'webhook.updated'
        | 'webhook.paused' | 'webhook.resumed' | 'webhook.rotated' | 'webhook.replayed'
        | 'webhook.deleted' | 'member.created' | 'member.updated' | 'member.frozen'
        | 'member.unfrozen' | 'member.removed' | 'member.erased' | 'wallet.linked'
        | 'wallet.verified' | 'wallet.unlinked' | 'points.held' | 'points.released'
        | 'points.opened' | 'points.added' | 'points.subtracted' | 'points.transferred'
        | 'points.captured' | 'points.reversed' | 'offer.created' | 'offer.updated'
        | 'offer.claimed' | 'offer.drawn' | 'claim.delivered'
        | 'claim.rejected')[] | undefined;
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
  /** Read a delivery. */
  getDelivery: {
    path: { realmID: string; webhookID: string; deliveryID: number };
    fields: Record<never, never>;
    answer: DeliveryWithPayload;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'webhook-not-found' | 'delivery-not-found';
  };
  /** Send a delivery again. */
  resendDelivery: {
    path: { realmID: string; webhookID: string; deliveryID: number };
    fields: Record<never, never>;
    answer: Delivery;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'webhook-not-found' | 'delivery-not-found'
      | 'webhook-secret-unreadable';
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
  /** Get the state of the Discord app. */
  getDiscordStatus: {
    path: { realmID: string };
    fields: Record<never, never>;
    answer: GetDiscordStatusAnswer;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** Get points and active members by day. */
  getActivity: {
    path: { realmID: string };
    fields: {
      /** The kind of points; empty for the realm’s default kind. */
      realmPointId?: string | undefined;
      /** How many days, 1 to 366. */
      days?: number | undefined;
      /** In the last of the days; today if absent. RFC 3339, such as `2027-01-31T00:00:00Z`. */
      to?: Instant | undefined;
    };
    answer: Activity;
    problem: CommonProblem | 'forbidden' | 'realm-not-found' | 'realm-point-not-found';
  };
  /** Get what needs attention. */
  getAttention: {
    path: { realmID: string };
    fields: Record<never, never>;
    answer: Attention;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** Change a realm. */
  updateRealm: {
    path: { realmID: string };
    fields: UpdateRealmBody;
    answer: Realm;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'discord-server-taken';
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
  /** Invite a person. */
  createPerson: {
    path: { realmID: string };
    fields: CreatePersonBody;
    answer: InvitedPerson;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown';
  };
  /** List people. */
  listPeople: {
    path: { realmID: string };
    fields: {
      /** The most rows of a page, 1 to 500. A page also ends at about 1 MiB. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
      /** Only these people: up to 100 ids, separated by commas. */
      ids?: string | undefined;
    };
    answer: PersonList;
    problem: CommonProblem | 'forbidden' | 'realm-not-found';
  };
  /** Change a person. */
  updatePerson: {
    path: { realmID: string; personID: string };
    fields: UpdatePersonBody;
    answer: Person;
    problem:
      | CommonProblem | 'malformed-json' | 'forbidden' | 'insufficient-scope' | 'realm-not-found'
      | 'body-too-large' | 'unsupported-media-type' | 'idempotency-key-reused' | 'answer-erased'
      | 'realm-archived' | 'outcome-unknown' | 'person-not-found';
  };
  /** Remove a person. */
  removePerson: {
    path: { realmID: string; personID: string };
    fields: {
      /** `true` also erases the name, here and in the journal. */
      erase?: boolean | undefined;
    };
    answer: void;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'outcome-unknown' | 'person-not-found';
  };
  /** Invite a person again. */
  invitePerson: {
    path: { realmID: string; personID: string };
    fields: Record<never, never>;
    answer: InvitedPerson;
    problem:
      | CommonProblem | 'forbidden' | 'insufficient-scope' | 'realm-not-found' | 'body-too-large'
      | 'idempotency-key-reused' | 'answer-erased' | 'realm-archived' | 'outcome-unknown'
      | 'person-not-found';
  };
  /** Invite an owner. */
  createOwner: {
    path: Record<never, never>;
    fields: CreateOwnerBody;
    answer: InvitedPerson;
    problem:
      | CommonProblem | 'malformed-json' | 'insufficient-scope' | 'body-too-large'
      | 'unsupported-media-type' | 'idempotency-key-reused'
      | 'outcome-unknown';
  };
  /** List owners. */
  listOwners: {
    path: Record<never, never>;
    fields: Record<never, never>;
    answer: PersonList;
    problem: CommonProblem | 'insufficient-scope';
  };
  /** Rename an owner. */
  updateOwner: {
    path: { personID: string };
    fields: UpdateOwnerBody;
    answer: Person;
    problem:
      | CommonProblem | 'malformed-json' | 'insufficient-scope' | 'body-too-large'
      | 'unsupported-media-type' | 'idempotency-key-reused' | 'outcome-unknown'
      | 'person-not-found';
  };
  /** Remove a person. */
  removeOwner: {
    path: { personID: string };
    fields: {
      /** `true` also erases the name, here and in the journal. */
      erase?: boolean | undefined;
    };
    answer: void;
    problem:
      | CommonProblem | 'insufficient-scope' | 'body-too-large' | 'outcome-unknown'
      | 'person-not-found' | 'last-owner';
  };
  /** Invite a person again. */
  inviteOwner: {
    path: { personID: string };
    fields: Record<never, never>;
    answer: InvitedPerson;
    problem:
      | CommonProblem | 'insufficient-scope' | 'body-too-large' | 'idempotency-key-reused'
      | 'outcome-unknown' | 'person-not-found';
  };
  /** Get a challenge for a passkey. */
  createChallenge: {
    path: Record<never, never>;
    fields: Record<never, never>;
    answer: PasskeyChallenge;
    problem: CommonProblem;
  };
  /** Add a passkey. */
  createPasskey: {
    path: Record<never, never>;
    fields: CreatePasskeyBody;
    answer: Passkey;
    problem:
      | CommonProblem | 'malformed-json' | 'person-required' | 'body-too-large'
      | 'unsupported-media-type' | 'session-ended' | 'console-header-missing'
      | 'limit-reached';
  };
  /** List passkeys. */
  listPasskeys: {
    path: Record<never, never>;
    fields: Record<never, never>;
    answer: PasskeyList;
    problem: CommonProblem | 'person-required' | 'session-ended' | 'console-header-missing';
  };
  /** Remove a passkey. */
  removePasskey: {
    path: { passkeyID: string };
    fields: Record<never, never>;
    answer: void;
    problem:
      | CommonProblem | 'person-required' | 'passkey-not-found' | 'session-ended'
      | 'console-header-missing' | 'last-passkey';
  };
  /** Sign in. */
  createSession: {
    path: Record<never, never>;
    fields: CreateSessionBody;
    answer: CurrentSession;
    problem:
      | CommonProblem | 'malformed-json' | 'body-too-large' | 'unsupported-media-type'
      | 'code-not-valid' | 'passkey-not-valid';
  };
  /** List sessions. */
  listSessions: {
    path: Record<never, never>;
    fields: {
      /** Whose sessions. An admin may ask for any person of the realm. */
      personId?: string | undefined;
    };
    answer: SessionList;
    problem: CommonProblem | 'session-ended' | 'console-header-missing' | 'person-not-found';
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
  createWalletLink: ['POST', '/api/v4/realms/{realmID}/members/{memberID}/wallet-link'],
  openWalletLink: ['POST', '/api/v4/wallet-links/open'],
  redeemWalletLink: ['POST', '/api/v4/wallet-links/redeem'],
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
  createOffer: ['POST', '/api/v4/realms/{realmID}/offers'],
  listOffers: ['GET', '/api/v4/realms/{realmID}/offers'],
  getOffer: ['GET', '/api/v4/realms/{realmID}/offers/{offerID}'],
  updateOffer: ['PATCH', '/api/v4/realms/{realmID}/offers/{offerID}'],
  claimOffer: ['POST', '/api/v4/realms/{realmID}/offers/{offerID}/claims'],
  drawOffer: ['POST', '/api/v4/realms/{realmID}/offers/{offerID}/draw'],
  listClaims: ['GET', '/api/v4/realms/{realmID}/claims'],
  memberClaims: ['GET', '/api/v4/realms/{realmID}/members/{memberID}/claims'],
  getClaim: ['GET', '/api/v4/realms/{realmID}/claims/{claimID}'],
  deliverClaim: ['POST', '/api/v4/realms/{realmID}/claims/{claimID}/deliver'],
  rejectClaim: ['POST', '/api/v4/realms/{realmID}/claims/{claimID}/reject'],
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
  getDelivery: ['GET', '/api/v4/realms/{realmID}/webhooks/{webhookID}/deliveries/{deliveryID}'],
  resendDelivery: [
    'POST',
    '/api/v4/realms/{realmID}/webhooks/{webhookID}/deliveries/{deliveryID}/resend',
  ],
  createRealm: ['POST', '/api/v4/realms'],
  listRealms: ['GET', '/api/v4/realms'],
  getRealm: ['GET', '/api/v4/realms/{realmID}'],
  getRealmSummary: ['GET', '/api/v4/realms/{realmID}/summary'],
  getDiscordStatus: ['GET', '/api/v4/realms/{realmID}/discord'],
  getActivity: ['GET', '/api/v4/realms/{realmID}/activity'],
  getAttention: ['GET', '/api/v4/realms/{realmID}/attention'],
  updateRealm: ['PATCH', '/api/v4/realms/{realmID}'],
  archiveRealm: ['POST', '/api/v4/realms/{realmID}/archive'],
  unarchiveRealm: ['POST', '/api/v4/realms/{realmID}/unarchive'],
  deleteRealm: ['DELETE', '/api/v4/realms/{realmID}'],
  createKey: ['POST', '/api/v4/realms/{realmID}/keys'],
  listKeys: ['GET', '/api/v4/realms/{realmID}/keys'],
  rotateKey: ['POST', '/api/v4/realms/{realmID}/keys/{keyID}/rotate'],
  revokeKey: ['DELETE', '/api/v4/realms/{realmID}/keys/{keyID}'],
  createPerson: ['POST', '/api/v4/realms/{realmID}/people'],
  listPeople: ['GET', '/api/v4/realms/{realmID}/people'],
  updatePerson: ['PATCH', '/api/v4/realms/{realmID}/people/{personID}'],
  removePerson: ['DELETE', '/api/v4/realms/{realmID}/people/{personID}'],
  invitePerson: ['POST', '/api/v4/realms/{realmID}/people/{personID}/invitation'],
  createOwner: ['POST', '/api/v4/people'],
  listOwners: ['GET', '/api/v4/people'],
  updateOwner: ['PATCH', '/api/v4/people/{personID}'],
  removeOwner: ['DELETE', '/api/v4/people/{personID}'],
  inviteOwner: ['POST', '/api/v4/people/{personID}/invitation'],
  createChallenge: ['POST', '/api/v4/sessions/challenge'],
  createPasskey: ['POST', '/api/v4/passkeys'],
  listPasskeys: ['GET', '/api/v4/passkeys'],
  removePasskey: ['DELETE', '/api/v4/passkeys/{passkeyID}'],
  createSession: ['POST', '/api/v4/sessions'],
  listSessions: ['GET', '/api/v4/sessions'],
  getCurrentSession: ['GET', '/api/v4/sessions/current'],
  endSession: ['DELETE', '/api/v4/sessions/{sessionID}'],
} as const satisfies Record<OperationId, readonly [string, string]>;
