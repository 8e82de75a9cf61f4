import { MAX_POINTS, type PointKind } from '../../domain/model.ts';
import { carryOut, envelope, type Handler, requireRealm } from '../calls.ts';

export const listKinds: Handler<'listKinds'> = async (call, services) => {
  const kinds = await services.ledger.query('kinds', { realmId: call.params.realmID });
  if (kinds.length === 0) await requireRealm(call, services);
  return { body: { items: kinds, nextCursor: null } };
};

export const createKind: Handler<'createKind'> = async (call, { ledger }) => {
  const { id, name, symbol = null, isDefault = false, isTransferable = true } = call.body;
  const { minimumBalance = 0, maximumBalance = MAX_POINTS } = call.body;
  const kind: PointKind = {
    id,
    name,
    symbol,
    isDefault,
    isTransferable,
    minimumBalance,
    maximumBalance,
  };
  const command = { ...envelope(call), type: 'kind.create' as const, kind };
  const { answer, replayed } = await carryOut(ledger, command);
  return { body: answer, replayed };
};

export const updateKind: Handler<'updateKind'> = async (call, { ledger }) => {
  const { name, symbol, isDefault, isTransferable, minimumBalance, maximumBalance } = call.body;
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'kind.update',
    realmPointId: call.params.realmPointId,
    changes: {
      ...(name !== undefined && { name }),
      ...(symbol !== undefined && { symbol }),
      ...(isDefault !== undefined && { isDefault }),
      ...(isTransferable !== undefined && { isTransferable }),
      ...(minimumBalance !== undefined && { minimumBalance }),
      ...(maximumBalance !== undefined && { maximumBalance }),
    },
  });
  return { body: answer, replayed };
};
