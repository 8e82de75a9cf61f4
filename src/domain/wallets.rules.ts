import { type Books, walletView } from './books.rules.ts';
import type { CommandOf } from './commands.ts';
import type { HeldWallet } from './facts.ts';
import { type Address, MAX_WALLETS, type Wallet } from './model.ts';
import { Refused } from './refusal.ts';

/** Links a wallet on the key holder's word. Linking it again changes nothing but `primary`. */
export function linkWallet(books: Books, command: CommandOf<'wallet.link'>): Wallet {
  const { memberId, wallet, primary } = command;
  if (!books.isPresent(memberId)) throw new Refused('member-not-found', { memberId });
  refuseTakenWallet(books, memberId, wallet);
  return walletView(attachWallet(books, memberId, wallet, primary));
}

export function refuseTakenWallet(books: Books, memberId: string, wallet: Address): void {
  const holder = books.wallets.get(wallet.key);
  if (holder && holder.memberId !== memberId) {
    throw new Refused('wallet-taken', { wallet: wallet.address, memberId: holder.memberId });
  }
}

/** Gives the wallet to the member; the first one is the primary one until another is named. */
export function attachWallet(
  books: Books,
  memberId: string,
  { key, address, chain }: Address,
  makePrimary: boolean,
): HeldWallet {
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
  const verifiedAt = known?.verifiedAt ?? null;
  const linked: HeldWallet = { key, address, chain, primary, verifiedAt, linkedAt, memberId };
  books.wallets.set(key, linked);
  books.record('wallet.linked', { memberId, address, chain, primary });
  return linked;
}
