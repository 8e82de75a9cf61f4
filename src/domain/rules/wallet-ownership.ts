import type { Address } from '../model.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';

/** A wallet has one owner in a realm. Not even a proof moves it: it has to be unlinked first. */
export function refuseTakenWallet(books: Books, memberId: string, wallet: Address): void {
  const owner = books.wallets.get(wallet.key)?.memberId;
  if (owner !== undefined && owner !== memberId) {
    throw new Refused('wallet-taken', { wallet: wallet.address, memberId: owner });
  }
}
