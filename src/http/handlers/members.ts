import {
  enrolmentOf,
  memberFieldsOf,
  newMemberOf,
} from '../../contract/operations/member-batch.ts';
import { memberBody, type ShownMember } from '../../contract/operations/members.ts';
import { BLANK_PROFILE } from '../../domain/model.ts';
import { pastBalancesView } from '../../domain/rules/views.ts';
import {
  type AnyCall,
  asIs,
  type Call,
  execute,
  type Handler,
  notFound,
  pick,
  query,
  resultsOf,
} from '../calls.ts';
import { checkedAddress } from '../services.ts';

export const getMember: Handler<'getMember'> = async (call) => {
  const { memberID: memberId } = call.params;
  const member =
    (await query(call, 'member', { memberId, now: Date.now() })) ??
    (await nobody(call)) ??
    notFound('member-not-found', { memberId });
  return { body: memberBody(member) };
};

/** What is shown of a member that there is not, if the realm shows it at all. */
async function nobody(call: Call<'getMember'>): Promise<ShownMember | null> {
  const { realmID: realmId, memberID: id } = call.params;
  const realm = await query(call, 'realm', {});
  if (realm?.settings.unknownMembers !== 'zero') return null;
  const kinds = await query(call, 'kinds', {});
  const nothing = pastBalancesView(
    kinds.map(({ id: realmPointId, isDefault }) => ({ realmPointId, isDefault, balance: 0 })),
  );
  const now = Date.now();
  return {
    ...{ id, realmId, status: 'unknown', ...BLANK_PROFILE, accounts: [], wallets: [] },
    ...{ ...nothing, held: nothing.balances, available: nothing.balances },
    createdAt: now,
    updatedAt: now,
    lastActiveAt: now,
    erasedAt: null,
  };
}

export const createMember: Handler<'createMember'> = (call) =>
  execute(call, 'member.create', newMemberOf(call.body, addressParser(call)), memberBody);

export const putMember: Handler<'putMember'> = async (call) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const put = { ...newMemberOf(call.body, addressParser(call)), memberId };
  const { body, ...answer } = await execute(call, 'member.put', put, asIs);
  const location = `/api/v4/realms/${realmId}/members/${memberId}`;
  return { ...answer, body: memberBody(body.member), ...(body.isNew && { isNew: true, location }) };
};

export const createMembers: Handler<'createMembers'> = async (call) => {
  const { atomic = true, description = null, opensPresent = false } = call.body;
  const parseAddress = addressParser(call);
  const members = call.body.members.map((member) => enrolmentOf(member, parseAddress));
  const batch = { atomic, description, members, opensPresent };
  const { body, ...answer } = await execute(call, 'member.batch', batch, asIs);
  return { ...answer, body: { message: 'Ok', results: resultsOf(body) } };
};

const addressParser =
  ({ services }: AnyCall) =>
  (text: string) =>
    checkedAddress(services, text);

export const updateMember: Handler<'updateMember'> = (call) => {
  const memberId = call.params.memberID;
  const update = { memberId, fields: memberFieldsOf(call.body), ...pick(call.body, 'status') };
  return execute(call, 'member.update', update, memberBody);
};

export const removeMember: Handler<'removeMember'> = async (call) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const forfeit = call.query.forfeit === 'true';
  const erase = call.query.erase === 'true';
  const answer = await execute(call, 'member.remove', { memberId, forfeit, erase }, asIs);
  if (erase) await call.services.erasures.finished(realmId);
  return answer;
};
