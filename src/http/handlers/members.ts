import type { MemberBody } from '../../contract/operations/members.ts';
import { ProblemError } from '../../contract/problems.ts';
import { memberIdText } from '../../contract/schemas.ts';
import type { MemberFields } from '../../domain/commands.ts';
import type { Account, Member } from '../../domain/model.ts';
import { foldForSearch } from '../../domain/rules/search.ts';
import { carryOut, checkedAddress, envelope, type Handler, iso, requireRealm } from '../calls.ts';
import { page, walkOf } from '../cursor.ts';

export const getMember: Handler<'getMember'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const member = await services.ledger.query('member', { realmId, memberId });
  if (!member) {
    await requireRealm(call, services);
    throw new ProblemError('member-not-found', { memberId });
  }
  return { body: memberBody(member) };
};

export const createMember: Handler<'createMember'> = async (call, { ledger, addresses }) => {
  const { id, wallets = [] } = call.body;
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'member.create',
    memberId: id === undefined ? null : memberIdText(id),
    fields: fieldsOf(call.body),
    wallets: wallets.map((wallet) => checkedAddress(addresses, wallet)),
  });
  return { body: memberBody(answer), replayed };
};

export const listMembers: Handler<'listMembers'> = async (call, services) => {
  const { search, wallet, account, status } = call.query;
  const walk = walkOf(call, { search, wallet, account, status }, (key) => /^\d{1,19}$/.test(key));
  const members = await services.ledger.query('members', {
    realmId: call.params.realmID,
    after: walk.after,
    limit: walk.limit + 1,
    filter: {
      search: walk.filters.search === undefined ? null : foldForSearch(walk.filters.search),
      wallet:
        walk.filters.wallet === undefined ? null : services.addresses.keyOf(walk.filters.wallet),
      account: walk.filters.account ?? null,
      status: walk.filters.status ?? null,
    },
  });
  if (members.length === 0) await requireRealm(call, services);
  return { body: page(members, walk, (member) => member.id, memberBody) };
};

export const updateMember: Handler<'updateMember'> = async (call, { ledger }) => {
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'member.update',
    memberId: call.params.memberID,
    fields: fieldsOf(call.body),
    ...(call.body.status !== undefined && { status: call.body.status }),
  });
  return { body: memberBody(answer), replayed };
};

export const removeMember: Handler<'removeMember'> = async (call, { ledger }) => {
  await carryOut(ledger, {
    ...envelope(call),
    type: 'member.remove',
    memberId: call.params.memberID,
    forfeit: call.query.forfeit === 'true',
  });
  return { body: null };
};

export function memberBody(member: Member): MemberBody {
  return {
    id: member.id,
    realmId: member.realmId,
    username: member.username,
    displayName: member.displayName,
    // A removed member is never shown.
    status: member.status as MemberBody['status'],
    tokenBalance: member.balances[member.defaultRealmPointId] ?? 0,
    balances: member.balances,
    accounts: member.accounts,
    wallets: member.wallets.map((wallet) => wallet.address),
    metadata: JSON.parse(member.metadata),
    createdAt: iso(member.createdAt),
    updatedAt: iso(member.updatedAt),
  };
}

interface SentFields {
  username?: string | null;
  displayName?: string | null;
  accounts?: { provider: string; id: string; username?: string | null }[];
  metadata?: Record<string, unknown>;
}

function fieldsOf({ username, displayName, accounts, metadata }: SentFields): MemberFields {
  return {
    ...(username !== undefined && { username }),
    ...(displayName !== undefined && { displayName }),
    ...(accounts !== undefined && { accounts: accounts.map(accountOf) }),
    ...(metadata !== undefined && { metadata: JSON.stringify(metadata) }),
  };
}

const accountOf = ({
  provider,
  id,
  username = null,
}: {
  provider: string;
  id: string;
  username?: string | null;
}): Account => ({
  provider,
  id,
  username,
});
