import { iso } from '../../contract/instants.ts';
import { invalidRequest } from '../../contract/problems.ts';
import { wholeData } from '../../domain/records.ts';
import type { Verdict } from '../../domain/rules/audit.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { Unavailable } from '../../ledger/errors.ts';
import { EventFilter } from '../../ledger/feeds/event-page.ts';
import { followVerification } from '../../ledger/ledger.ts';
import { type Call, type Handler, notFound, query, realmOf } from '../calls.ts';

export const listEvents: Handler<'listEvents'> = async (call) => {
  const limit = Number(call.query.limit ?? 50);
  const filter = new EventFilter(call.query.types);
  if (call.query.before !== undefined) return newestEvents(call, filter, limit);
  const after = Number(call.query.after ?? 0);
  const { rows } = await query(call, 'records', { after, limit });
  const items = rows.filter(({ type }) => filter.admits(type)).map(eventOf);
  return { body: { items, lastSeq: rows.at(-1)?.seq ?? after } };
};

async function newestEvents(call: Call<'listEvents'>, filter: EventFilter, limit: number) {
  if (call.query.after !== undefined) {
    const detail = 'must be absent if there is "after"';
    throw invalidRequest([{ pointer: '/query/before', detail }]);
  }
  const before = Number(call.query.before);
  const types = filter.types && [...filter.types];
  const { rows, hasMore } = await query(call, 'newestRecords', { before, types, limit });
  const lastSeq = hasMore ? (rows.at(-1)?.seq ?? before) : 1;
  return { body: { items: rows.map(eventOf), lastSeq } };
}

export const getEvent: Handler<'getEvent'> = async (call) => {
  const seq = Number(call.params.seq);
  const { rows } = await query(call, 'records', { after: seq - 1, limit: 1 });
  const record = rows[0] ?? notFound('event-not-found', { seq });
  return { body: { ...eventOf(record), hash: record.hash } };
};

function eventOf(record: JournalRecord) {
  const { seq, type, at, actor } = record;
  const { onBehalfOf, ...data } = JSON.parse(wholeData(record));
  return { seq, type, at: iso(at), actor, ...(onBehalfOf && { onBehalfOf }), data };
}

export const verifyRealm: Handler<'verifyRealm'> = async (call) => {
  const realmId = call.params.realmID;
  const { services } = call;
  const verdict = await followVerification(services.ledger, realmId, () => {
    if (services.status.isStopping) throw new Unavailable('overloaded', 'the service is stopping');
    if (call.caller.destroyed) throw new Unavailable('overloaded', 'the caller is gone');
  });
  return { body: noted(call, verdict ?? notFound('realm-not-found', { realmId })) };
};

/** Remembers a fault until a check finds none. */
function noted(call: Call<'verifyRealm' | 'getVerification'>, verdict: Verdict): Verdict {
  const { faults } = call.services.status;
  const { realmID: id } = call.params;
  if (verdict.ok) faults.delete(id);
  else faults.getOrInsert(id, { at: Date.now(), detail: verdict.fault.detail });
  return verdict;
}

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
  if (check?.result) noted(call, check.result);
  return { body: check ?? notFound('verification-not-found', extra) };
};
