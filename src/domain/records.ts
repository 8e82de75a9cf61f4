import type { Account, Asset, Chain, PointKind, RealmSettings, Scope } from './model.ts';

/**
 * The journal's records: the payload of each type, as the event feed and exports show it. Records
 * are never rewritten, so a payload may gain optional fields, but none is renamed or removed.
 * Instants are ISO 8601 texts, and `tokens` is positive: the type gives the direction.
 */
export interface Records extends Movements {
  'realm.created': { name: string; settings: RealmSettings; points: PointKind[] };
  'realm.updated': { name?: string; settings?: RealmSettings };
  'key.created': { keyId: string; name: string; scopes: Scope[]; expiresAt: string | null };
  'key.rotated': { keyId: string; newKeyId: string; overlapUntil: string };
  'key.revoked': { keyId: string };
  'point.created': PointKind;
  'point.updated': Pick<PointKind, 'id'> & Partial<PointKind>;
  'asset.created': Asset;
  'asset.deleted': Asset;
  'member.created': MemberPayload;
  'member.updated': MemberPayload;
  'member.frozen': { memberId: string };
  'member.unfrozen': { memberId: string };
  'member.removed': {
    memberId: string;
    wallets?: string[];
    accounts?: Pick<Account, 'provider' | 'id'>[];
  };
  'wallet.linked': WalletPayload & { primary: boolean };
  'wallet.verified': WalletPayload & {
    verifiedOn: string | null;
    message: string;
    signature: string;
  };
  'wallet.unlinked': WalletPayload & { newPrimary?: string };
  'points.held': Amount & { expiresAt: string; description?: string };
  'points.released': Amount & { holdId: number; expiredAt?: string };
}

/** The records that move points: every balance is the sum of these. */
export interface Movements {
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

interface MemberPayload {
  memberId: string;
  username?: string | null;
  displayName?: string | null;
  accounts?: Account[];
  metadata?: Record<string, unknown>;
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

interface ChangePayload extends Amount {
  newBalance: number;
  description?: string;
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

export type RecordType = keyof Records;
export type MovementType = keyof Movements;

/** A decoded record of one of these types; of any type by default. */
export type RecordOf<T extends RecordType = RecordType> = {
  [K in T]: { seq: number; type: K; data: Records[K] };
}[T];

export type Movement = RecordOf<MovementType>;

export const movementTypes = {
  'points.added': 'Points were credited to a member.',
  'points.subtracted': 'Points were debited from a member.',
  'points.transferred': 'A member sent points to another.',
  'points.captured': 'Held points were spent, or paid to a recipient.',
  'points.reversed': 'An earlier movement was reversed, in full or in part.',
} satisfies Record<MovementType, string>;

/** Every type with what it reports. */
export const recordTypes = {
  'realm.created': 'The realm was created with its first kind of points.',
  'realm.updated': "The realm's name or settings changed.",
  'key.created': 'An API key was created.',
  'key.rotated': 'An API key was replaced by a new one.',
  'key.revoked': 'An API key was revoked.',
  'point.created': 'A kind of points was created.',
  'point.updated': 'A kind of points changed.',
  'asset.created': 'A token contract was registered as an asset.',
  'asset.deleted': 'An asset was deleted.',
  'member.created': 'A member was enrolled.',
  'member.updated': "A member's profile changed.",
  'member.frozen': 'A member was frozen.',
  'member.unfrozen': 'A member was unfrozen.',
  'member.removed': 'A member was removed.',
  'wallet.linked': 'A wallet was linked to a member, or became the primary one.',
  'wallet.verified': 'A member proved ownership of a wallet by a signature.',
  'wallet.unlinked': 'A wallet was unlinked from a member.',
  'points.held': 'Points were set aside by a hold.',
  'points.released': 'A hold ended, and its remaining points are available again.',
  ...movementTypes,
} satisfies Record<RecordType, string>;

export const isMovement = <R extends RecordOf>(
  record: R,
): record is Extract<R, { type: MovementType }> => Object.hasOwn(movementTypes, record.type);

/**
 * Decodes a stored record if it is of one of these types. The others are not parsed: they may be of
 * a type that only a later version knows.
 */
export function decodeRecord<T extends RecordType>(
  { seq, type: stored, data }: { seq: number; type: string; data: string },
  types: readonly T[],
): RecordOf<T> | null {
  const type = types.find((each) => each === stored);
  return type === undefined ? null : { seq, type, data: JSON.parse(data) };
}
