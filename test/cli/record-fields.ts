import type { Records, RecordType } from '../../src/domain/records.ts';

/** Whether each field is always present. */
type Fields<P> = { [F in keyof P]-?: Record<never, never> extends Pick<P, F> ? false : true };

const member = { memberId: true } as const;
const profile = {
  ...member,
  username: false,
  displayName: false,
  accounts: false,
  tags: false,
  note: false,
  metadata: false,
} as const;
const wallet = { ...member, address: true, chain: true } as const;
const amount = { ...member, tokens: true, realmPointId: true } as const;
const remarks = { description: false, reference: false, metadata: false } as const;
const change = { ...amount, ...remarks, newBalance: true, reason: false } as const;
const taken = {
  ...amount,
  newBalance: true,
  recipientId: false,
  recipientBalance: false,
  ...remarks,
} as const;
const asset = {
  id: true,
  chain: true,
  standard: true,
  contract: true,
  tokenId: true,
  symbol: true,
} as const;

const offer = {
  id: true,
  name: true,
  description: true,
  emoji: true,
  gives: true,
  costs: true,
  perMember: true,
  stock: true,
  opensAt: true,
  closesAt: true,
  requires: true,
  delivery: true,
  streak: true,
  isListed: true,
  metadata: true,
  archived: true,
} as const;
const maybe = <Field extends string>(fields: Record<Field, true>) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, false])) as Record<Field, false>;
const claim = { ...member, offerId: true, quantity: true } as const;
const claimPoints = {
  offerName: true,
  gave: true,
  cost: true,
  balances: true,
  reference: false,
} as const;

const webhook = { webhookId: true } as const;

/** The fields of every record. The compiler compares them with the declared payloads. */
export const recordFields: { [T in RecordType]: Fields<Records[T]> } = {
  'realm.created': { name: true, settings: true, points: true },
  'realm.updated': { name: false, settings: false, changed: false },
  'realm.archived': {},
  'realm.unarchived': {},
  'realm.deleted': {},
  'key.created': { keyId: true, name: true, scopes: true, expiresAt: true },
  'key.rotated': { keyId: true, newKeyId: true, overlapUntil: true, name: false },
  'key.revoked': { keyId: true, name: false },
  'person.invited': { personId: true, name: true, role: true },
  'person.updated': { personId: true, name: false, role: false },
  'person.removed': { personId: true },
  'person.erased': { personId: true },
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
  'webhook.created': { ...webhook, origin: true, types: true, description: true },
  'webhook.updated': { ...webhook, origin: false, types: false, description: false },
  'webhook.paused': { ...webhook, reason: true },
  'webhook.resumed': webhook,
  'webhook.rotated': { ...webhook, overlapUntil: true },
  'webhook.replayed': { ...webhook, fromSeq: true },
  'webhook.deleted': webhook,
  'member.created': profile,
  'member.updated': profile,
  'member.frozen': { memberId: true },
  'member.unfrozen': { memberId: true },
  'member.removed': { memberId: true, wallets: false, accounts: false },
  'member.erased': { memberId: true },
  'wallet.linked': { ...wallet, primary: true },
  'wallet.verified': { ...wallet, verifiedOn: true, message: true, signature: true },
  'wallet.unlinked': { ...wallet, newPrimary: false },
  'points.held': { ...amount, ...remarks, expiresAt: true },
  'points.released': { ...amount, holdId: true, expiredAt: false },
  'points.opened': { ...amount, newBalance: true, description: false },
  'points.added': change,
  'points.subtracted': change,
  'points.transferred': {
    ...amount,
    recipientId: true,
    senderBalance: true,
    recipientBalance: true,
    ...remarks,
  },
  'points.captured': { ...taken, holdId: true },
  'points.reversed': {
    ...taken,
    reversalOf: true,
    reversedType: true,
    originalTokens: false,
    originalDescription: false,
  },
  'offer.created': offer,
  'offer.updated': { ...maybe(offer), id: true },
  'offer.claimed': {
    ...claim,
    ...claimPoints,
    metadata: false,
    status: true,
    period: true,
    day: true,
    streak: true,
  },
  'offer.drawn': {
    offerId: true,
    winners: true,
    seed: true,
    tickets: true,
    listHash: true,
    method: true,
  },
  'claim.delivered': { ...claim, claimId: true },
  'claim.rejected': { ...claim, ...claimPoints, claimId: true },
};
