import { iso } from '../../contract/instants.ts';
import type { MemberBody } from '../../contract/operations/members.ts';
import { isParameter } from '../../contract/validation.ts';
import { type MemberFields, PLAIN_MEMBER_FIELDS } from '../../domain/commands.ts';
import type { Member } from '../../domain/model.ts';
import { foldForSearch } from '../../domain/rules/search.ts';
import {
  asIs,
  type Call,
  execute,
  type Handler,
  notFound,
  pick,
  query,
  requireRealm,
} from '../calls.ts';
import { listBody, pageRequest } from '../cursor.ts';
import { checkedAddress } from '../services.ts';

export const getMember: Handler<'getMember'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const member =
    (await query(call, services, 'member', { realmId, memberId })) ??
    (await notFound(call, services, 'member-not-found', { memberId }));
  return { body: memberBody(member) };
};

export const createMember: Handler<'createMember'> = (call, services) => {
  const { id, wallets = [] } = call.body;
  const member = {
    memberId: id === undefined ? null : String(id),
    fields: fieldsOf(call.body),
    wallets: wallets.map((wallet) => checkedAddress(services, wallet)),
  };
  return execute(call, services, 'member.create', member, memberBody);
};

export const listMembers: Handler<'listMembers'> = async (call, services) => {
  const isId = isParameter('memberID');
  const request = pageRequest(call, ['search', 'wallet', 'account', 'status'], isId);
  const { after, limit, filters } = request;
  const members = await query(call, services, 'members', {
    realmId: call.params.realmID,
    after,
    limit,
    filter: {
      search: filters.search === undefined ? null : foldForSearch(filters.search),
      wallet: filters.wallet === undefined ? null : services.addresses.keyOf(filters.wallet),
      account: filters.account ?? null,
      status: filters.status ?? null,
    },
  });
  if (members.rows.length === 0) await requireRealm(call, services);
  return { body: listBody(members, request, ({ id }) => id, memberBody) };
};

export const updateMember: Handler<'updateMember'> = (call, services) => {
  const memberId = call.params.memberID;
  const update = { memberId, fields: fieldsOf(call.body), ...pick(call.body, 'status') };
  return execute(call, services, 'member.update', update, memberBody);
};

export const removeMember: Handler<'removeMember'> = (call, services) => {
  const memberId = call.params.memberID;
  const forfeit = call.query.forfeit === 'true';
  return execute(call, services, 'member.remove', { memberId, forfeit }, asIs);
};

function memberBody(member: Member): MemberBody {
  return {
    id: member.id,
    realmId: member.realmId,
    username: member.username,
    displayName: member.displayName,
    // No query returns a removed member.
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

function fieldsOf(sent: Call<'createMember' | 'updateMember'>['body']): MemberFields {
  const { accounts, metadata } = sent;
  return {
    ...pick(sent, ...PLAIN_MEMBER_FIELDS),
    ...(accounts && { accounts: accounts.map(accountOf) }),
    ...(metadata && { metadata: JSON.stringify(metadata) }),
  };
}

type AccountSent = NonNullable<Call<'createMember'>['body']['accounts']>[number];

const accountOf = ({ provider, id, username = null }: AccountSent) => ({ provider, id, username });
