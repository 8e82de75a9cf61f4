import { DEFAULT_SETTINGS, FIRST_KIND } from '../domain/model.ts';
import type { Records, RecordType } from '../domain/records.ts';
import { DRAW_METHOD } from '../domain/rules/draw.ts';
import { DEFAULT_TERMS } from '../domain/rules/offers.ts';
import { WALLET } from './schemas.ts';

/** A type of event, as the documents show it: what it reports, and the data of one event. */
const event = <Data>(summary: string, example: Data) => ({ summary, example });
type EventType<Data> = ReturnType<typeof event<Data>>;

const asset = {
  id: 'founders-pass',
  chain: 'eip155:1',
  standard: 'erc721' as const,
  contract: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  tokenId: null,
  symbol: 'PASS',
};

const webhook = { webhookId: 'x8Pq31LtVn4d' };

const daily = {
  name: 'Daily reward',
  ...DEFAULT_TERMS,
  gives: { points: 10 },
  perMember: { times: 1, period: 'day' as const },
  streak: { bonus: [0, 5, 10], graceDays: 0 },
};

const [ALICE, BOB] = ['80351110224678912', '175928847299117063'];
const account = { provider: 'discord', id: ALICE };
const wallet = {
  memberId: ALICE,
  address: WALLET,
  chain: 'eip155' as const,
};
const hat = { memberId: ALICE, offerId: 'hat', quantity: 1 };
const hatPoints = { offerName: 'A hat', gave: {}, cost: { points: 60 } };
const ofAlice = (tokens: number) => ({ memberId: ALICE, tokens, realmPointId: 'points' });

/** Every type of event. Those that realms have are the types of their journals' records. */
export const eventTypes: { [T in RecordType]: EventType<Records[T]> } = {
  'realm.created': event('The realm was created with its first kinds of points.', {
    name: 'Acme',
    settings: DEFAULT_SETTINGS,
    points: [FIRST_KIND],
  }),
  'realm.updated': event("The realm's name or settings changed.", {
    name: 'Acme',
    settings: { ...DEFAULT_SETTINGS, autoEnroll: true },
    changed: ['autoEnroll'],
  }),
  'realm.archived': event('The realm became read only.', {}),
  'realm.unarchived': event('The realm can be changed again.', {}),
  'realm.deleted': event(
    'The realm was deleted; this record and all others are removed soon after.',
    {},
  ),
  'key.created': event('An API key was created.', {
    keyId: 'k3Jx81PzQw2m',
    name: 'quest bot',
    scopes: ['write'],
    expiresAt: null,
  }),
  'key.rotated': event('An API key was replaced by a new one.', {
    keyId: 'k3Jx81PzQw2m',
    newKeyId: 'q7Lm20RtYb5c',
    overlapUntil: '2026-11-14T10:30:00.000Z',
    name: 'quest bot',
  }),
  'key.revoked': event('An API key was revoked.', { keyId: 'k3Jx81PzQw2m', name: 'quest bot' }),
  'person.invited': event('A person was invited, or got a new link.', {
    personId: 'pk3Jx81PzQw2m',
    name: 'Alice',
    role: 'manager',
  }),
  'person.updated': event('The name or role of a person changed.', {
    personId: 'pk3Jx81PzQw2m',
    role: 'admin',
  }),
  'person.removed': event('A person was removed, and can no longer sign in.', {
    personId: 'pk3Jx81PzQw2m',
  }),
  'person.erased': event('The name of a person was erased.', { personId: 'pk3Jx81PzQw2m' }),
  'point.created': event('A kind of points was created.', {
    ...FIRST_KIND,
    id: 'gems',
    name: 'Gems',
    symbol: '◆',
    isDefault: false,
  }),
  'point.updated': event('A kind of points changed.', { id: 'gems', symbol: null, archived: true }),
  'asset.created': event('A token contract was registered as an asset.', asset),
  'asset.deleted': event('An asset was deleted.', asset),
  'webhook.created': event('A webhook was created.', {
    ...webhook,
    origin: 'https://bot.acme.example',
    types: [],
    description: null,
  }),
  'webhook.updated': event('The URL, types or description of a webhook changed.', {
    ...webhook,
    types: ['points.*'],
  }),
  'webhook.paused': event('A webhook was paused, by an admin or by the service.', {
    ...webhook,
    reason: 'failing',
  }),
  'webhook.resumed': event('A webhook was resumed.', webhook),
  'webhook.rotated': event('The secret of a webhook was replaced by a new one.', {
    ...webhook,
    overlapUntil: '2026-11-15T09:30:00.000Z',
  }),
  'webhook.replayed': event('A webhook was told to send events again.', {
    ...webhook,
    fromSeq: 900,
  }),
  'webhook.deleted': event('A webhook was deleted.', webhook),
  'member.created': event('A member was enrolled.', {
    memberId: ALICE,
    username: 'alice',
    displayName: 'Alice',
    accounts: [{ ...account, username: 'alice' }],
    tags: ['vip'],
    note: null,
    metadata: { tier: 'gold' },
  }),
  'member.updated': event("A member's profile changed.", { memberId: ALICE, displayName: null }),
  'member.frozen': event('A member was frozen.', { memberId: ALICE }),
  'member.unfrozen': event('A member was unfrozen.', { memberId: ALICE }),
  'member.removed': event('A member was removed.', {
    memberId: ALICE,
    wallets: [wallet.address],
    accounts: [account],
  }),
  'member.erased': event('The personal parts of a member’s records were erased.', {
    memberId: ALICE,
  }),
  'wallet.linked': event('A wallet was linked to a member, or became the primary one.', {
    ...wallet,
    primary: true,
  }),
  'wallet.verified': event('A member proved ownership of a wallet by a signature.', {
    ...wallet,
    verifiedOn: null,
    message: 'acme.example wants you to sign in with your Ethereum account: …',
    signature: '0x9f3c…1b',
  }),
  'wallet.unlinked': event('A wallet was unlinked from a member.', {
    ...wallet,
    newPrimary: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  }),
  'points.held': event('Points were set aside by a hold.', {
    ...ofAlice(20),
    expiresAt: '2026-11-14T10:30:00.000Z',
    description: 'Order 7',
  }),
  'points.released': event('A hold ended, and its remaining points are available again.', {
    ...ofAlice(15),
    holdId: 990,
    expiredAt: '2026-11-14T10:30:00.000Z',
  }),
  'points.opened': event('A new member brought points along.', {
    ...ofAlice(500),
    newBalance: 500,
    description: 'Moved from the old bot',
  }),
  'points.added': event('Points were credited to a member.', {
    ...ofAlice(50),
    newBalance: 550,
    description: 'Quest reward',
  }),
  'points.subtracted': event('Points were debited from a member.', {
    ...ofAlice(30),
    newBalance: 520,
    description: 'A hat',
    reference: 'order-7',
    metadata: { item: 'hat' },
  }),
  'points.transferred': event('A member sent points to another.', {
    ...ofAlice(20),
    recipientId: BOB,
    senderBalance: 500,
    recipientBalance: 20,
    description: 'Thanks!',
  }),
  'points.captured': event('Held points were spent, or paid to a recipient.', {
    ...ofAlice(5),
    holdId: 990,
    newBalance: 495,
    recipientId: BOB,
    recipientBalance: 25,
    description: 'Order 7',
  }),
  'points.reversed': event('An earlier movement was reversed, in full or in part.', {
    ...ofAlice(20),
    reversalOf: 982,
    reversedType: 'points.transferred',
    originalTokens: 50,
    originalDescription: 'Thanks!',
    newBalance: 515,
    recipientId: BOB,
    recipientBalance: 5,
    description: 'Sorry',
  }),
  'offer.created': event('An offer was created.', { id: 'daily', ...daily }),
  'offer.updated': event('An offer changed, or was archived.', {
    id: 'daily',
    gives: { points: 20 },
  }),
  'offer.claimed': event('A member claimed an offer: points were given, spent, or both.', {
    ...hat,
    status: 'pending',
    ...hatPoints,
    balances: { points: 455 },
    period: null,
    day: '2026-11-14',
    streak: null,
    reference: 'order-8',
  }),
  'offer.drawn': event('Winners were drawn among those who claimed an offer.', {
    offerId: 'raffle',
    winners: [{ memberId: ALICE, claimId: 1010 }],
    seed: '0000000000000000000a1b2c',
    tickets: 120,
    listHash: '9f3c'.repeat(16),
    method: DRAW_METHOD,
  }),
  'claim.delivered': event('What a claim grants was delivered.', { ...hat, claimId: 1010 }),
  'claim.rejected': event('A claim was rejected, and its points moved back.', {
    ...hat,
    claimId: 1010,
    ...hatPoints,
    balances: { points: 515 },
    reference: 'order-8',
  }),
};
