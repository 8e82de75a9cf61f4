import { invalidRequest, ProblemError } from '../../contract/problems.ts';
import type { Asset, Holding, Wallet } from '../../domain/model.ts';
import {
  type Call,
  carryOut,
  envelope,
  type Handler,
  iso,
  isoOrNull,
  requireRealm,
} from '../calls.ts';

const MAX_WALLETS = 10_000;
const MAX_WALLET_LENGTH = 128;

export const getWeb3Member: Handler<'getWeb3Member'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const [wallets, assets] = await Promise.all([
    services.keeper.ask('walletsOf', { realmId, memberId }),
    services.keeper.ask('assets', { realmId }),
  ]);
  if (!wallets) {
    await requireRealm(call, services);
    throw new ProblemError('member-not-found', { memberId });
  }
  const onEvm = wallets.filter((wallet) => wallet.chain === 'eip155').map(({ address }) => address);
  const holdings = assets.length === 0 ? [] : await services.holdings.of(assets, onEvm);
  const held = assets.flatMap((asset, index) => {
    const holding = holdings[index];
    return holding ? [holdingBody(asset, holding)] : [];
  });
  return { body: { memberId, realmId, wallets: wallets.map(walletBody), assets: held } };
};

function holdingBody({ id: assetId, chain, standard, contract, tokenId }: Asset, holding: Holding) {
  const { symbol, balance, block, asOf, stale } = holding;
  const told = { symbol, balance, block, asOf: isoOrNull(asOf), stale };
  return { assetId, chain, standard, contract, tokenId, ...told };
}

type CheckId = 'checkWallets' | 'checkWalletsByPost' | 'checkWalletsByQuery';

/** One handler for the four forms of the check. */
export const checkWallets: Handler<CheckId> = async (call, services) => {
  const asked = askedWallets(call);
  const realmId = call.params.realmID;
  const wallets = asked.map((wallet) => services.addresses.keyOf(wallet));
  const holders = await services.keeper.ask('walletHolders', { realmId, wallets });
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
  if (!any) await requireRealm(call, services);
  return { body: { all: results.every((result) => result.included), any, results } };
};

export const linkWallet: Handler<'linkWallet'> = async (call, { keeper, addresses }) => {
  const { address, chain, primary = false } = call.body;
  const wallet = addresses.parse(address, chain);
  if ('fault' in wallet) throw invalidRequest([{ pointer: '/address', detail: wallet.fault }]);
  const { answer, replayed } = await carryOut(keeper, {
    ...envelope(call),
    type: 'wallet.link',
    memberId: call.params.memberID,
    wallet,
    primary,
  });
  return { body: walletBody(answer), replayed };
};

/** The wallets of the body, or else of the query: `?wallets=a,b`, or repeated. */
function askedWallets({ body, query }: Call<CheckId>): string[] {
  if (body && query.wallets !== undefined) {
    throw invalidRequest([
      { pointer: '/query/wallets', detail: 'must be absent when the body has the wallets' },
    ]);
  }
  if (body) return body.wallets;
  if (query.wallets === undefined) {
    throw invalidRequest([
      { pointer: '/wallets', detail: 'is required: send {"wallets": [...]} or ?wallets=a,b' },
    ]);
  }
  const wallets = [query.wallets].flat().flatMap((text) => text.split(','));
  const fits = (wallet: string) => wallet.length >= 1 && wallet.length <= MAX_WALLET_LENGTH;
  if (wallets.length > MAX_WALLETS || !wallets.every(fits)) {
    throw invalidRequest([
      { pointer: '/query/wallets', detail: 'must be 1 to 10000 strings of 1 to 128 characters' },
    ]);
  }
  return wallets;
}

const walletBody = ({ address, chain, primary, verifiedAt, linkedAt }: Wallet) => ({
  address,
  chain,
  primary,
  verified: verifiedAt !== null,
  verifiedAt: isoOrNull(verifiedAt),
  linkedAt: iso(linkedAt),
});
