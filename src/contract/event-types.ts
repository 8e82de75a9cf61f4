import type { Records, RecordType } from '../domain/records.ts';

/** A type of event, as the documents show it: what it reports, and the data of one event. */
interface EventType<T extends RecordType> {
  summary: string;
  example: Records[T];
}

const points = {
  id: 'points',
  name: 'Points',
  symbol: null,
  isDefault: true,
  isTransferable: true,
  minimumBalance: 0,
  maximumBalance: 9007199254740991,
  archived: false,
};

const settings = {
  autoEnroll: false,
  transfers: true,
  maxTokensPerRequest: null,
  rateLimit: null,
  siteUrl: null,
};

const asset = {
  id: 'founders-pass',
  chain: 'eip155:1',
  standard: 'erc721' as const,
  contract: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  tokenId: null,
  symbol: 'PASS',
};

const webhook = { webhookId: 'x8Pq31LtVn4d' };

const [ALICE, BOB] = ['80351110224678912', '175928847299117063'];
const account = { provider: 'discord', id: ALICE };
const wallet = {
  memberId: ALICE,
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  chain: 'eip155' as const,
};
const ofAlice = (tokens: number) => ({ memberId: ALICE, tokens, realmPointId: 'points' });

/** Every type of event. Those that realms have are the types of their journals' records. */
export const eventTypes: { [T in RecordType]: EventType<T> } = {
  'realm.created': {
    summary: 'The realm was created with its first kinds of points.',
    example: { name: 'Acme', settings, points: [points] },
  },
  'realm.updated': {
    summary: "The realm's name or settings changed.",
    example: { name: 'Acme', settings: { ...settings, autoEnroll: true } },
  },
  'realm.archived': { summary: 'The realm became read only.', example: {} },
  'realm.unarchived': { summary: 'The realm can be changed again.', example: {} },
  'realm.deleted': {
    summary: 'The realm was deleted; this record and all others are removed soon after.',
    example: {},
  },
  'key.created': {
    summary: 'An API key was created.',
    example: { keyId: 'k3Jx81PzQw2m', name: 'quest bot', scopes: ['write'], expiresAt: null },
  },
  'key.rotated': {
    summary: 'An API key was replaced by a new one.',
    example: {
      keyId: 'k3Jx81PzQw2m',
      newKeyId: 'q7Lm20RtYb5c',
      overlapUntil: '2026-11-14T10:30:00.000Z',
    },
  },
  'key.revoked': { summary: 'An API key was revoked.', example: { keyId: 'k3Jx81PzQw2m' } },
  'point.created': {
    summary: 'A kind of points was created.',
    example: { ...points, id: 'gems', name: 'Gems', symbol: '◆', isDefault: false },
  },
  'point.updated': {
    summary: 'A kind of points changed.',
    example: { id: 'gems', symbol: null, archived: true },
  },
  'asset.created': { summary: 'A token contract was registered as an asset.', example: asset },
  'asset.deleted': { summary: 'An asset was deleted.', example: asset },
  'webhook.created': {
    summary: 'A webhook was created.',
    example: { ...webhook, origin: 'https://bot.acme.example', types: [], description: null },
  },
  'webhook.updated': {
    summary: 'The URL, types or description of a webhook changed.',
    example: { ...webhook, types: ['points.*'] },
  },
  'webhook.paused': {
    summary: 'A webhook was paused, by an admin or by the service.',
    example: { ...webhook, reason: 'failing' },
  },
  'webhook.resumed': { summary: 'A webhook was resumed.', example: webhook },
  'webhook.rotated': {
    summary: 'The secret of a webhook was replaced by a new one.',
    example: { ...webhook, overlapUntil: '2026-11-15T09:30:00.000Z' },
  },
  'webhook.replayed': {
    summary: 'A webhook was told to send events again.',
    example: { ...webhook, fromSeq: 900 },
  },
  'webhook.deleted': { summary: 'A webhook was deleted.', example: webhook },
  'member.created': {
    summary: 'A member was enrolled.',
    example: {
      memberId: ALICE,
      username: 'alice',
      displayName: 'Alice',
      accounts: [{ ...account, username: 'alice' }],
      metadata: { tier: 'gold' },
    },
  },
  'member.updated': {
    summary: "A member's profile changed.",
    example: { memberId: ALICE, displayName: null },
  },
  'member.frozen': { summary: 'A member was frozen.', example: { memberId: ALICE } },
  'member.unfrozen': { summary: 'A member was unfrozen.', example: { memberId: ALICE } },
  'member.removed': {
    summary: 'A member was removed.',
    example: { memberId: ALICE, wallets: [wallet.address], accounts: [account] },
  },
  'member.erased': {
    summary: 'The personal parts of a member’s records were erased.',
    example: { memberId: ALICE },
  },
  'wallet.linked': {
    summary: 'A wallet was linked to a member, or became the primary one.',
    example: { ...wallet, primary: true },
  },
  'wallet.verified': {
    summary: 'A member proved ownership of a wallet by a signature.',
    example: {
      ...wallet,
      verifiedOn: null,
      message: 'acme.example wants you to sign in with your Ethereum account: …',
      signature: '0x9f3c…1b',
    },
  },
  'wallet.unlinked': {
    summary: 'A wallet was unlinked from a member.',
    example: { ...wallet, newPrimary: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' },
  },
  'points.held': {
    summary: 'Points were set aside by a hold.',
    example: { ...ofAlice(20), expiresAt: '2026-11-14T10:30:00.000Z', description: 'Order 7' },
  },
  'points.released': {
    summary: 'A hold ended, and its remaining points are available again.',
    example: { ...ofAlice(15), holdId: 990, expiredAt: '2026-11-14T10:30:00.000Z' },
  },
  'points.opened': {
    summary: 'A new member brought points along.',
    example: { ...ofAlice(500), newBalance: 500, description: 'Moved from the old bot' },
  },
  'points.added': {
    summary: 'Points were credited to a member.',
    example: { ...ofAlice(50), newBalance: 550, description: 'Quest reward' },
  },
  'points.subtracted': {
    summary: 'Points were debited from a member.',
    example: { ...ofAlice(30), newBalance: 520, description: 'A hat' },
  },
  'points.transferred': {
    summary: 'A member sent points to another.',
    example: {
      ...ofAlice(20),
      recipientId: BOB,
      senderBalance: 500,
      recipientBalance: 20,
      description: 'Thanks!',
    },
  },
  'points.captured': {
    summary: 'Held points were spent, or paid to a recipient.',
    example: {
      ...ofAlice(5),
      holdId: 990,
      newBalance: 495,
      recipientId: BOB,
      recipientBalance: 25,
      description: 'Order 7',
    },
  },
  'points.reversed': {
    summary: 'An earlier movement was reversed, in full or in part.',
    example: {
      ...ofAlice(20),
      reversalOf: 982,
      reversedType: 'points.transferred',
      newBalance: 515,
      recipientId: BOB,
      recipientBalance: 5,
      description: 'Sorry',
    },
  },
};
