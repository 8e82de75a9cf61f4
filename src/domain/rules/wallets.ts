import type { CommandOf } from '../commands.ts';
import type { OwnedWallet } from '../facts.ts';
import { type Address, MAX_WALLETS, type Wallet } from '../model.ts';
import { Refused } from '../refusal.ts';
import { type Books, walletView } from './books.ts';
import { networkOf, useChallenge } from './challenges.ts';
import { refuseTakenWallet } from './wallet-ownership.ts';

/**
 * Links a wallet: on the key holder's word, or proved by a signed challenge. Linking it again
 * changes nothing but `primary`; proving it again moves `verifiedAt`.
 */
export function linkWallet(books: Books, command: CommandOf<'wallet.link'>): Wallet {
  const { memberId, wallet, primary, proof } = command;
  if (!books.isPresent(memberId)) throw new Refused('member-not-found', { memberId });
  refuseTakenWallet(books, memberId, wallet);
  if (proof) useChallenge(books, memberId, wallet, proof);
  const linked = attachWallet(books, memberId, wallet, primary);
  if (!proof) return walletView(linked);
  const { message, signature } = proof;
  const verifiedOn = proof.check === 'by-contract' ? networkOf(message) : null;
  const verified = { ...linked, verifiedAt: books.at, verifiedOn };
  books.wallets.set(wallet.key, verified);
  const { address, chain } = wallet;
  // With the text and the signature, whoever has the journal can check the proof again.
  const proved = { memberId, address, chain, verifiedOn, message, signature };
  books.record('wallet.verified', proved);
  return walletView(verified);
}

/** Gives the wallet to the member; the first one is the primary one until another is named. */
export function attachWallet(
  books: Books,
  memberId: string,
  { key, address, chain }: Address,
  makePrimary: boolean,
): OwnedWallet {
  const present = books.walletsOf(memberId);
  const known = present.find((wallet) => wallet.key === key);
  const primary = makePrimary || known?.primary === true || present.length === 0;
  if (known && known.primary === primary) return known;
  if (!known && present.length >= MAX_WALLETS) {
    throw new Refused('limit-reached', { limit: MAX_WALLETS, of: 'wallets of a member' });
  }
  if (primary) {
    for (const wallet of present) {
      if (wallet.primary) books.wallets.set(wallet.key, { ...wallet, primary: false });
    }
  }
  const linkedAt = known?.linkedAt ?? books.at;
  const { verifiedAt, verifiedOn } = known ?? { verifiedAt: null, verifiedOn: null };
  const proved = { verifiedAt, verifiedOn };
  const linked: OwnedWallet = { key, address, chain, primary, ...proved, linkedAt, memberId };
  books.wallets.set(key, linked);
  books.record('wallet.linked', { memberId, address, chain, primary });
  return linked;
}

/**
 * Takes a wallet from its member. A member with wallets always has a primary one: if this was it,
 * the one that was linked first of the rest takes its place, and the record says which.
 */
export function unlinkWallet(books: Books, command: CommandOf<'wallet.unlink'>): null {
  const { memberId, walletKey } = command;
  if (!books.isPresent(memberId)) throw new Refused('member-not-found', { memberId });
  const [held, ...others] = books
    .walletsOf(memberId)
    .sort((a, b) => Number(b.key === walletKey) - Number(a.key === walletKey));
  if (held?.key !== walletKey) throw new Refused('wallet-not-found', { wallet: command.address });
  const heir = held.primary ? others[0] : undefined;
  books.wallets.set(walletKey, null);
  if (heir) books.wallets.set(heir.key, { ...heir, primary: true });
  books.record('wallet.unlinked', {
    memberId,
    address: held.address,
    chain: held.chain,
    ...(heir && { newPrimary: heir.address }),
  });
  return null;
}
