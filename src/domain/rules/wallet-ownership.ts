import type { Address } from '../model.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';

/** A wallet has one holder in a realm. Proof does not take it from another: unlink it there. */
export function refuseTakenWallet(books: Books, memberId: string, wallet: Address): void {
  const holder = books.wallets.get(wallet.key);
  if (holder && holder.memberId !== memberId) {
    throw new Refused('wallet-taken', { wallet: wallet.address, memberId: holder.memberId });
  }
}
