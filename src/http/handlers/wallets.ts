import { randomBytes } from 'node:crypto';
import { iso, isoOrNull } from '../../contract/instants.ts';
import { MAX_CHECKED } from '../../contract/operations/wallets.ts';
import { invalidRequest, MAX_FAULTS, type RequestFault } from '../../contract/problems.ts';
import { MAX_WALLET_TEXT } from '../../contract/schemas.ts';
import { hasAtMost } from '../../contract/validation.ts';
import type { Proof } from '../../domain/commands.ts';
import type { Address, Asset, Holding, Wallet } from '../../domain/model.ts';
import { networkOf, nonceOf, proofMatchesChallenge } from '../../domain/rules/wallets.ts';
import { type AnyCall, asIs, type Call, execute, type Handler, notFound, query } from '../calls.ts';
import { SIGNATURE, turns } from '../connections.ts';
import { checkedAddress } from '../services.ts';

export const getWeb3Member: Handler<'getWeb3Member'> = async (call) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const [found, assets] = await Promise.all([
    query(call, 'walletsOf', { memberId }),
    query(call, 'assets', {}),
  ]);
  const wallets = found ?? notFound('member-not-found', { memberId });
  const onEvm = wallets.filter((wallet) => wallet.chain === 'eip155').map(({ address }) => address);
  const holdings = assets.length === 0 ? [] : await call.services.holdings.of(assets, onEvm);
  const held = assets.flatMap((asset, index) => {
    const holding = holdings[index];
    return holding ? [holdingBody(asset, holding)] : [];
  });
  return { body: { memberId, realmId, wallets: wallets.map(walletBody), assets: held } };
};

const holdingBody = (asset: Asset, holding: Holding) => ({
  ...asset,
  ...holding,
  assetId: asset.id,
  asOf: isoOrNull(holding.asOf),
});

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
export async function checkProof(
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

export const walletBody = ({ memberId: _, ...wallet }: Wallet & { memberId?: string }) => ({
  ...wallet,
  verified: wallet.verifiedAt !== null,
  verifiedAt: isoOrNull(wallet.verifiedAt),
  linkedAt: iso(wallet.linkedAt),
});
