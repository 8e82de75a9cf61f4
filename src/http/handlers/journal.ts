import { iso } from '../../contract/instants.ts';
import { wholeData } from '../../domain/records.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { Unavailable } from '../../ledger/errors.ts';
import { EventFilter } from '../../ledger/feeds/event-filter.ts';
import { followVerification } from '../../ledger/verification.ts';
import { type Handler, notFound, query, realmOf } from '../calls.ts';

export const listEvents: Handler<'listEvents'> = async (call) => {
  const after = Number(call.query.after ?? 0);
  const limit = Number(call.query.limit ?? 50);
  const { rows } = await query(call, 'records', { after, limit });
  const filter = new EventFilter(call.query.types);
  const items = rows.filter(({ type }) => filter.admits(type)).map(eventOf);
  return { body: { items, lastSeq: rows.at(-1)?.seq ?? after } };
};

export const getEvent: Handler<'getEvent'> = async (call) => {
  const seq = Number(call.params.seq);
  const { rows } = await query(call, 'records', { after: seq - 1, limit: 1 });
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

export const verifyRealm: Handler<'verifyRealm'> = async (call) => {
  const realmId = call.params.realmID;
  const { services } = call;
  const verdict = await followVerification(services.ledger, realmId, () => {
    if (services.status.isStopping) throw new Unavailable('overloaded', 'the service is stopping');
    if (call.caller.destroyed) throw new Unavailable('overloaded', 'the caller is gone');
  });
  return { body: verdict ?? notFound('realm-not-found', { realmId }) };
};

export const startVerification: Handler<'startVerification'> = async (call) => {
  const realmId = call.params.realmID;
  const { createdAt } = await realmOf(call);
  const { ledger } = call.services;
  const check = await ledger.query('startVerification', { realmId, createdAt });
  return { body: check, location: `/api/v4/realms/${realmId}/verify/${check.id}` };
};

export const getVerification: Handler<'getVerification'> = async (call) => {
  const { realmID: realmId, verificationID: id } = call.params;
  const { createdAt } = await realmOf(call);
  const check = await call.services.ledger.query('verification', { realmId, createdAt, id });
  const extra = { verificationId: id };
  return { body: check ?? notFound('verification-not-found', extra) };
};
