import type { CommandOf } from '../commands.ts';
import { Refused } from '../refusal.ts';
import { accountKey, type Books } from './books.ts';
import { closeHold } from './holds.ts';

/**
 * Hides a member from every query. Its history stays, and so does its row, because an id is never
 * assigned twice. Other members may take over its wallets and accounts.
 */
export function removeMember(books: Books, command: CommandOf<'member.remove'>): null {
  const { memberId, forfeit } = command;
  const member = books.memberRow(memberId);
  const kinds = books.sortedKinds();
  if (!forfeit) for (const { id } of kinds) refuseBalance(books, memberId, id);
  for (const { id } of kinds) {
    for (const hold of books.balances.openHolds(memberId, id)) closeHold(books, hold);
    clearBalance(books, memberId, id);
  }
  // The id may be enrolled again, by somebody else.
  for (const { nonce } of books.unusedChallenges(memberId)) books.challenges.set(nonce, null);
  const accounts = books.accountsOf(memberId);
  const wallets = books.walletsOf(memberId);
  for (const account of accounts) books.accounts.set(accountKey(account), null);
  for (const { key, address, chain } of wallets) {
    books.wallets.set(key, null);
    books.record('wallet.unlinked', { memberId, address, chain });
  }
  books.members.set(memberId, { ...member, status: 'removed', updatedAt: books.now });
  books.record('member.removed', {
    memberId,
    ...(wallets.length > 0 && { wallets: wallets.map(({ address }) => address) }),
    ...(accounts.length > 0 && {
      accounts: accounts.map(({ provider, id }) => ({ provider, id })),
    }),
  });
  return null;
}

function refuseBalance(books: Books, memberId: string, realmPointId: string): void {
  const balance = books.balances.of(memberId, realmPointId);
  if (balance !== 0) throw new Refused('balance-not-zero', { memberId, realmPointId, balance });
}

function clearBalance(books: Books, memberId: string, realmPointId: string): void {
  const balance = books.balances.of(memberId, realmPointId);
  if (balance === 0) return;
  books.balances.set(memberId, realmPointId, 0);
  books.record(balance > 0 ? 'points.subtracted' : 'points.added', {
    memberId,
    tokens: Math.abs(balance),
    realmPointId,
    newBalance: 0,
    reason: 'forfeit',
  });
}
