import { enrolmentOf, memberFieldsOf, newMemberOf } from '../../contract/new-member.ts';
import { BATCH_COST_FAULT, MAX_BATCH_COST } from '../../contract/operations/member-batch.ts';
import { memberBody } from '../../contract/operations/members.ts';
import { invalidRequest } from '../../contract/problems.ts';
import type { Enrolment } from '../../domain/commands.ts';
import { costOfEnrolment } from '../../engine/cost.ts';
import {
  asIs,
  type Call,
  execute,
  type Handler,
  notFound,
  pick,
  query,
  resultsOf,
  workOn,
} from '../calls.ts';
import { checkedAddress, type Services } from '../services.ts';

export const getMember: Handler<'getMember'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const member =
    (await query(call, services, 'member', { realmId, memberId, now: Date.now() })) ??
    notFound('member-not-found', { memberId });
  return { body: memberBody(member) };
};

export const createMember: Handler<'createMember'> = (call, services) =>
  execute(
    call,
    services,
    'member.create',
    newMemberOf(call.body, addressParser(services)),
    memberBody,
  );

export const putMember: Handler<'putMember'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const put = { ...newMemberOf(call.body, addressParser(services)), memberId };
  const { body, ...answer } = await execute(call, services, 'member.put', put, asIs);
  const location = `/api/v4/realms/${realmId}/members/${memberId}`;
  return { ...answer, body: memberBody(body.member), ...(body.isNew && { isNew: true, location }) };
};

export const createMembers: Handler<'createMembers'> = async (call, services) => {
  const { atomic = true, description = null } = call.body;
  const members = await workOn(call, enrolmentsOf(call, services));
  const batch = { atomic, description, members };
  const { body, ...answer } = await execute(call, services, 'member.batch', batch, asIs);
  const results = await workOn(call, resultsOf(body));
  return { ...answer, body: { message: 'Ok', results } };
};

/**
 * Pauses between members, because addresses take a while to parse. Their cost is counted as the
 * queue will count it: a body within its limit can be 510,000 rows, which nothing could interrupt.
 */
function* enrolmentsOf(
  call: Call<'createMembers'>,
  services: Services,
): Generator<void, Enrolment[]> {
  const enrolments: Enrolment[] = [];
  const parseAddress = addressParser(services);
  let cost = 0;
  for (const member of call.body.members) {
    const enrolment = enrolmentOf(member, parseAddress);
    cost += costOfEnrolment(enrolment);
    if (cost > MAX_BATCH_COST) {
      throw invalidRequest([{ pointer: '/members', detail: BATCH_COST_FAULT }]);
    }
    enrolments.push(enrolment);
    yield;
  }
  return enrolments;
}

const addressParser = (services: Services) => (text: string) => checkedAddress(services, text);

export const updateMember: Handler<'updateMember'> = (call, services) => {
  const memberId = call.params.memberID;
  const update = { memberId, fields: memberFieldsOf(call.body), ...pick(call.body, 'status') };
  return execute(call, services, 'member.update', update, memberBody);
};

export const removeMember: Handler<'removeMember'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const forfeit = call.query.forfeit === 'true';
  const erase = call.query.erase === 'true';
  const answer = await execute(call, services, 'member.remove', { memberId, forfeit, erase }, asIs);
  if (erase) await services.erasures.finished(realmId);
  return answer;
};
