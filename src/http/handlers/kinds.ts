import { MAX_POINTS } from '../../domain/model.ts';
import { asIs, execute, type Handler, requireRealm } from '../calls.ts';

export const listKinds: Handler<'listKinds'> = async (call, services) => {
  const kinds = await services.ledger.query('kinds', { realmId: call.params.realmID });
  if (kinds.length === 0) await requireRealm(call, services);
  return { body: { items: kinds, nextCursor: null } };
};

export const createKind: Handler<'createKind'> = (call, services) => {
  const { id, name, symbol = null, isDefault = false, isTransferable = true } = call.body;
  const { minimumBalance = 0, maximumBalance = MAX_POINTS } = call.body;
  const flags = { isDefault, isTransferable };
  const kind = { id, name, symbol, ...flags, minimumBalance, maximumBalance };
  return execute(call, services, { type: 'kind.create', kind }, asIs);
};

export const updateKind: Handler<'updateKind'> = (call, services) => {
  const { name, symbol, isDefault, isTransferable, minimumBalance, maximumBalance } = call.body;
  const changes = {
    ...(name !== undefined && { name }),
    ...(symbol !== undefined && { symbol }),
    ...(isDefault !== undefined && { isDefault }),
    ...(isTransferable !== undefined && { isTransferable }),
    ...(minimumBalance !== undefined && { minimumBalance }),
    ...(maximumBalance !== undefined && { maximumBalance }),
  };
  const { realmPointId } = call.params;
  return execute(call, services, { type: 'kind.update', realmPointId, changes }, asIs);
};
