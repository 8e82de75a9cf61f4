import type {
  Account,
  Asset,
  Chain,
  PointKind,
  Profile,
  RealmSettings,
  Remarks,
  Scope,
} from './model.ts';
import type { OfferRecords } from './offer-records.ts';
import type { RealmRole } from './person.ts';
import type { PauseReason, WebhookDetails, WebhookPayload } from './webhook.ts';

/**
 * The journal's records: the payload of each type, as the event feed shows it. Records are never
 * rewritten, so a payload may gain optional fields, but none is renamed or removed. Only what they
 * say of a person can be erased.
 * Instants are ISO 8601 texts, and `tokens` is positive: the type gives the direction. Only those
 * of an opening balance, and hence of its reversals, may be negative. Every type has `occurredAt`
 * as well, see `RecordOf`.
 */
export interface Records extends OfferRecords {
  'realm.created': { name: string; settings: RealmSettings; points: PointKind[] };
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
  'point.created': PointKind;
  'point.updated': Pick<PointKind, 'id'> & Partial<PointKind>;
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
}

type NoPayload = Record<never, never>;

interface MemberPayload extends Partial<Profile> {
  memberId: string;
}

interface WalletPayload {
  memberId: string;
  address: string;
  chain: Chain;
}

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

export type RecordType = keyof Records;

interface Common {
  /** For whom the actor did it, in the caller's words. Of a record without a member, public. */
  onBehalfOf?: string;
  /** Its true instant, if the journal was ahead of the clock when the record was written. */
  occurredAt?: string;
  /** Its personal fields were erased; of those, even the required ones are missing. */
  erased?: true;
}

type FieldOf<P> = P extends { memberId: string } | { personId: string } ? keyof P : never;

/**
 * Whether a field is public, in records that name a member or a person. All others make up the
 * personal part, which is erased with whomever the record names: a description may be about either.
 * Those of a profile are always personal. The compiler asks about others; a name means one thing.
 */
const IS_PUBLIC: Record<
  Exclude<FieldOf<Records[RecordType]>, keyof Profile> | 'occurredAt' | 'onBehalfOf',
  boolean
> = {
  occurredAt: true,
  onBehalfOf: false,
  memberId: true,
  personId: true,
  recipientId: true,
  tokens: true,
  realmPointId: true,
  newBalance: true,
  senderBalance: true,
  recipientBalance: true,
  holdId: true,
  expiresAt: true,
  expiredAt: true,
  reversalOf: true,
  reversedType: true,
  originalTokens: true,
  reason: true,
  role: true,
  chain: true,
  primary: true,
  verifiedOn: true,
  name: false,
  address: false,
  wallets: false,
  newPrimary: false,
  message: false,
  signature: false,
  description: false,
  reference: false,
  originalDescription: false,
  offerId: true,
  offerName: true,
  claimId: true,
  quantity: true,
  gave: true,
  cost: true,
  balances: true,
  status: true,
  period: true,
  day: true,
  streak: true,
};

/** The fields that stay in a record when a member that it names is erased. */
export const PUBLIC_FIELDS: ReadonlySet<string> = new Set(
  Object.entries(IS_PUBLIC).flatMap(([name, isPublic]) => (isPublic ? [name] : [])),
);

/**
 * The personal part of a record: the fields that are about a person. They are stored beside the
 * record as the text of a JSON object that starts with a random salt, and the record's hash covers
 * only the hash of that text. So the text can be erased, and the record still proves itself.
 */
export interface PersonalPart {
  /** Null if the record has none, or if it was erased. */
  personal: string | null;
  /** The SHA-256 of the text in hexadecimal; null if the record has no personal part. */
  personalHash: string | null;
}

export const NO_PERSONAL_PART: PersonalPart = { personal: null, personalHash: null };

/** The data of a record as callers see it: a JSON object with its personal part, or `erased`. */
export function wholeData(record: PersonalPart & { data: string }): string {
  const { data, personal, personalHash } = record;
  if (personal === null && personalHash === null) return data;
  // The salt has no comma, and every record with a personal part names its member.
  const fields = personal === null ? '"erased":true}' : personal.slice(personal.indexOf(',') + 1);
  return `${data.slice(0, -1)},${fields}`;
}

/** The types of records that move points: every balance is the sum of these. Holds move none. */
export type MovementType = PointsType | ClaimType;
/** Those of one kind of points. */
type PointsType = Exclude<TypeOfAmount, 'points.held' | 'points.released'>;
/** Those of a claim, which gives and costs points of several kinds at once, or of none. */
export const CLAIM_TYPES = ['offer.claimed', 'claim.rejected'] as const;
type ClaimType = (typeof CLAIM_TYPES)[number];
type TypeOfAmount = { [T in RecordType]: Records[T] extends Amount ? T : never }[RecordType];

/** What movements of a type do. The compiler asks about a new one. */
interface Effect {
  /** Whether the points are added to the balance of the member, or else subtracted from it. */
  isCredit: boolean;
  /** Whether leaderboards count them as earned. */
  isEarned: boolean;
  /** The total of the realm that they are added to, unless they go to a recipient. */
  total: 'issued' | 'spent' | 'opened' | null;
}

/**
 * A reversal does the opposite of what it reverses. What a claim gives is issued and earned, and
 * what it costs is spent; its rejection takes both back.
 */
export const MOVEMENTS: Record<Exclude<PointsType, 'points.reversed'>, Effect> = {
  'points.opened': { isCredit: true, isEarned: false, total: 'opened' },
  'points.added': { isCredit: true, isEarned: true, total: 'issued' },
  'points.subtracted': { isCredit: false, isEarned: false, total: 'spent' },
  'points.transferred': { isCredit: false, isEarned: false, total: null },
  'points.captured': { isCredit: false, isEarned: false, total: 'spent' },
};

export const POINTS_TYPES = [...Object.keys(MOVEMENTS), 'points.reversed'] as PointsType[];
export const MOVEMENT_TYPES: MovementType[] = [...POINTS_TYPES, ...CLAIM_TYPES];

/** A decoded record of one of these types; of any type by default. */
export type RecordOf<T extends RecordType = RecordType> = {
  [K in T]: { seq: number; type: K; data: Records[K] & Common };
}[T];

/** A record, and the instant that the journal says. */
export interface InstantRecord {
  record: RecordOf;
  at: number;
}

export type Movement = RecordOf<MovementType>;

export const isMovement = <R extends RecordOf>(
  record: R,
): record is Extract<R, { type: MovementType }> =>
  MOVEMENT_TYPES.some((type) => type === record.type);

export type ClaimMovement = RecordOf<ClaimType>;
export type PointsMovement = RecordOf<PointsType>;

export const isClaim = (movement: Movement): movement is ClaimMovement =>
  CLAIM_TYPES.some((type) => type === movement.type);

/** What a movement did, or undid if it is a reversal. */
export const effectOf = ({ type, data }: PointsMovement): Effect =>
  MOVEMENTS[type === 'points.reversed' ? data.reversedType : type];

/**
 * Decodes a stored record if it is of one of these types. The others are not parsed: they may be of
 * a type that only a later version knows.
 */
export function decodeRecord<T extends RecordType>(
  record: { seq: number; type: string; data: string } & PersonalPart,
  types: readonly T[],
): RecordOf<T> | null {
  const type = types.find((each) => each === record.type);
  return type === undefined ? null : { seq: record.seq, type, data: JSON.parse(wholeData(record)) };
}

export const movementOf = (
  record: { seq: number; type: string; data: string } & PersonalPart,
): Movement | null => decodeRecord(record, MOVEMENT_TYPES);
