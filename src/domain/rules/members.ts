import type { AnswerTo, CommandOf, MemberFields, NewMember } from '../commands.ts';
import type { OwnedAccount } from '../facts.ts';
import {
  type Account,
  BLANK_PROFILE,
  JSON_FIELDS,
  type Member,
  type MemberRow,
  PROFILE_COLUMNS,
  type Profile,
} from '../model.ts';
import { Refused } from '../refusal.ts';
import { accountKey, type Books, compareText } from './books.ts';
import { called } from './naming.ts';
import { memberView } from './views.ts';
import { attachWallet, refuseTakenWallet, walletsOf } from './wallets.ts';

export const createMember = (books: Books, command: CommandOf<'member.create'>): Member =>
  viewOf(books, addMember(books, command));

export function addMember(
  books: Books,
  { memberId: given, fields, wallets }: NewMember,
): MemberRow {
  if (given !== null && books.isPresent(given)) {
    throw new Refused('member-exists', called(books, given));
  }
  const memberId = given ?? books.assignMemberId();
  for (const wallet of wallets) refuseTakenWallet(books, memberId, wallet);
  const member = enrol(books, memberId, fields);
  for (const wallet of wallets) attachWallet(books, memberId, wallet, false);
  return member;
}

/** Fields that are absent stay as they are, and no wallet is unlinked. */
export function putMember(books: Books, command: CommandOf<'member.put'>): AnswerTo<'member.put'> {
  const { memberId, fields, wallets } = command;
  if (!books.isPresent(memberId)) {
    return { isNew: true, member: viewOf(books, addMember(books, command)) };
  }
  for (const wallet of wallets) refuseTakenWallet(books, memberId, wallet);
  const member = changeFields(books, books.memberRow(memberId), fields);
  for (const wallet of wallets) attachWallet(books, memberId, wallet, false);
  return { isNew: false, member: viewOf(books, member) };
}

/** Writes a member's row and record. The caller has checked that the id is free. */
export function enrol(books: Books, memberId: string, fields: MemberFields): MemberRow {
  const { accounts = [], ...columns } = fields;
  const member: MemberRow = {
    id: memberId,
    ...BLANK_PROFILE,
    ...columns,
    status: 'active',
    createdAt: books.now,
    updatedAt: books.now,
    erasedAt: null,
  };
  books.members.set(memberId, member);
  replaceAccounts(books, memberId, accounts);
  books.record('member.created', { memberId, ...recorded(fields) });
  return member;
}

export function updateMember(books: Books, command: CommandOf<'member.update'>): Member {
  const { memberId, fields, status } = command;
  let member = changeFields(books, books.memberRow(memberId), fields);
  if (status !== undefined && status !== member.status) member = setStatus(books, member, status);
  return viewOf(books, member);
}

export function setStatus(books: Books, before: MemberRow, status: 'active' | 'frozen'): MemberRow {
  const member = { ...before, status, updatedAt: books.now };
  books.members.set(member.id, member);
  const type = status === 'frozen' ? 'member.frozen' : 'member.unfrozen';
  books.record(type, { memberId: member.id });
  return member;
}

function changeFields(books: Books, before: MemberRow, fields: MemberFields): MemberRow {
  const memberId = before.id;
  const changes = changedFields(books, before, fields);
  if (Object.keys(changes).length === 0) return before;
  const { accounts, ...columns } = changes;
  const member = { ...before, ...columns, updatedAt: books.now };
  books.members.set(memberId, member);
  if (accounts) replaceAccounts(books, memberId, accounts);
  books.record('member.updated', { memberId, ...recorded(changes) });
  return member;
}

const ownerOf = ({ memberId }: OwnedAccount): string => memberId;

/** In the order of a query. */
export const accountsOf = ({ accounts }: Books, memberId: string): OwnedAccount[] =>
  [...accounts.group(ownerOf, memberId).values()].sort((a, b) =>
    compareText(accountKey(a), accountKey(b)),
  );

/** The fields that differ: an update that changes nothing leaves no record. */
function changedFields(books: Books, member: MemberRow, fields: MemberFields): MemberFields {
  const changes = { ...fields };
  for (const name of PROFILE_COLUMNS) {
    if (changes[name] === member[name]) delete changes[name];
  }
  if (changes.accounts) {
    const current = accountsOf(books, member.id).map(({ memberId: _, ...account }) => account);
    const isSame = JSON.stringify(sorted(changes.accounts)) === JSON.stringify(current);
    if (isSame) delete changes.accounts;
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
  for (const account of accountsOf(books, memberId)) books.accounts.set(accountKey(account), null);
  for (const { provider, id, username } of accounts) {
    books.accounts.set(accountKey({ provider, id }), { memberId, provider, id, username });
  }
}

/** As a query returns them: sorted by key, the last one of those with the same key. */
function sorted(accounts: readonly Account[]): Account[] {
  const byKey = new Map(accounts.map((account) => [accountKey(account), account]));
  return [...byKey.values()]
    .map(({ provider, id, username }) => ({ provider, id, username }))
    .sort((a, b) => compareText(accountKey(a), accountKey(b)));
}

/** The fields as records have them: tags and metadata as they are, not as text. */
function recorded(fields: MemberFields): Partial<Profile> {
  const parsed = JSON_FIELDS.map((name) => [name, fields[name]] as const)
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => [name, JSON.parse(text as string)]);
  return { ...fields, ...Object.fromEntries(parsed) };
}

/** The member as a query would return it at this point of the batch. */
const viewOf = (books: Books, member: MemberRow): Member =>
  memberView(books.realmId, member, {
    kinds: books.sortedKinds().map(({ id, isDefault, archived, minimumBalance }) => ({
      realmPointId: id,
      isDefault,
      archived,
      minimumBalance,
      balance: books.balances.of(member.id, id),
      held: books.balances.held(member.id, id),
      movedAt: books.balances.movedAt(member.id, id),
    })),
    accounts: accountsOf(books, member.id),
    wallets: walletsOf(books, member.id),
  });
