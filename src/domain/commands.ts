import type {
  Account,
  Address,
  ApiKey,
  Asset,
  Hold,
  Member,
  MemberStatus,
  PointKind,
  Realm,
  RealmSettings,
  Scope,
  Wallet,
} from './model.ts';
import type { Refusal } from './refusal.ts';

/** What a caller promised about a retry: the same key with the same request has one effect. */
export interface Idempotency {
  key: string;
  /** Of what was asked: the same whenever the same is asked. */
  fingerprint: string;
}

/** What every command carries besides its own words. */
export interface Envelope {
  realmId: string;
  /** Who asks: `root`, `cli`, or `key:<public id>`. */
  actor: string;
  idempotency: Idempotency | null;
}

/** The public half of a freshly made key; the secret half goes to the caller alone. */
export interface NewKey {
  id: string;
  secretHash: string;
}

export interface MemberFields {
  username?: string | null;
  displayName?: string | null;
  accounts?: Account[];
  metadata?: string;
}

/** A signed challenge. Whether the signature fits was found out before: rules do no I/O. */
export interface Proof {
  message: string;
  signature: string;
  check: SignatureCheck;
}

/**
 * Who signed. A key is the same on every chain; a contract signs for its address on the chain that
 * was asked, where alone it is known to be. Unavailable: only a chain could tell, and it does not.
 */
export type SignatureCheck = 'by-key' | 'by-contract' | 'no' | 'unavailable';

export interface PointsEntry {
  memberId: string;
  tokens: number;
  realmPointId: string | null;
  description: string | null;
}

/** Every command by its name: what it says and what its acceptance answers. */
export interface Commands {
  'realm.create': [{ name: string; settings: Partial<RealmSettings> }, Realm];
  'realm.update': [{ name?: string; settings?: Partial<RealmSettings> }, Realm];
  'key.create': [
    { newKey: NewKey; name: string; scopes: Scope[]; expiresAt: number | null },
    ApiKey,
  ];
  'key.rotate': [{ keyId: string; newKey: NewKey; overlapSeconds: number }, ApiKey];
  'key.revoke': [{ keyId: string }, null];
  'member.create': [{ memberId: string | null; fields: MemberFields; wallets: Address[] }, Member];
  'member.update': [
    { memberId: string; fields: MemberFields; status?: Exclude<MemberStatus, 'removed'> },
    Member,
  ];
  'member.remove': [{ memberId: string; forfeit: boolean }, null];
  'wallet.challenge': [
    /** `serviceUrl` stands in where the realm names no page of its own. */
    { memberId: string; wallet: Address; network: string; nonce: string; serviceUrl: string },
    { message: string; expiresAt: number },
  ];
  'wallet.link': [
    { memberId: string; wallet: Address; primary: boolean; proof: Proof | null },
    Wallet,
  ];
  'wallet.unlink': [{ memberId: string; walletKey: string; address: string }, null];
  'points.change': [PointsEntry, PointsChanged];
  'points.transfer': [PointsEntry & { recipientId: string }, PointsTransferred];
  'points.batch': [{ atomic: boolean; entries: PointsEntry[] }, BatchEntryOutcome[]];
  'points.reverse': [
    { transactionId: number; tokens: number | null; description: string | null; force: boolean },
    PointsReversed,
  ];
  'kind.create': [{ kind: PointKind }, PointKind];
  'kind.update': [{ realmPointId: string; changes: Partial<Omit<PointKind, 'id'>> }, PointKind];
  'asset.create': [{ asset: Asset }, Asset];
  'asset.delete': [{ assetId: string }, null];
  'hold.create': [PointsEntry & { expiresInSeconds: number }, Hold];
  'hold.capture': [
    { holdId: number; tokens: number | null; recipientId: string | null },
    PointsCaptured,
  ];
  'hold.release': [{ holdId: number }, Hold];
  /** The service's own: notes in the journal what time alone has already done. */
  'hold.expire': [{ holdId: number }, Hold];
}

export interface PointsChanged {
  transactionId: number;
  memberId: string;
  realmPointId: string;
  newBalance: number;
}

export interface PointsTransferred {
  transactionId: number;
  memberId: string;
  recipientId: string;
  tokens: number;
  realmPointId: string;
  senderBalance: number;
  recipientBalance: number;
}

export interface PointsReversed {
  transactionId: number;
  reversalOf: number;
  memberId: string;
  tokens: number;
  realmPointId: string;
  newBalance: number;
  recipientId?: string;
  recipientBalance?: number;
}

export interface PointsCaptured {
  transactionId: number;
  hold: Hold;
  tokens: number;
  newBalance: number;
  recipientId?: string;
  recipientBalance?: number;
}

export type BatchEntryOutcome =
  | { memberId: string; newBalance: number; transactionId: number }
  | { memberId: string; refusal: Refusal };

export type CommandName = keyof Commands;
export type CommandOf<N extends CommandName> = Envelope & { type: N } & Commands[N][0];
export type Command = { [N in CommandName]: CommandOf<N> }[CommandName];
export type AnswerTo<N extends CommandName> = Commands[N][1];

/** What became of one command. */
export type Outcome<A = unknown> =
  | { answer: A; replayed: boolean }
  | { refusal: Refusal }
  /** Our own fault, for the log; the caller learns only that it was ours. */
  | { fault: string };
