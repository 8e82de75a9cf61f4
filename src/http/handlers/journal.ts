import { iso } from '../../contract/instants.ts';
import { ProblemError } from '../../contract/problems.ts';
import { type Handler, requireRealm } from '../calls.ts';

export const listEvents: Handler<'listEvents'> = async (call, services) => {
  const realmId = call.params.realmID;
  const after = Number(call.query.after ?? 0);
  const limit = Number(call.query.limit ?? 50);
  const records = await services.ledger.query('records', { realmId, after, limit });
  if (records.length === 0) await requireRealm(call, services);
  const items = records.map(({ seq, type, at, actor, data }) => ({
    seq,
    type,
    at: iso(at),
    actor,
    data: JSON.parse(data),
  }));
  return { body: { items, lastSeq: items.at(-1)?.seq ?? after } };
};

export const verifyRealm: Handler<'verifyRealm'> = async (call, { ledger }) => {
  const realmId = call.params.realmID;
  const verdict = await ledger.query('verify', { realmId });
  if (!verdict) throw new ProblemError('realm-not-found', { realmId });
  return { body: verdict };
};
