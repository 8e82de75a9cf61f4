import { kindFields, newKindOf } from '../../contract/operations/kinds.ts';
import { asIs, execute, type Handler, pick, query } from '../calls.ts';

export const listKinds: Handler<'listKinds'> = async (call, services) => {
  const kinds = await query(call, services, 'kinds', { realmId: call.params.realmID });
  return { body: { items: kinds, nextCursor: null } };
};

export const createKind: Handler<'createKind'> = async (call, services) => {
  const kind = newKindOf(call.body);
  const answer = await execute(call, services, 'kind.create', { kind }, asIs);
  await services.enrolments.finished(call.params.realmID);
  return answer;
};

export const updateKind: Handler<'updateKind'> = (call, services) => {
  const changes = pick(call.body, ...kindFields, 'archived');
  const { realmPointId } = call.params;
  return execute(call, services, 'kind.update', { realmPointId, changes }, asIs);
};
