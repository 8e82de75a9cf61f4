import { MAX_POINTS } from '../../domain/model.ts';
import { asIs, execute, type Handler, pick, query, requireRealm } from '../calls.ts';

export const listKinds: Handler<'listKinds'> = async (call, services) => {
  const kinds = await query(call, services, 'kinds', { realmId: call.params.realmID });
  if (kinds.length === 0) await requireRealm(call, services);
  return { body: { items: kinds, nextCursor: null } };
};

export const createKind: Handler<'createKind'> = (call, services) => {
  const { id, name, symbol = null, isDefault = false, isTransferable = true } = call.body;
  const { minimumBalance = 0, maximumBalance = MAX_POINTS } = call.body;
  const flags = { isDefault, isTransferable };
  const kind = { id, name, symbol, ...flags, minimumBalance, maximumBalance };
  return execute(call, services, 'kind.create', { kind }, asIs);
};

export const updateKind: Handler<'updateKind'> = (call, services) => {
  const limits = ['minimumBalance', 'maximumBalance'] as const;
  const changes = pick(call.body, 'name', 'symbol', 'isDefault', 'isTransferable', ...limits);
  const { realmPointId } = call.params;
  return execute(call, services, 'kind.update', { realmPointId, changes }, asIs);
};
