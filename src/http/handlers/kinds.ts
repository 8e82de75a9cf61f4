import { kindFields, newKindOf } from '../../contract/operations/kinds.ts';
import { asIs, execute, type Handler, pick, query } from '../calls.ts';

export const listKinds: Handler<'listKinds'> = async (call, services) => {
  const kinds = await query(call, services, 'kinds', { realmId: call.params.realmID });
  return { body: { items: kinds, nextCursor: null } };
};

export const createKind: Handler<'createKind'> = (call, services) => {
  return execute(call, services, 'kind.create', { kind: newKindOf(call.body) }, asIs);
};

export const updateKind: Handler<'updateKind'> = (call, services) => {
  const changes = pick(call.body, ...kindFields, 'archived');
  const { realmPointId } = call.params;
  return execute(call, services, 'kind.update', { realmPointId, changes }, asIs);
};
