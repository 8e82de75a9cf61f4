import type { CommandOf, MemberFields } from '../commands.ts';
import { accountKey } from '../facts.ts';
import type { Account, Member, MemberRow } from '../model.ts';
import type { Records } from '../records.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { close, holdStatus } from './holds.ts';
import { refuseTakenWallet } from './wallet-ownership.ts';
import { attachWallet } from './wallets.ts';

export function createMember(books: Books, command: CommandOf<'member.create'>): Member {
  const { fields, wallets } = command;
  if (command.memberId !== null && books.presentMember(command.memberId)) {
    throw new Refused('member-exists', { memberId: command.memberId });
  }
  const memberId = command.memberId ?? books.assignMemberId();
  for (const wallet of wallets) refuseTakenWallet(books, memberId, wallet);
  const member = enrol(books, memberId, fields);
  for (const wallet of wallets) attachWallet(books, memberId, wallet, false);
  return books.memberView(member);
}

/** Writes the member's row and record. The caller has checked that nobody has this id. */
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
  const before = books.presentMember(memberId);
  if (!before) throw new Refused('member-not-found', { memberId });
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
 * Takes a member out of every read. Its history stays, and so does its row: the id is never handed
 * out again. Its wallets and accounts are free for others.
 */
export function removeMember(books: Books, command: CommandOf<'member.remove'>): null {
  const { memberId, forfeit } = command;
  const member = books.presentMember(memberId);
  if (!member) throw new Refused('member-not-found', { memberId });
  for (const kind of books.kindsInOrder()) {
    // Also where nothing is left to forfeit: points may be held on credit.
    for (const hold of books.openHolds(memberId, kind.id)) {
      const isOver = holdStatus(hold, books.at) === 'expired';
      close(books, hold, isOver ? 'expired' : 'released');
    }
    const balance = books.balance(memberId, kind.id);
    if (balance === 0) continue;
    if (!forfeit)
      throw new Refused('balance-not-zero', { memberId, realmPointId: kind.id, balance });
    books.setBalance(memberId, kind.id, 0);
    books.record(balance > 0 ? 'points.subtracted' : 'points.added', {
      memberId,
      tokens: Math.abs(balance),
      realmPointId: kind.id,
      newBalance: 0,
      reason: 'forfeit',
    });
  }
  const accounts = books.accountsOf(memberId);
  const wallets = books.walletsOf(memberId);
  for (const account of accounts) books.accounts.set(accountKey(account), null);
  for (const wallet of wallets) {
    books.wallets.set(wallet.key, null);
    books.record('wallet.unlinked', { memberId, address: wallet.address, chain: wallet.chain });
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

/** Only what really differs counts as a change: a repeated PATCH leaves no record. */
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

/** As they will be read: in the order of their keys, the last of two with one key. */
function sorted(accounts: readonly Account[]): Account[] {
  const byKey = new Map(accounts.map((account) => [accountKey(account), account]));
  return [...byKey.values()]
    .map(({ provider, id, username }) => ({ provider, id, username }))
    .sort((a, b) => (accountKey(a) < accountKey(b) ? -1 : 1));
}

/** The fields as records have them: metadata as an object, not as text. */
function recorded({
  metadata,
  ...rest
}: MemberFields): Omit<Records['member.created'], 'memberId'> {
  return metadata === undefined ? rest : { ...rest, metadata: JSON.parse(metadata) };
}
