import { type OperationId, operations, type RealmHandle, Realmkeep } from '@realmkeep/client';
import { type Cases, collect, equal, fails, newRealmId } from './checks.ts';

/** A realm in the middle of the round: what earlier calls have made. */
interface World {
  client: Realmkeep;
  realm: RealmHandle;
  keyId: string;
  personId: string;
  transactionId: number;
  holdIds: number[];
  claimIds: number[];
  verificationId: string;
  sessionId: string;
  walletCode: string;
  webhookId: string;
}

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const PASS = { id: 'pass', chain: 'eip155:1', standard: 'erc721', contract: WALLET } as const;

const ORDER = {
  reference: 'order-7',
  metadata: { item: 'hat' },
  idempotencyKey: 'order-7-paid',
  onBehalfOf: 'discord:80351110224678912',
};

/** One call of each operation, in an order in which all of them succeed. */
const round: Record<OperationId, (world: World) => Promise<unknown>> = {
  createRealm: ({ client, realm }) => client.createRealm({ id: realm.id, name: 'A round' }),
  listRealms: async ({ client, realm }) => {
    const realms = await collect(client.realms({ limit: 500 }));
    equal(realms.filter(({ id }) => id === realm.id).length, 1);
  },
  getRealm: async ({ realm }) => equal((await realm.get()).name, 'A round'),
  updateRealm: ({ realm }) => realm.update({ settings: { autoEnroll: true } }),
  archiveRealm: ({ realm }) => realm.archive(),
  getDiscordStatus: async ({ realm }) => equal((await realm.discord()).state, 'off'),
  unarchiveRealm: ({ realm }) => realm.unarchive(),

  createKey: async (world) => {
    world.keyId = (await world.realm.createKey({ name: 'bot', scopes: ['write'] })).id;
  },
  listKeys: async ({ realm, keyId }) => equal((await realm.keys()).items[0]?.id, keyId),
  rotateKey: async (world) => {
    world.keyId = (await world.realm.key(world.keyId).rotate({ overlapSeconds: 0 })).id;
  },
  revokeKey: ({ realm, keyId }) => realm.key(keyId).revoke(),

  createPerson: async (world) => {
    const made = await world.realm.createPerson({ name: 'Ada', role: 'viewer' });
    world.personId = made.id;
  },
  listPeople: async ({ realm }) => equal((await collect(realm.people())).length, 1),
  updatePerson: async ({ realm, personId }) =>
    equal((await realm.person(personId).update({ role: 'admin' })).role, 'admin'),
  invitePerson: ({ realm, personId }) => realm.person(personId).invite(),
  removePerson: ({ realm, personId }) => realm.person(personId).remove({ erase: true }),
  createOwner: async (world) => {
    world.personId = (await world.client.createOwner({ name: 'Olive' })).id;
  },
  listOwners: async ({ client, personId }) => {
    const owners = await collect(client.owners());
    equal(owners.filter(({ id }) => id === personId).length, 1);
  },
  updateOwner: ({ client, personId }) => client.owner(personId).update({ name: 'Olga' }),
  inviteOwner: ({ client, personId }) => client.owner(personId).invite(),
  removeOwner: ({ client, personId }) => client.owner(personId).remove(),
  createChallenge: async ({ client }) => equal((await client.createChallenge()).rpId, 'localhost'),
  // A program has no passkeys.
  createPasskey: ({ client }) =>
    fails(
      client.createPasskey({ clientDataJSON: 'e30', attestationObject: 'oA' }),
      'person-required',
    ),
  listPasskeys: ({ client }) => fails(client.passkeys(), 'person-required'),
  removePasskey: ({ client }) => fails(client.removePasskey('none'), 'person-required'),

  createSession: async (world) => {
    world.sessionId = (await world.client.createSession()).id ?? '';
  },
  getCurrentSession: async ({ client }) => equal((await client.currentSession()).isRoot, true),
  listSessions: async ({ client, sessionId }) => {
    const sessions = await collect(client.sessions());
    equal(
      sessions.some(({ id }) => id === sessionId),
      true,
    );
  },
  endSession: ({ client, sessionId }) => client.endSession(sessionId),

  createMember: ({ realm }) => realm.createMember({ id: '42', username: 'alice' }),
  createMembers: async ({ realm }) => {
    const { results } = await realm.createMembers([{ id: 43n, balances: { points: 7 } }]);
    equal(results[0]?.opened?.[0]?.newBalance, 7);
  },
  putMember: ({ realm }) => realm.member('44').put({ username: 'carol' }),
  updateMember: ({ realm }) => realm.member('44').update({ displayName: null }),
  listMembers: async ({ realm }) => {
    const members = await collect(realm.members({ limit: 1 }));
    equal(
      members.map(({ id }) => id),
      ['42', '43', '44'],
    );
  },
  getMember: async ({ realm }) => equal((await realm.member('43').get()).tokenBalance, 7),
  removeMember: ({ realm }) => realm.member('44').remove({ forfeit: true }),

  challengeWallet: ({ realm }) => realm.member('42').challengeWallet(WALLET),
  linkWallet: ({ realm }) => realm.member('42').linkWallet(WALLET, { primary: true }),
  getWeb3Member: async ({ realm }) =>
    equal((await realm.member('42').web3()).wallets[0]?.address, WALLET),
  checkWallets: ({ client, realm }) =>
    client.call('checkWallets', { realmID: realm.id }, { wallets: [WALLET, 'none'] }),
  checkWalletsByPost: async ({ realm }) =>
    equal((await realm.includes([WALLET, 'none'])).results[1]?.included, false),
  checkWalletsByQuery: ({ client, realm }) =>
    client.call('checkWalletsByQuery', { realmID: realm.id }, { wallets: [WALLET] }),
  createWalletLink: async (world) => {
    const { url } = await world.realm.member('42').createWalletLink();
    world.walletCode = url?.split('#')[1] ?? '';
  },
  openWalletLink: async ({ client, walletCode: code }) =>
    equal((await client.openWalletLink({ code })).memberName, 'alice'),
  redeemWalletLink: ({ client, walletCode: code }) =>
    fails(
      client.redeemWalletLink({ code, address: WALLET, message: 'none', signature: '0x00' }),
      'challenge-not-found',
    ),
  unlinkWallet: ({ realm }) => realm.member('42').unlinkWallet(WALLET),

  createAsset: ({ realm }) => realm.createAsset(PASS),
  listAssets: async ({ realm }) => equal((await realm.assets()).items[0]?.id, 'pass'),
  deleteAsset: ({ realm }) => realm.asset('pass').delete(),
  createKind: ({ realm }) => realm.createKind({ id: 'gems', name: 'Gems' }),
  listKinds: async ({ realm }) => equal((await collect(realm.kinds())).length, 2),
  updateKind: ({ realm }) => realm.kind('gems').update({ symbol: '◆' }),

  changePoints: async (world) => {
    const added = await world.realm.member('42').add(100, { description: 'Quest reward' });
    const { newBalance } = await world.realm.member('42').subtract(10);
    equal([added.newBalance, newBalance], [100, 90]);
    world.transactionId = added.transactionId;
  },
  transferPoints: async ({ realm }) =>
    equal((await realm.member('42').transfer(43n, 20, ORDER)).recipientBalance, 27),
  changeManyPoints: ({ realm }) =>
    realm.batch([{ memberId: '42', tokens: 5 }], { description: 'Weekly' }),
  getTransaction: ({ realm, transactionId }) => realm.transaction(transactionId).get(),
  reverseTransaction: ({ realm, transactionId }) =>
    realm.transaction(transactionId).reverse({ tokens: 1 }),
  memberTransactions: async ({ realm }) =>
    equal((await collect(realm.member('42').transactions({ limit: 2 }))).length, 5),
  listTransactions: async ({ realm }) => {
    const { reference, idempotencyKey, onBehalfOf } = ORDER;
    for (const filter of [{ reference, from: new Date(0) }, { idempotencyKey }]) {
      const { items } = await realm.transactions(filter);
      equal(
        items.map((one) => [one.tokens, one.metadata, one.onBehalfOf]),
        [[-20, ORDER.metadata, onBehalfOf]],
      );
    }
  },
  exportLogs: async ({ realm }) => equal((await collect(realm.exportLogs({ limit: 2 }))).length, 6),
  getBalance: async ({ realm }) =>
    equal((await realm.member('42').balance({ at: new Date() })).tokenBalance, 74),

  getBalanceHistory: async ({ realm }) =>
    equal((await realm.member('42').balanceHistory({ days: 2 })).days.length, 2),
  getRealmSummary: ({ realm }) => realm.summary(),
  getActivity: async ({ realm }) => equal((await realm.activity({ days: 3 })).days.length, 3),
  // The key that was rotated has expired.
  getAttention: async ({ realm }) =>
    equal(
      (await realm.attention()).items.map(({ type }) => type),
      ['key-expiring'],
    ),

  createHold: async (world) => {
    const alice = world.realm.member('42');
    world.holdIds = [(await alice.hold(30)).holdId, (await alice.hold(5)).holdId];
  },
  getHold: async ({ realm, holdIds }) =>
    equal((await realm.hold(holdIds[0] ?? 0).get()).remaining, 30),
  memberHolds: async ({ realm }) => equal((await realm.member('42').holds()).items.length, 2),
  listHolds: async ({ realm }) =>
    equal((await collect(realm.holds({ status: 'open', limit: 1 }))).length, 2),
  captureHold: ({ realm, holdIds }) =>
    realm.hold(holdIds[0] ?? 0).capture({ tokens: 10, recipientId: '43' }),
  releaseHold: ({ realm, holdIds }) => realm.hold(holdIds[1] ?? 0).release(),

  createOffer: async ({ realm }) => {
    const offer = await realm.createOffer({ id: 'quest', name: 'Quest', delivery: 'manual' });
    equal([offer.status, offer.claimed, offer.stockLeft], ['open', 0, null]);
  },
  updateOffer: async ({ realm }) =>
    equal((await realm.offer('quest').update({ stock: 3 })).stockLeft, 3),
  claimOffer: async (world) => {
    const quest = world.realm.offer('quest');
    const one = await quest.claim(42n, { expectedCosts: {}, reference: 'proof-1' });
    const { claimId, status } = await quest.claim('43', { quantity: 2 });
    equal([one.status, one.reference, status], ['pending', 'proof-1', 'pending']);
    world.claimIds = [one.claimId, claimId];
    const more = await quest.claim('43').catch((error) => error.code);
    equal(more, 'offer-sold-out');
  },
  getOffer: async ({ realm }) => equal((await realm.offer('quest').get()).status, 'soldOut'),
  listOffers: async ({ realm }) =>
    equal((await collect(realm.offers({ status: 'soldOut' }))).length, 1),
  listClaims: async ({ realm }) => {
    equal((await collect(realm.claims({ status: 'pending', limit: 1 }))).length, 2);
    equal((await realm.offer('quest').claims()).items.length, 2);
  },
  memberClaims: async ({ realm, claimIds }) =>
    equal((await realm.member('42').claims()).items[0]?.claimId, claimIds[0]),
  getClaim: async ({ realm, claimIds }) =>
    equal((await realm.claim(claimIds[1] ?? 0).get()).quantity, 2),
  deliverClaim: async ({ realm, claimIds }) =>
    equal((await realm.claim(claimIds[0] ?? 0).deliver()).status, 'done'),
  rejectClaim: async ({ realm, claimIds }) =>
    equal((await realm.claim(claimIds[1] ?? 0).reject()).status, 'rejected'),
  drawOffer: async ({ realm, claimIds }) => {
    await realm.offer('quest').update({ archived: true });
    const { winners, tickets } = await realm.offer('quest').draw({ winners: 2, seed: 'block 1' });
    equal([winners, tickets], [[{ memberId: '42', claimId: claimIds[0] }], 1]);
  },

  getLeaderboard: async ({ realm }) => {
    equal((await realm.leaderboard({ window: 'week' })).members[0]?.id, '42');
    equal((await collect(realm.leaderboard({ limit: 1 }))).length, 2);
  },
  getStanding: async ({ realm }) => equal((await realm.member('43').rank()).rank, 2),
  listEvents: async ({ realm }) => {
    const events = await collect(realm.events({ limit: 7 }));
    equal(
      events.map(({ seq }) => seq),
      events.map((_, index) => index + 1),
    );
  },
  getEvent: async ({ realm }) => equal((await realm.event(1)).hash.length, 64),
  verifyRealm: async ({ realm }) => equal((await realm.verify()).ok, true),
  startVerification: async (world) => {
    world.verificationId = (await world.realm.startVerification()).id;
  },
  getVerification: ({ realm, verificationId }) => realm.getVerification(verificationId),
  createWebhook: async (world) => {
    // Nobody listens there.
    const hook = { url: 'http://127.0.0.1:1/hook', types: ['realm.updated' as const] };
    world.webhookId = (await world.realm.createWebhook(hook)).id;
  },
  listWebhooks: async ({ realm }) => equal((await collect(realm.webhooks())).length, 1),
  getWebhook: async ({ realm, webhookId }) =>
    equal((await realm.webhook(webhookId).get()).paused, false),
  updateWebhook: ({ realm, webhookId }) => realm.webhook(webhookId).update({ paused: true }),
  rotateWebhook: ({ realm, webhookId }) => realm.webhook(webhookId).rotate({ overlapSeconds: 0 }),
  testWebhook: async ({ realm, webhookId }) =>
    equal((await realm.webhook(webhookId).test()).error, 'connection-failed'),
  replayWebhook: ({ realm, webhookId }) => realm.webhook(webhookId).replay({ fromSeq: 1 }),
  listDeliveries: async ({ realm, webhookId }) =>
    equal((await collect(realm.webhook(webhookId).deliveries())).length, 0),
  getDelivery: ({ realm, webhookId }) =>
    fails(realm.webhook(webhookId).delivery(1), 'delivery-not-found'),
  resendDelivery: ({ realm, webhookId }) =>
    fails(realm.webhook(webhookId).resend(1), 'delivery-not-found'),
  deleteWebhook: ({ realm, webhookId }) => realm.webhook(webhookId).delete(),
  deleteRealm: ({ realm }) => realm.delete({ confirm: realm.id }),
};

export const operationCases: Cases = {
  'every operation has a verb, and succeeds once': async ({ url, rootKey }) => {
    const client = new Realmkeep({ url, key: rootKey });
    const realm = client.realm(newRealmId());
    const made = { keyId: '', personId: '', transactionId: 0, holdIds: [], claimIds: [] };
    const ids = { verificationId: '', sessionId: '', walletCode: '', webhookId: '' };
    const world = { client, realm, ...made, ...ids };
    for (const [operation, call] of Object.entries(round)) {
      await call(world).catch((cause) => {
        throw new Error(`${operation}: ${cause}`, { cause });
      });
    }
    equal(Object.keys(round).toSorted(), Object.keys(operations).toSorted());
  },
};
