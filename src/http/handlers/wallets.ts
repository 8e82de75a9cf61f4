import { randomBytes } from 'node:crypto';
import { iso, isoOrNull } from '../../contract/instants.ts';
import { MAX_CHECKED } from '../../contract/operations/wallets.ts';
import {
  invalidRequest,
  MAX_FAULTS,
  ProblemError,
  type RequestFault,
} from '../../contract/problems.ts';
import { MAX_WALLET_TEXT } from '../../contract/schemas.ts';
import { hasAtMost, isParameter } from '../../contract/validation.ts';
import type { Proof } from '../../domain/commands.ts';
import type { Address, Wallet } from '../../domain/model.ts';
import { networkOf, nonceOf, proofMatchesChallenge } from '../../domain/rules/wallets.ts';
import {
  type AnyCall,
  asIs,
  type Call,
  execute,
  executeIn,
  type Handler,
  notFound,
  query,
} from '../calls.ts';
import { SIGNATURE, turns } from '../connections.ts';
import { fewBody, pageRequest } from '../cursor.ts';
import { checkedAddress } from '../services.ts';
import type { WalletLink } from '../wallet-links.ts';

export const getWeb3Member: Handler<'getWeb3Member'> = async (call) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const [found, assets] = await Promise.all([
    query(call, 'walletsOf', { memberId }),
    query(call, 'assets', {}),
  ]);
  const wallets = found ?? notFound('member-not-found', { memberId });
  const onEvm = wallets.filter((wallet) => wallet.chain === 'eip155').map(({ address }) => address);
  const held = (await call.services.holdings.of(assets, onEvm)).map((holding) => ({
    ...holding,
    assetId: holding.id,
    asOf: isoOrNull(holding.asOf),
  }));
  return { body: { memberId, realmId, wallets: wallets.map(walletBody), assets: held } };
};

type CheckId = 'checkWallets' | 'checkWalletsByPost' | 'checkWalletsByQuery';

/** Serves all forms of the check: GET with a body or a query, POST and QUERY. */
export const checkWallets: Handler<CheckId> = async (call) => {
  const asked = askedWallets(call);
  const wallets = asked.map((wallet) => call.services.addresses.keyOf(wallet));
  const holders = await query(call, 'walletHolders', { wallets });
  const results = asked.map((wallet, index) => {
    const holder = holders[index] ?? null;
    return {
      wallet,
      included: holder !== null,
      memberId: holder?.memberId ?? null,
      verified: holder?.verified ?? false,
    };
  });
  const any = results.some((result) => result.included);
  return { body: { all: results.every((result) => result.included), any, results } };
};

export const linkWallet: Handler<'linkWallet'> = async (call) => {
  const { address, primary = false } = call.body;
  const wallet = checkedAddress(call.services, address);
  const proof = await proofOf(call, wallet);
  const link = { memberId: call.params.memberID, wallet, primary, proof };
  return execute(call, 'wallet.link', link, walletBody);
};

async function proofOf(call: Call<'linkWallet'>, wallet: Address): Promise<Proof | null> {
  const { message, signature, chain } = call.body;
  if (message === undefined || signature === undefined) return null;
  const network = networkOf(message);
  if (chain?.includes(':') && chain !== network) {
    throw invalidRequest([{ pointer: '/chain', detail: `must be ${network}, as in the message` }]);
  }
  const { realmID: realmId, memberID: memberId } = call.params;
  const { idempotencyKey = null } = call;
  const sent = { realmId, memberId, wallet, network, message, signature, idempotencyKey };
  return checkProof(call, sent);
}

interface SentProof extends Omit<Proof, 'check'> {
  realmId: string;
  memberId: string;
  wallet: Address;
  network: string;
  idempotencyKey: string | null;
}

/**
 * The signature is checked here, where a chain can be read. What it proves is decided by the rules,
 * together with the challenge, so that a challenge takes effect once.
 */
async function checkProof(
  { services, caller }: Pick<AnyCall, 'services' | 'caller'>,
  { realmId, memberId, wallet, network, message, signature, idempotencyKey }: SentProof,
): Promise<Proof> {
  const nonce = nonceOf(message);
  const params = { realmId, nonce: nonce ?? '', idempotencyKey };
  const challenge = nonce && (await services.ledger.query('challenge', params, caller));
  const proven = { memberId, walletKey: wallet.key, message };
  // Without a matching challenge the rules refuse the proof, so the chain need not be read.
  const canSucceed = proofMatchesChallenge(challenge || null, proven, Date.now());
  if (!canSucceed) return { message, signature, check: 'unavailable' };
  await turns.next(realmId, SIGNATURE);
  const check = await services.proofs.verify({ wallet, network, message, signature });
  return { message, signature, check };
}

export const challengeWallet: Handler<'challengeWallet'> = (call) => {
  const { address, chain } = call.body;
  const wallet = checkedAddress(call.services, address);
  const challenge = {
    memberId: call.params.memberID,
    wallet,
    network: chain ?? wallet.chain,
    nonce: randomBytes(16).toString('hex'),
    serviceUrl: call.services.publicUrl,
  };
  return execute(call, 'wallet.challenge', challenge, ({ message, expiresAt }) => ({
    message,
    expiresAt: iso(expiresAt),
  }));
};

export const unlinkWallet: Handler<'unlinkWallet'> = (call) => {
  const { memberID: memberId, address } = call.params;
  const walletKey = call.services.addresses.keyOf(address);
  return execute(call, 'wallet.unlink', { memberId, walletKey, address }, asIs);
};

/** The wallets in the body, or in the query: `?wallets=a,b`, or the parameter repeated. */
function askedWallets({ body, query }: Call<CheckId>): string[] {
  if (body && query.wallets !== undefined) {
    throw invalidRequest([
      { pointer: '/query/wallets', detail: 'must be absent if the body lists the wallets' },
    ]);
  }
  if (body) return body.wallets;
  if (query.wallets === undefined) {
    throw invalidRequest([
      { pointer: '/wallets', detail: 'is required: send {"wallets": [...]} or ?wallets=a,b' },
    ]);
  }
  const wallets = [query.wallets].flat().flatMap((text) => text.split(','));
  const faults = queryFaults(wallets);
  if (faults.length > 0) throw invalidRequest(faults.slice(0, MAX_FAULTS));
  return wallets;
}

/** As for the same list in the body. */
function queryFaults(wallets: string[]): RequestFault[] {
  const pointer = '/query/wallets';
  if (wallets.length > MAX_CHECKED) {
    return [{ pointer, detail: `must be a list of 1 to ${MAX_CHECKED} strings` }];
  }
  const detail = `must be a string of 1 to ${MAX_WALLET_TEXT} characters`;
  return wallets.flatMap((wallet, index) =>
    hasAtMost(MAX_WALLET_TEXT, wallet) ? [] : [{ pointer: `${pointer}/${index}`, detail }],
  );
}

const walletBody = ({ memberId: _, ...wallet }: Wallet & { memberId?: string }) => ({
  ...wallet,
  verified: wallet.verifiedAt !== null,
  verifiedAt: isoOrNull(wallet.verifiedAt),
  linkedAt: iso(wallet.linkedAt),
});

/** The code is in the fragment, which browsers do not send, so no log has it. */
export const createWalletLink: Handler<'createWalletLink'> = async (call) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const { walletLinks, publicUrl } = call.services;
  walletLinks.count(realmId, memberId);
  const { body, replayed } = await execute(call, 'wallet.invite', { memberId }, asIs);
  const expiresAt = iso(body.expiresAt);
  if (replayed) return { body: { url: null, expiresAt }, replayed };
  const code = await walletLinks.issue(realmId, memberId, body.expiresAt);
  return { body: { url: `${new URL(publicUrl).origin}/link#${code}`, expiresAt } };
};

export const openWalletLink: Handler<'openWalletLink'> = async (call) => {
  const { ledger, publicUrl } = call.services;
  const { code, address, chain } = call.body;
  const { realmId, memberId, ...link } = await linkOf(call, code);
  const [realm, member] = await Promise.all([
    ledger.query('realm', { realmId }),
    ledger.query('member', { realmId, memberId, now: Date.now() }),
  ]);
  if (!realm || !member) throw call.services.sessions.refusal(call.raw, 'code-not-valid');
  const shown = {
    realmName: realm.name,
    memberName: member.displayName ?? member.username ?? memberId,
    expiresAt: iso(link.code.expiresAt),
  };
  if (address === undefined) return { body: { ...shown, message: null } };
  const wallet = checkedAddress(call.services, address);
  const site = { siteUrl: new URL(publicUrl).origin, serviceUrl: publicUrl };
  const nonce = randomBytes(16).toString('hex');
  const challenge = { memberId, wallet, network: chain ?? wallet.chain, nonce, ...site };
  const issued = await executeIn(realmId, byLink(call), 'wallet.challenge', challenge, asIs).catch(
    (error) => {
      // Whose it is, nobody learns who has proved nothing.
      const isTaken = error instanceof ProblemError && error.code === 'wallet-taken';
      throw isTaken ? new ProblemError('wallet-taken', { wallet: wallet.address }) : error;
    },
  );
  return { body: { ...shown, message: issued.body.message } };
};

export const redeemWalletLink: Handler<'redeemWalletLink'> = async (call) => {
  const { code, address, message, signature } = call.body;
  const link = await linkOf(call, code);
  const { realmId, memberId } = link;
  const wallet = checkedAddress(call.services, address);
  const network = networkOf(message);
  const sent = { realmId, memberId, wallet, network, message, signature, idempotencyKey: null };
  const proof = await checkProof(call, sent);
  const params = { memberId, wallet, primary: false, proof };
  const linked = await call.services.walletLinks.use(link, () =>
    executeIn(realmId, byLink(call), 'wallet.link', params, walletBody),
  );
  if (linked) return linked;
  throw call.services.sessions.refusal(call.raw, 'code-not-valid');
};

/** A wrong code counts as a wrong key. */
async function linkOf({ services, raw }: AnyCall, code: string): Promise<WalletLink> {
  const link = await services.walletLinks.find(code);
  if (link) {
    services.walletLinks.count(link.realmId, link.memberId);
    return link;
  }
  throw services.sessions.refusal(raw, 'code-not-valid');
}

/** A member has no key: it is the service that acts, and believes the caller nothing else. */
const byLink = (call: AnyCall): AnyCall => ({
  ...call,
  principal: { ...call.principal, actor: 'service' },
  headers: {},
  idempotencyKey: undefined,
});

export const listAssets: Handler<'listAssets'> = async (call) => {
  const request = pageRequest(call, [], isParameter('assetId'));
  return { body: fewBody(await query(call, 'assets', {}), request, asIs) };
};

export const createAsset: Handler<'createAsset'> = (call) => {
  const { id, chain, standard, tokenId = null, symbol = null } = call.body;
  const { address: contract } = checkedAddress(call.services, call.body.contract);
  const asset = { id, chain, standard, contract, tokenId, symbol };
  return execute(call, 'asset.create', { asset }, asIs);
};

export const deleteAsset: Handler<'deleteAsset'> = (call) =>
  execute(call, 'asset.delete', { assetId: call.params.assetId }, asIs);
