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
import type { Amounts, ClaimStatus, Drawn, OfferTerms } from './offer.ts';
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
export interface Records {
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

/** A claim has the name of its offer in place of a description. */
type Said = Omit<Remarks, 'description'>;

interface ClaimPoints {
  gave: Amounts;
  cost: Amounts;
  /** Of the kinds of points that were touched, afterwards. */
  balances: Amounts;
}

interface ClaimPayload extends ClaimPoints {
  memberId: string;
  offerId: string;
  /** As it was then. */
  offerName: string;
  quantity: number;
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

type TypeOfAmount = { [T in RecordType]: Records[T] extends Amount ? T : never }[RecordType];
/** The types of records that move points of one kind. Holds move none. */
export type PointsType = Exclude<TypeOfAmount, 'points.held' | 'points.released'>;

export type RecordOf<T extends RecordType = RecordType> = {
  [K in T]: { seq: number; type: K; data: Records[K] & Common };
}[T];

export interface InstantRecord {
  record: RecordOf;
  at: number;
}

export interface EncodedRecord extends PersonalPart {
  seq: number;
  type: string;
  data: string;
}

/** Other types are not parsed: a later version may know them alone. */
export function decodeRecord<T extends RecordType>(
  record: EncodedRecord,
  types: readonly T[],
): RecordOf<T> | null {
  const type = types.find((each) => each === record.type);
  return type === undefined ? null : { seq: record.seq, type, data: JSON.parse(wholeData(record)) };
}
