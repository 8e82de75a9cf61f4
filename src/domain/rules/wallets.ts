import type { CommandOf } from '../commands.ts';
import type { OwnedWallet } from '../facts.ts';
import { type Address, MAX_WALLETS } from '../model.ts';
import { Refused, refuseBeyond } from '../refusal.ts';
import type { Books } from './books.ts';
import { networkOf, useChallenge } from './challenges.ts';
import { refuseTakenWallet } from './wallet-ownership.ts';

/**
 * Links a wallet, unverified or proved by a signed challenge. Linking it again can only change
 * `primary`; proving it again updates `verifiedAt`.
 */
export function linkWallet(books: Books, command: CommandOf<'wallet.link'>): OwnedWallet {
  const { memberId, wallet, primary, proof } = command;
  books.requireMember(memberId);
  refuseTakenWallet(books, memberId, wallet);
  if (proof) useChallenge(books, memberId, wallet, proof);
  const linked = attachWallet(books, memberId, wallet, primary);
  if (!proof) return linked;
  const { message, signature } = proof;
  const verifiedOn = proof.check === 'by-contract' ? networkOf(message) : null;
  const verified = { ...linked, verifiedAt: books.now, verifiedOn };
  books.wallets.set(wallet.key, verified);
  const { address, chain } = wallet;
  // The text and the signature are recorded so that anyone with the journal can check the proof.
  books.record('wallet.verified', { memberId, address, chain, verifiedOn, message, signature });
  return verified;
}

/** Links a wallet that is not another member's. The first one is primary until another one is. */
export function attachWallet(
  books: Books,
  memberId: string,
  { key, address, chain }: Address,
  makePrimary: boolean,
): OwnedWallet {
  const count = books.walletCount(memberId);
  const known = books.wallets.get(key);
  const primary = makePrimary || known?.primary === true || count === 0;
  if (known && known.primary === primary) return known;
  if (!known) refuseBeyond(MAX_WALLETS, count, 'wallets of a member');
  if (primary) {
    const [before] = books.walletsOf(memberId);
    if (before) books.wallets.set(before.key, { ...before, primary: false });
  }
  const linked: OwnedWallet = {
    key,
    address,
    chain,
    primary,
    verifiedAt: known?.verifiedAt ?? null,
    verifiedOn: known?.verifiedOn ?? null,
    linkedAt: known?.linkedAt ?? books.now,
    memberId,
  };
  books.wallets.set(key, linked);
  books.record('wallet.linked', { memberId, address, chain, primary });
  return linked;
}

/**
 * Unlinks a wallet. A member with wallets always has a primary one: if it was this one, the first
 * linked of the others becomes primary, and the record names it.
 */
export function unlinkWallet(books: Books, command: CommandOf<'wallet.unlink'>): null {
  const { memberId, walletKey } = command;
  books.requireMember(memberId);
  const wallets = books.walletsOf(memberId);
  const wallet = wallets.find(({ key }) => key === walletKey);
  if (!wallet) throw new Refused('wallet-not-found', { wallet: command.address });
  const { address, chain } = wallet;
  const next = wallet.primary ? wallets.find(({ key }) => key !== walletKey) : undefined;
  books.wallets.set(walletKey, null);
  if (next) books.wallets.set(next.key, { ...next, primary: true });
  const newPrimary = next && { newPrimary: next.address };
  books.record('wallet.unlinked', { memberId, address, chain, ...newPrimary });
  return null;
}
