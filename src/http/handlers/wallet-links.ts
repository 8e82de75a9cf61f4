import { randomBytes } from 'node:crypto';
import { iso } from '../../contract/instants.ts';
import { ProblemError } from '../../contract/problems.ts';
import { networkOf } from '../../domain/rules/wallets.ts';
import { type AnyCall, asIs, execute, executeIn, type Handler } from '../calls.ts';
import { checkedAddress } from '../services.ts';
import type { WalletLink } from '../wallet-links.ts';
import { checkProof, walletBody } from './wallets.ts';

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
