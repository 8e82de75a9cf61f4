import type { Records, RecordType } from '../../src/domain/records.ts';

/** Whether each field is always present. */
type Fields<P> = { [F in keyof P]-?: Record<never, never> extends Pick<P, F> ? false : true };

const member = { memberId: true } as const;
const profile = {
  ...member,
  username: false,
  displayName: false,
  accounts: false,
  metadata: false,
} as const;
const wallet = { ...member, address: true, chain: true } as const;
const amount = { ...member, tokens: true, realmPointId: true } as const;
const change = { ...amount, newBalance: true, description: false, reason: false } as const;
const taken = {
  ...amount,
  newBalance: true,
  recipientId: false,
  recipientBalance: false,
  description: false,
} as const;
const asset = {
  id: true,
  chain: true,
  standard: true,
  contract: true,
  tokenId: true,
  symbol: true,
} as const;

/** The fields of every record. The compiler compares them with the declared payloads. */
export const recordFields: { [T in RecordType]: Fields<Records[T]> } = {
  'realm.created': { name: true, settings: true, points: true },
  'realm.updated': { name: false, settings: false },
  'realm.archived': {},
  'realm.unarchived': {},
  'realm.deleted': {},
  'key.created': { keyId: true, name: true, scopes: true, expiresAt: true },
  'key.rotated': { keyId: true, newKeyId: true, overlapUntil: true },
  'key.revoked': { keyId: true },
  'point.created': {
    id: true,
    name: true,
    symbol: true,
    isDefault: true,
    isTransferable: true,
    minimumBalance: true,
    maximumBalance: true,
    archived: true,
  },
  'point.updated': {
    id: true,
    name: false,
    symbol: false,
    isDefault: false,
    isTransferable: false,
    minimumBalance: false,
    maximumBalance: false,
    archived: false,
  },
  'asset.created': asset,
  'asset.deleted': asset,
  'member.created': profile,
  'member.updated': profile,
  'member.frozen': { memberId: true },
  'member.unfrozen': { memberId: true },
  'member.removed': { memberId: true, wallets: false, accounts: false },
  'wallet.linked': { ...wallet, primary: true },
  'wallet.verified': { ...wallet, verifiedOn: true, message: true, signature: true },
  'wallet.unlinked': { ...wallet, newPrimary: false },
  'points.held': { ...amount, expiresAt: true, description: false },
  'points.released': { ...amount, holdId: true, expiredAt: false },
  'points.opened': { ...amount, newBalance: true, description: false },
  'points.added': change,
  'points.subtracted': change,
  'points.transferred': {
    ...amount,
    recipientId: true,
    senderBalance: true,
    recipientBalance: true,
    description: false,
  },
  'points.captured': { ...taken, holdId: true },
  'points.reversed': { ...taken, reversalOf: true, reversedType: true },
};

/** What each type reports, as docs/journal.md says it. */
export const recordTypes: Record<RecordType, string> = {
  'realm.created': 'The realm was created with its first kinds of points.',
  'realm.updated': "The realm's name or settings changed.",
  'realm.archived': 'The realm became read only.',
  'realm.unarchived': 'The realm can be changed again.',
  'realm.deleted': 'The realm was deleted; this record and all others are removed soon after.',
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
  'points.opened': 'A new member brought points along.',
  'points.added': 'Points were credited to a member.',
  'points.subtracted': 'Points were debited from a member.',
  'points.transferred': 'A member sent points to another.',
  'points.captured': 'Held points were spent, or paid to a recipient.',
  'points.reversed': 'An earlier movement was reversed, in full or in part.',
};
