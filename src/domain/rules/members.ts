import type { CommandOf, MemberFields } from '../commands.ts';
import { accountKey } from '../facts.ts';
import type { Account, Member, MemberRow } from '../model.ts';
import type { Records } from '../records.ts';
import { Refused } from '../refusal.ts';
import { type Books, compare } from './books.ts';
import { closeHold, holdStatus } from './holds.ts';
import { refuseTakenWallet } from './wallet-ownership.ts';
import { attachWallet } from './wallets.ts';

export function createMember(books: Books, command: CommandOf<'member.create'>): Member {
  const { fields, wallets } = command;
  if (command.memberId !== null && books.isPresent(command.memberId)) {
    throw new Refused('member-exists', { memberId: command.memberId });
  }
  const memberId = command.memberId ?? books.assignMemberId();
  for (const wallet of wallets) refuseTakenWallet(books, memberId, wallet);
  const member = enrol(books, memberId, fields);
  for (const wallet of wallets) attachWallet(books, memberId, wallet, false);
  return books.memberView(member);
}

/** Writes a member's row and record. The caller has checked that the id is free. */
export function enrol(books: Books, memberId: string, fields: MemberFields): MemberRow {
  const member: MemberRow = {
    id: memberId,
    username: fields.username ?? null,
    displayName: fields.displayName ?? null,
    status: 'active',
    metadata: fields.metadata ?? '{}',
    createdAt: books.at,
    updatedAt: books.at,
  };
  books.members.set(memberId, member);
  replaceAccounts(books, memberId, fields.accounts ?? []);
  books.record('member.created', { memberId, ...recorded(fields) });
  return member;
}

export function updateMember(books: Books, command: CommandOf<'member.update'>): Member {
  const { memberId, fields, status } = command;
  const before = books.memberRow(memberId);
  const changes = changedFields(books, before, fields);
  let member = before;
  if (Object.keys(changes).length > 0) {
    const { accounts, ...columns } = changes;
    member = { ...member, ...columns, updatedAt: books.at };
    books.members.set(memberId, member);
    if (accounts) replaceAccounts(books, memberId, accounts);
    books.record('member.updated', { memberId, ...recorded(changes) });
  }
  if (status !== undefined && status !== member.status) {
    member = { ...member, status, updatedAt: books.at };
    books.members.set(memberId, member);
    books.record(status === 'frozen' ? 'member.frozen' : 'member.unfrozen', { memberId });
  }
  return books.memberView(member);
}

/**
 * Hides a member from every query. Its history stays, and so does its row, because an id is never
 * assigned twice. Other members may take over its wallets and accounts.
 */
export function removeMember(books: Books, command: CommandOf<'member.remove'>): null {
  const { memberId, forfeit } = command;
  const member = books.memberRow(memberId);
  for (const kind of books.sortedKinds()) {
    releaseHolds(books, memberId, kind.id);
    clearBalance(books, memberId, kind.id, forfeit);
  }
  const accounts = books.accountsOf(memberId);
  const wallets = books.walletsOf(memberId);
  for (const account of accounts) books.accounts.set(accountKey(account), null);
  for (const { key, address, chain } of wallets) {
    books.wallets.set(key, null);
    books.record('wallet.unlinked', { memberId, address, chain });
  }
  books.members.set(memberId, { ...member, status: 'removed', updatedAt: books.at });
  books.record('member.removed', {
    memberId,
    ...(wallets.length > 0 && { wallets: wallets.map(({ address }) => address) }),
    ...(accounts.length > 0 && {
      accounts: accounts.map(({ provider, id }) => ({ provider, id })),
    }),
  });
  return null;
}

function releaseHolds(books: Books, memberId: string, realmPointId: string): void {
  for (const hold of books.openHolds(memberId, realmPointId)) {
    const isExpired = holdStatus(hold, books.at) === 'expired';
    closeHold(books, hold, isExpired ? 'expired' : 'released');
  }
}

function clearBalance(
  books: Books,
  memberId: string,
  realmPointId: string,
  forfeit: boolean,
): void {
  const balance = books.balance(memberId, realmPointId);
  if (balance === 0) return;
  if (!forfeit) throw new Refused('balance-not-zero', { memberId, realmPointId, balance });
  books.setBalance(memberId, realmPointId, 0);
  books.record(balance > 0 ? 'points.subtracted' : 'points.added', {
    memberId,
    tokens: Math.abs(balance),
    realmPointId,
    newBalance: 0,
    reason: 'forfeit',
  });
}

/** The fields that differ: an update that changes nothing leaves no record. */
function changedFields(books: Books, member: MemberRow, fields: MemberFields): MemberFields {
  const changes: MemberFields = {};
  if (fields.username !== undefined && fields.username !== member.username) {
    changes.username = fields.username;
  }
  if (fields.displayName !== undefined && fields.displayName !== member.displayName) {
    changes.displayName = fields.displayName;
  }
  if (fields.metadata !== undefined && fields.metadata !== member.metadata) {
    changes.metadata = fields.metadata;
  }
  if (fields.accounts !== undefined) {
    const present = books.accountsOf(member.id).map(({ memberId: _, ...account }) => account);
    if (JSON.stringify(sorted(fields.accounts)) !== JSON.stringify(present)) {
      changes.accounts = fields.accounts;
    }
  }
  return changes;
}

function replaceAccounts(books: Books, memberId: string, accounts: readonly Account[]): void {
  for (const account of accounts) {
    const holder = books.accounts.get(accountKey(account));
    if (holder && holder.memberId !== memberId) {
      throw new Refused('account-taken', {
        account: accountKey(account),
        memberId: holder.memberId,
      });
    }
  }
  for (const account of books.accountsOf(memberId)) books.accounts.set(accountKey(account), null);
  for (const { provider, id, username } of accounts) {
    books.accounts.set(accountKey({ provider, id }), { memberId, provider, id, username });
  }
}

/** As a query returns them: sorted by key, the last one of those with the same key. */
function sorted(accounts: readonly Account[]): Account[] {
  const byKey = new Map(accounts.map((account) => [accountKey(account), account]));
  return [...byKey.values()]
    .map(({ provider, id, username }) => ({ provider, id, username }))
    .sort((a, b) => compare(accountKey(a), accountKey(b)));
}

/** The fields as records have them: metadata as an object, not as text. */
function recorded({
  metadata,
  ...rest
}: MemberFields): Omit<Records['member.created'], 'memberId'> {
  return metadata === undefined ? rest : { ...rest, metadata: JSON.parse(metadata) };
}
