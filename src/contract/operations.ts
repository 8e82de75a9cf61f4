import type { CallShape, Method, Operation } from './operation.ts';
import * as assets from './operations/assets.ts';
import * as claims from './operations/claims.ts';
import * as holds from './operations/holds.ts';
import * as journal from './operations/journal.ts';
import * as keys from './operations/keys.ts';
import * as kinds from './operations/kinds.ts';
import * as leaderboards from './operations/leaderboards.ts';
import * as memberBatch from './operations/member-batch.ts';
import * as memberList from './operations/member-list.ts';
import * as members from './operations/members.ts';
import * as offers from './operations/offers.ts';
import * as people from './operations/people.ts';
import * as points from './operations/points.ts';
import * as realms from './operations/realms.ts';
import * as sessions from './operations/sessions.ts';
import * as summaries from './operations/summaries.ts';
import * as transactions from './operations/transactions.ts';
import * as wallets from './operations/wallets.ts';
import * as webhooks from './operations/webhooks.ts';

const REALM = '/api/v4/realms/{realmID}';
const MEMBER = `${REALM}/members/{memberID}` as const;
const INCLUDES = `${REALM}/members/includes` as const;
const KEY = `${REALM}/keys/{keyID}` as const;
const TRANSACTION = `${REALM}/transactions/{transactionID}` as const;
const PERSON = `${REALM}/people/{personID}` as const;
const SESSIONS = '/api/v4/sessions';
const WALLET_LINKS = '/api/v4/wallet-links';
const OWNERS = '/api/v4/people';
const PASSKEYS = '/api/v4/passkeys';
const WEBHOOK = `${REALM}/webhooks/{webhookID}` as const;
const DELIVERY = `${WEBHOOK}/deliveries/{deliveryID}` as const;
const OFFER = `${REALM}/offers/{offerID}` as const;
const CLAIM = `${REALM}/claims/{claimID}` as const;
const HOLD = `${REALM}/holds/{holdID}` as const;

/** The whole HTTP API: routes, checks, OpenAPI and tests all derive from this table. */
export const operations = {
  getMember: on('GET', MEMBER, 'read', members.getMember),
  getWeb3Member: on('GET', `${REALM}/web3/members/{memberID}`, 'read', wallets.getWeb3Member),
  checkWallets: on('GET', INCLUDES, 'read', wallets.checkWallets),
  checkWalletsByPost: on('POST', INCLUDES, 'read', wallets.checkWallets),
  checkWalletsByQuery: on('QUERY', INCLUDES, 'read', wallets.checkWallets),
  changePoints: on('PATCH', `${MEMBER}/tokenBalance`, 'write', points.changePoints),
  transferPoints: on('PATCH', `${MEMBER}/transfer`, 'write', points.transferPoints),
  changeManyPoints: on('PATCH', `${REALM}/members/tokenBalance`, 'write', points.changeManyPoints),

  createMember: on('POST', `${REALM}/members`, 'write', members.createMember),
  createMembers: on('POST', `${REALM}/members/batch`, 'write', memberBatch.createMembers),
  putMember: on('PUT', MEMBER, 'write', members.putMember),
  listMembers: on('GET', `${REALM}/members`, 'read', memberList.listMembers),
  updateMember: on('PATCH', MEMBER, 'write', members.updateMember),
  removeMember: on('DELETE', MEMBER, 'write', members.removeMember),
  linkWallet: on('POST', `${MEMBER}/wallets`, 'write', wallets.linkWallet),
  challengeWallet: on('POST', `${MEMBER}/wallets/challenge`, 'write', wallets.challengeWallet),
  createWalletLink: on('POST', `${MEMBER}/wallet-link`, 'write', wallets.createWalletLink),
  openWalletLink: on('POST', `${WALLET_LINKS}/open`, 'read', wallets.openWalletLink),
  redeemWalletLink: on('POST', `${WALLET_LINKS}/redeem`, 'read', wallets.redeemWalletLink),
  unlinkWallet: on('DELETE', `${MEMBER}/wallets/{address}`, 'write', wallets.unlinkWallet),

  listAssets: on('GET', `${REALM}/assets`, 'read', assets.listAssets),
  createAsset: on('POST', `${REALM}/assets`, 'admin', assets.createAsset),
  deleteAsset: on('DELETE', `${REALM}/assets/{assetId}`, 'admin', assets.deleteAsset),

  listKinds: on('GET', `${REALM}/points`, 'read', kinds.listKinds),
  createKind: on('POST', `${REALM}/points`, 'admin', kinds.createKind),
  updateKind: on('PATCH', `${REALM}/points/{realmPointId}`, 'admin', kinds.updateKind),
  memberTransactions: on('GET', `${MEMBER}/transactions`, 'read', transactions.memberTransactions),
  getBalance: on('GET', `${MEMBER}/balance`, 'read', transactions.getBalance),
  getBalanceHistory: on('GET', `${MEMBER}/balance/history`, 'read', summaries.getBalanceHistory),
  listTransactions: on('GET', `${REALM}/transactions`, 'read', transactions.listTransactions),
  exportLogs: on('GET', `${REALM}/export_logs`, 'read', transactions.exportLogs),
  getTransaction: on('GET', TRANSACTION, 'read', transactions.getTransaction),
  reverseTransaction: on(
    'POST',
    `${TRANSACTION}/reversal`,
    'write',
    transactions.reverseTransaction,
  ),
  createHold: on('POST', `${MEMBER}/holds`, 'write', holds.createHold),
  memberHolds: on('GET', `${MEMBER}/holds`, 'read', holds.memberHolds),
  listHolds: on('GET', `${REALM}/holds`, 'read', holds.listHolds),
  getHold: on('GET', HOLD, 'read', holds.getHold),
  captureHold: on('POST', `${HOLD}/capture`, 'write', holds.captureHold),
  releaseHold: on('POST', `${HOLD}/release`, 'write', holds.releaseHold),
  createOffer: on('POST', `${REALM}/offers`, 'admin', offers.createOffer),
  listOffers: on('GET', `${REALM}/offers`, 'read', offers.listOffers),
  getOffer: on('GET', OFFER, 'read', offers.getOffer),
  updateOffer: on('PATCH', OFFER, 'admin', offers.updateOffer),
  claimOffer: on('POST', `${OFFER}/claims`, 'write', offers.claimOffer),
  drawOffer: on('POST', `${OFFER}/draw`, 'admin', offers.drawOffer),
  listClaims: on('GET', `${REALM}/claims`, 'read', claims.listClaims),
  memberClaims: on('GET', `${MEMBER}/claims`, 'read', claims.memberClaims),
  getClaim: on('GET', CLAIM, 'read', claims.getClaim),
  deliverClaim: on('POST', `${CLAIM}/deliver`, 'write', claims.deliverClaim),
  rejectClaim: on('POST', `${CLAIM}/reject`, 'write', claims.rejectClaim),

  getLeaderboard: on('GET', `${REALM}/leaderboard`, 'read', leaderboards.getLeaderboard),
  getStanding: on('GET', `${REALM}/leaderboard/{memberID}`, 'read', leaderboards.getStanding),
  listEvents: on('GET', `${REALM}/events`, 'read', journal.listEvents),
  getEvent: on('GET', `${REALM}/events/{seq}`, 'read', journal.getEvent),
  verifyRealm: on('GET', `${REALM}/verify`, 'admin', journal.verifyRealm),
  startVerification: on('POST', `${REALM}/verify`, 'admin', journal.startVerification),
  getVerification: on('GET', `${REALM}/verify/{verificationID}`, 'admin', journal.getVerification),

  createWebhook: on('POST', `${REALM}/webhooks`, 'admin', webhooks.createWebhook),
  listWebhooks: on('GET', `${REALM}/webhooks`, 'admin', webhooks.listWebhooks),
  getWebhook: on('GET', WEBHOOK, 'admin', webhooks.getWebhook),
  updateWebhook: on('PATCH', WEBHOOK, 'admin', webhooks.updateWebhook),
  deleteWebhook: on('DELETE', WEBHOOK, 'admin', webhooks.deleteWebhook),
  rotateWebhook: on('POST', `${WEBHOOK}/rotate`, 'admin', webhooks.rotateWebhook),
  testWebhook: on('POST', `${WEBHOOK}/test`, 'admin', webhooks.testWebhook),
  replayWebhook: on('POST', `${WEBHOOK}/replay`, 'admin', webhooks.replayWebhook),
  listDeliveries: on('GET', `${WEBHOOK}/deliveries`, 'admin', webhooks.listDeliveries),
  getDelivery: on('GET', DELIVERY, 'admin', webhooks.getDelivery),
  resendDelivery: on('POST', `${DELIVERY}/resend`, 'admin', webhooks.resendDelivery),

  createRealm: on('POST', '/api/v4/realms', 'root', realms.createRealm),
  listRealms: on('GET', '/api/v4/realms', 'root', realms.listRealms),
  getRealm: on('GET', REALM, 'read', realms.getRealm),
  getRealmSummary: on('GET', `${REALM}/summary`, 'read', summaries.getRealmSummary),
  getDiscordStatus: on('GET', `${REALM}/discord`, 'read', summaries.getDiscordStatus),
  getActivity: on('GET', `${REALM}/activity`, 'read', summaries.getActivity),
  getAttention: on('GET', `${REALM}/attention`, 'read', summaries.getAttention),
  updateRealm: on('PATCH', REALM, 'admin', realms.updateRealm),
  archiveRealm: on('POST', `${REALM}/archive`, 'root', realms.archiveRealm),
  unarchiveRealm: on('POST', `${REALM}/unarchive`, 'root', realms.unarchiveRealm),
  deleteRealm: on('DELETE', REALM, 'root', realms.deleteRealm),

  createKey: on('POST', `${REALM}/keys`, 'admin', keys.createKey),
  listKeys: on('GET', `${REALM}/keys`, 'admin', keys.listKeys),
  rotateKey: on('POST', `${KEY}/rotate`, 'admin', keys.rotateKey),
  revokeKey: on('DELETE', KEY, 'admin', keys.revokeKey),

  createPerson: on('POST', `${REALM}/people`, 'admin', people.createPerson),
  listPeople: on('GET', `${REALM}/people`, 'read', people.listPeople),
  updatePerson: on('PATCH', PERSON, 'admin', people.updatePerson),
  removePerson: on('DELETE', PERSON, 'admin', people.removePerson),
  invitePerson: on('POST', `${PERSON}/invitation`, 'admin', people.invitePerson),
  createOwner: on('POST', OWNERS, 'root', people.createOwner),
  listOwners: on('GET', OWNERS, 'root', people.listOwners),
  updateOwner: on('PATCH', `${OWNERS}/{personID}`, 'root', people.updateOwner),
  removeOwner: on('DELETE', `${OWNERS}/{personID}`, 'root', people.removeOwner),
  inviteOwner: on('POST', `${OWNERS}/{personID}/invitation`, 'root', people.inviteOwner),

  createChallenge: on('POST', `${SESSIONS}/challenge`, 'read', sessions.createChallenge),
  createPasskey: on('POST', PASSKEYS, 'read', sessions.createPasskey),
  listPasskeys: on('GET', PASSKEYS, 'read', sessions.listPasskeys),
  removePasskey: on('DELETE', `${PASSKEYS}/{passkeyID}`, 'read', sessions.removePasskey),
  createSession: on('POST', SESSIONS, 'read', sessions.createSession),
  listSessions: on('GET', SESSIONS, 'read', sessions.listSessions),
  getCurrentSession: on('GET', `${SESSIONS}/current`, 'read', sessions.getCurrentSession),
  endSession: on('DELETE', `${SESSIONS}/{sessionID}`, 'read', sessions.endSession),
};

export type Operations = typeof operations;
export type OperationId = keyof Operations;

function on<Path extends string, S extends CallShape>(
  method: Method,
  path: Path,
  scope: Operation['scope'],
  shape: S,
): S & Operation & { path: Path } {
  return { ...shape, method, path, scope };
}
