import { iso } from '../../contract/instants.ts';
import { type Handler, notFound, query, requireRealm } from '../calls.ts';

export const listEvents: Handler<'listEvents'> = async (call, services) => {
  const realmId = call.params.realmID;
  const after = Number(call.query.after ?? 0);
  const limit = Number(call.query.limit ?? 50);
  const { rows } = await query(call, services, 'records', { realmId, after, limit });
  if (rows.length === 0) await requireRealm(call, services);
  const items = rows.map((record) => ({
    ...record,
    at: iso(record.at),
    data: JSON.parse(record.data),
  }));
  return { body: { items, lastSeq: items.at(-1)?.seq ?? after } };
};

export const verifyRealm: Handler<'verifyRealm'> = async (call, services) => {
  const realmId = call.params.realmID;
  const verdict = await query(call, services, 'verify', { realmId });
  return { body: verdict ?? (await notFound(call, services, 'realm-not-found', { realmId })) };
};
