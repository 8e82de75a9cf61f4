import { kindFields, newKindOf } from '../../contract/operations/kinds.ts';
import { asIs, execute, type Handler, pick, query } from '../calls.ts';

export const listKinds: Handler<'listKinds'> = async (call) => {
  const kinds = await query(call, 'kinds', {});
  return { body: { items: kinds, nextCursor: null } };
};

export const createKind: Handler<'createKind'> = async (call) => {
  const kind = newKindOf(call.body);
  const answer = await execute(call, 'kind.create', { kind }, asIs);
  await call.services.enrolments.finished(call.params.realmID);
  return answer;
};

export const updateKind: Handler<'updateKind'> = (call) => {
  const changes = pick(call.body, ...kindFields, 'archived');
  const { realmPointId } = call.params;
  return execute(call, 'kind.update', { realmPointId, changes }, asIs);
};
