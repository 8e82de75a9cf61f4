import type { Operation } from '../../src/contract/operation.ts';
import { type OperationId, operations } from '../../src/contract/operations.ts';
import { newBodyOf } from './new-bodies.ts';
import type { Reply, Sent, TestRealm, TestService } from './service.ts';
import { acceptInvitation, bySession } from './sessions.ts';

interface GoodRequest {
  query?: string;
  body?: unknown;
}

export const table = Object.entries(operations) as [OperationId, Operation][];

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** The member's first wallet. */
const LINKED = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';

/** Nobody listens there. */
const HOOK = 'http://127.0.0.1:1/hook';

/** One valid request for each operation, in a prepared realm. */
export const goodRequests: Record<OperationId, GoodRequest> = {
  getMember: {},
  getWeb3Member: {},
  checkWallets: { query: `?wallets=${WALLET},rubbish` },
  checkWalletsByPost: { body: { wallets: [WALLET] } },
  checkWalletsByQuery: { body: { wallets: [WALLET, WALLET] } },
  changePoints: { body: { tokens: -5, description: 'A fine', realmPointId: 'points' } },
  transferPoints: { body: { recipientId: 43, tokens: 5, description: 'Thanks' } },
  changeManyPoints: {
    body: {
      atomic: false,
      entries: [
        { memberId: 42, tokens: 5 },
        { memberId: '41', tokens: 5 },
      ],
    },
  },
  createMember: {
    body: { id: '9223372036854775807', username: 'max', metadata: { a: [1, null] } },
  },
  createMembers: {
    body: {
      description: 'Moved',
      atomic: false,
      members: [{ id: 50, username: 'eve', balances: { points: 5 } }, { metadata: {} }],
    },
  },
  putMember: { body: { id: 42, username: 'eve', wallets: [WALLET], metadata: { tier: 'new' } } },
  listMembers: { query: '?search=A&status=active&limit=1' },
  updateMember: { body: { status: 'frozen', username: null, accounts: [] } },
  removeMember: { query: '?forfeit=true' },
  linkWallet: { body: { address: WALLET.toLowerCase(), chain: 'eip155', primary: true } },
  challengeWallet: { body: { address: WALLET, chain: 'eip155:8453' } },
  createWalletLink: {},
  openWalletLink: { body: { code: 'rk_none', address: WALLET } },
  redeemWalletLink: {
    body: { code: 'rk_none', address: WALLET, message: 'Sign this', signature: '0x00' },
  },
  unlinkWallet: {},
  listAssets: {},
  createAsset: {
    body: {
      id: 'badge',
      chain: 'eip155:8453',
      standard: 'erc1155',
      contract: WALLET.toLowerCase(),
      tokenId: String(2n ** 256n - 1n),
      symbol: 'BADGE',
    },
  },
  deleteAsset: {},
  listKinds: {},
  createKind: {
    body: { id: 'stars', name: 'Stars', symbol: '★', minimumBalance: -5, isTransferable: false },
  },
  updateKind: { body: { name: 'Tokens', symbol: null, maximumBalance: 5_000 } },
  memberTransactions: { query: '?type=points.added&realmPointId=points&from=2020-01-01T00:00:00Z' },
  getBalanceHistory: { query: '?days=3' },
  getBalance: { query: '?at=2999-01-01T00:00:00Z' },
  listTransactions: { query: '?limit=1&to=2999-01-01T00:00:00Z' },
  getTransaction: {},
  reverseTransaction: { body: { tokens: 5, description: 'Sorry', force: true } },
  exportLogs: { query: '?limit=1000&before=999' },
  createHold: { body: { tokens: 5, expiresInSeconds: 60, description: 'Order 7' } },
  memberHolds: { query: '?status=open' },
  listHolds: { query: '?limit=1' },
  getHold: {},
  captureHold: { body: { tokens: 5, recipientId: 43 } },
  releaseHold: {},
  createOffer: {
    body: {
      id: 'weekly',
      name: 'Weekly reward',
      emoji: '🎁',
      description: null,
      gives: { points: 5 },
      costs: {},
      perMember: { times: 1, period: 'day' },
      opensAt: '2026-01-01T00:00:00Z',
      streak: { bonus: [1, 2] },
      metadata: { tier: 1 },
    },
  },
  listOffers: { query: '?status=open&limit=1' },
  getOffer: {},
  updateOffer: { body: { name: 'Daily', costs: {}, perMember: null, stock: 5 } },
  claimOffer: { body: { memberId: 42, quantity: 1, expectedCosts: {}, reference: 'r-1' } },
  drawOffer: { body: { winners: 1, seed: 'block 1' } },
  listClaims: { query: '?status=pending&offerId=quest&memberId=42&limit=1' },
  memberClaims: { query: '?status=pending' },
  getClaim: {},
  deliverClaim: {},
  rejectClaim: {},
  getLeaderboard: { query: '?window=day&realmPointId=points&limit=1' },
  getStanding: { query: '?window=all' },
  listEvents: { query: '?after=1&limit=2' },
  getEvent: {},
  verifyRealm: {},
  startVerification: {},
  getVerification: {},
  createWebhook: {
    body: { url: HOOK, types: ['points.*', 'member.created'], description: 'A bot' },
  },
  listWebhooks: {},
  getWebhook: {},
  updateWebhook: { body: { url: `${HOOK}/new`, types: null, description: null, paused: true } },
  deleteWebhook: {},
  rotateWebhook: { body: { overlapSeconds: 60 } },
  testWebhook: {},
  replayWebhook: { body: { fromSeq: 1 } },
  listDeliveries: {},
  getDelivery: {},
  resendDelivery: {},
  createRealm: {
    body: {
      id: 'brand-new',
      name: 'New',
      settings: { maxTokensPerRequest: 7 },
      points: [{ id: 'gold', name: 'Gold', symbol: 'G' }],
    },
  },
  listRealms: { query: '?limit=2' },
  getRealm: {},
  getRealmSummary: {},
  getActivity: { query: '?days=2&realmPointId=points&to=2999-01-01T00:00:00Z' },
  getAttention: {},
  getDiscordStatus: {},
  updateRealm: { body: { name: 'Renamed', settings: { rateLimit: { perSecond: 5, burst: 9 } } } },
  archiveRealm: {},
  unarchiveRealm: {},
  deleteRealm: { query: '?confirm={realmID}' },
  createKey: {
    body: { name: 'bot', scopes: ['read', 'write'], expiresAt: '2999-01-31T00:00:00+01:00' },
  },
  listKeys: {},
  rotateKey: { body: { overlapSeconds: 60 } },
  revokeKey: {},
  createPerson: { body: { name: 'Alice', role: 'manager' } },
  listPeople: { query: '?limit=1' },
  updatePerson: { body: { name: 'Bob', role: 'viewer' } },
  removePerson: { query: '?erase=true' },
  invitePerson: {},
  createOwner: { body: { name: 'Carol' } },
  listOwners: {},
  updateOwner: { body: { name: 'Carla' } },
  removeOwner: {},
  inviteOwner: {},
  createChallenge: {},
  // That of each attempt is another one, as of those with a code: see `newBodies`.
  createPasskey: { body: { clientDataJSON: 'e30', attestationObject: 'oA' } },
  listPasskeys: {},
  removePasskey: {},
  createSession: { body: {} },
  listSessions: {},
  getCurrentSession: {},
  endSession: {},
};

/** Of an attempt that has failed. */
const DELIVERY_ID = '1794821400000000';

const PASS = { id: 'pass', chain: 'eip155:1', standard: 'erc721', contract: WALLET };

const OFFERS = [
  { id: 'hat', name: 'A hat', gives: { points: 5 } },
  { id: 'quest', name: 'Quest', gives: { points: 5 }, delivery: 'manual' },
  { id: 'raffle', name: 'Raffle', costs: { points: 5 }, closesAt: '2026-01-01T00:00:00Z' },
];

/** A realm in which every valid request succeeds. */
interface Prepared {
  realm: TestRealm;
  spareKey: string;
  transactionId: number;
  holdId: number;
  claimId: number;
  verificationId: string;
  sessionId: string;
  webhookId: string;
  personId: string;
  ownerId: string;
  passkeyId: string;
  /** The cookie of the person, who is an admin. */
  person: Sent;
}

export async function prepare(service: TestService, id: string): Promise<Prepared> {
  const realm = await service.realm(id);
  await realm.member('42', 0, {
    username: 'alice',
    displayName: 'Alice',
    accounts: [{ provider: 'discord', id: '42' }],
    wallets: [LINKED],
    metadata: { tier: 'gold' },
  });
  await realm.member('43');
  await realm.expect(201, 'POST', '/assets', { body: PASS });
  const added = { body: { tokens: 1_000 } };
  const { transactionId } = (await realm.expect(200, 'PATCH', '/members/42/tokenBalance', added))
    .json;
  const held = { body: { tokens: 200 } };
  const { holdId } = (await realm.expect(201, 'POST', '/members/42/holds', held)).json;
  for (const offer of OFFERS) await realm.expect(201, 'POST', '/offers', { body: offer });
  const claim = { body: { memberId: '42' } };
  const { claimId } = (await realm.expect(201, 'POST', '/offers/quest/claims', claim)).json;
  const spareKey = await realm.issueKey(['read']);
  const { id: verificationId } = (await realm.expect(202, 'POST', '/verify')).json;
  const hook = { body: { url: HOOK, types: ['realm.updated'] } };
  const { id: webhookId } = (await realm.expect(201, 'POST', '/webhooks', hook)).json;
  await service.database.exec(
    `INSERT INTO webhook_deliveries
       (realm_id, webhook_id, delivery_id, seq, type, attempt, at, latency_ms)
     VALUES ('${id}', '${webhookId}', ${DELIVERY_ID}, 1, 'realm.created', 1, 0, 1)`,
  );
  const signIn = { key: realm.key };
  const { id: sessionId } = (await service.expect(201, 'POST', '/api/v4/sessions', signIn)).json;
  const ids = { webhookId, transactionId, holdId, claimId, verificationId, sessionId };
  return { realm, spareKey, ...ids, ...(await preparePeople(realm)) };
}

/** An owner, and an admin who is signed in and has two passkeys. */
async function preparePeople({ service, ...realm }: TestRealm) {
  const body = { name: 'Ada', role: 'admin' };
  const invited = await service.expect(201, 'POST', `/api/v4/realms/${realm.id}/people`, { body });
  const { id: personId, invitation } = invited.json;
  const owner = await service.expect(201, 'POST', '/api/v4/people', { body: { name: 'Olive' } });
  const person = bySession(await acceptInvitation(service, invitation));
  const passkeyId = `${personId}-1`;
  await service.database.exec(
    `INSERT INTO passkeys (passkey_id, person_id, public_key, counter, created_at)
     VALUES ('${passkeyId}', '${personId}', '', 0, 0), ('${personId}-2', '${personId}', '', 0, 1)`,
  );
  return { personId, ownerId: String(owner.json.id), passkeyId, person };
}

export function pathOf(operation: Operation, prepared: Prepared): string {
  return operation.path
    .replace('{realmID}', prepared.realm.id)
    .replace('{memberID}', '42')
    .replace('{realmPointId}', 'points')
    .replace('{assetId}', 'pass')
    .replace('{transactionID}', String(prepared.transactionId))
    .replace('{holdID}', String(prepared.holdId))
    .replace('{offerID}', operation.path.endsWith('/draw') ? 'raffle' : 'hat')
    .replace('{claimID}', String(prepared.claimId))
    .replace('{seq}', '1')
    .replace('{address}', LINKED)
    .replace('{webhookID}', prepared.webhookId)
    .replace('{deliveryID}', DELIVERY_ID)
    .replace('{verificationID}', prepared.verificationId)
    .replace('{personID}', operation.scope === 'root' ? prepared.ownerId : prepared.personId)
    .replace('{passkeyID}', prepared.passkeyId)
    .replace('{sessionID}', prepared.sessionId)
    .replace('{keyID}', keyIdOf(prepared.spareKey));
}

export const keyIdOf = (key: string): string => key.split('_')[1] ?? '';

/** Whether a call without a key is answered: a body, if it has one, has a code in place of it. */
export const isOpen = ({ keyOptional, body }: Operation): boolean =>
  keyOptional === true && (!body || `${Object(body).required}`.includes('code'));

/** Who may call an operation: by default the root key, or a person if only people may. */
export const callerOf = ({ ofPeople }: Operation, { person }: Prepared): Sent =>
  ofPeople ? person : {};

/** Sends an operation's valid request, by default by a caller who may. */
export async function sendGood(
  id: OperationId,
  prepared: Prepared,
  sent: Sent = callerOf(operations[id], prepared),
): Promise<Reply> {
  const operation: Operation = operations[id];
  const { query = '' } = goodRequests[id];
  const body = (await newBodyOf(id, prepared.realm, sent)) ?? goodRequests[id].body;
  const path = pathOf(operation, prepared) + query.replace('{realmID}', prepared.realm.id);
  return prepared.realm.service.send(operation.method, path, { body, ...sent });
}
