import type { CommandOf } from '../commands.ts';
import { BLANK_PROFILE } from '../model.ts';
import { Refused } from '../refusal.ts';
import { accountKey, type Books } from './books.ts';
import { FIRST_PHASE } from './erasures.ts';
import { closeHold } from './holds.ts';
import { accountsOf } from './members.ts';
import { called } from './naming.ts';
import { unusedChallenges, walletsOf } from './wallets.ts';

/** Removes a member, unless it was removed before and only remains to be erased. */
export function removeMember(books: Books, command: CommandOf<'member.remove'>): null {
  const { memberId, forfeit, erase = false } = command;
  if (!erase || books.status(memberId) !== 'removed') hideMember(books, memberId, forfeit);
  if (erase) eraseMember(books, memberId);
  return null;
}

/** Its history stays, and so does its row, because an id is never assigned twice. */
function hideMember(books: Books, memberId: string, forfeit: boolean): void {
  const member = books.memberRow(memberId);
  const kinds = books.sortedKinds();
  if (!forfeit) for (const { id } of kinds) refuseBalance(books, memberId, id);
  for (const { id } of kinds) {
    for (const hold of books.balances.openHolds(memberId, id)) closeHold(books, hold);
    forfeitBalance(books, memberId, id);
    books.balances.remove(memberId, id);
  }
  // The id may be enrolled again, for another person.
  for (const { nonce } of unusedChallenges(books, memberId)) books.challenges.set(nonce, null);
  const accounts = accountsOf(books, memberId);
  const wallets = walletsOf(books, memberId);
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
}

/** The store, which finds the erasure in its table, then erases the personal parts of records. */
function eraseMember(books: Books, memberId: string): void {
  const member = books.members.get(memberId);
  if (!member || member.erasedAt !== null) return;
  // What stays is named, so that nothing personal stays by oversight.
  const { id, status, createdAt, updatedAt } = member;
  const kept = { id, status, createdAt, updatedAt };
  books.members.set(memberId, { ...kept, ...BLANK_PROFILE, erasedAt: books.now });
  const seq = books.record('member.erased', { memberId });
  books.erasures.set(String(seq), { seq, erasedId: memberId, ...FIRST_PHASE });
}

function refuseBalance(books: Books, memberId: string, realmPointId: string): void {
  const balance = books.balances.of(memberId, realmPointId);
  if (balance === 0) return;
  const about = called(books, memberId, books.kind(realmPointId));
  throw new Refused('balance-not-zero', { ...about, realmPointId, balance });
}

function forfeitBalance(books: Books, memberId: string, realmPointId: string): void {
  const balance = books.balances.of(memberId, realmPointId);
  if (balance === 0) return;
  books.record(balance > 0 ? 'points.subtracted' : 'points.added', {
    memberId,
    tokens: Math.abs(balance),
    realmPointId,
    newBalance: 0,
    reason: 'forfeit',
  });
}
