import { iso } from '../../contract/instants.ts';
import { wholeData } from '../../domain/records.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { Unavailable } from '../../ledger/errors.ts';
import { EventFilter } from '../../ledger/feeds/event-filter.ts';
import { followVerification } from '../../ledger/verification.ts';
import { type Handler, notFound, query, realmOf } from '../calls.ts';

export const listEvents: Handler<'listEvents'> = async (call, services) => {
  const realmId = call.params.realmID;
  const after = Number(call.query.after ?? 0);
  const limit = Number(call.query.limit ?? 50);
  const { rows } = await query(call, services, 'records', { realmId, after, limit });
  const filter = new EventFilter(call.query.types);
  const items = rows.filter(({ type }) => filter.admits(type)).map(eventOf);
  return { body: { items, lastSeq: rows.at(-1)?.seq ?? after } };
};

export const getEvent: Handler<'getEvent'> = async (call, services) => {
  const seq = Number(call.params.seq);
  const wanted = { realmId: call.params.realmID, after: seq - 1, limit: 1 };
  const { rows } = await query(call, services, 'records', wanted);
  const record = rows[0] ?? notFound('event-not-found', { seq });
  return { body: { ...eventOf(record), hash: record.hash } };
};

const eventOf = (record: JournalRecord) => ({
  seq: record.seq,
  type: record.type,
  at: iso(record.at),
  actor: record.actor,
  data: JSON.parse(wholeData(record)),
});

export const verifyRealm: Handler<'verifyRealm'> = async (call, services) => {
  const realmId = call.params.realmID;
  const verdict = await followVerification(services.ledger, realmId, () => {
    if (services.status.isStopping) throw new Unavailable('overloaded', 'the service is stopping');
    if (call.caller.destroyed) throw new Unavailable('overloaded', 'the caller is gone');
  });
  return { body: verdict ?? notFound('realm-not-found', { realmId }) };
};

export const startVerification: Handler<'startVerification'> = async (call, services) => {
  const realmId = call.params.realmID;
  const { createdAt } = await realmOf(call, services);
  const check = await services.ledger.query('startVerification', { realmId, createdAt });
  return { body: check, location: `/api/v4/realms/${realmId}/verify/${check.id}` };
};

export const getVerification: Handler<'getVerification'> = async (call, services) => {
  const { realmID: realmId, verificationID: id } = call.params;
  const { createdAt } = await realmOf(call, services);
  const check = await services.ledger.query('verification', { realmId, createdAt, id });
  const extra = { verificationId: id };
  return { body: check ?? notFound('verification-not-found', extra) };
};
