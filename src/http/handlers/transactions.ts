import { iso } from '../../contract/instants.ts';
import { ProblemError } from '../../contract/problems.ts';
import type { Transaction } from '../../domain/rules/statements.ts';
import { asIs, type Call, execute, type Handler, notFound, requireRealm } from '../calls.ts';
import { pageOf, pageRequest } from '../cursor.ts';
import type { Services } from '../services.ts';

type ListId = 'memberTransactions' | 'listTransactions';

/** The page that is asked for, and the query that fetches it. */
function listRequest(call: Call<ListId>) {
  const { realmPointId, type, from, to } = call.query;
  const filters = { realmPointId, type, from, to };
  const request = pageRequest(call, filters, (key) => /^[1-9][0-9]{0,14}$/.test(key));
  const query = {
    realmId: call.params.realmID,
    realmPointId: request.filters.realmPointId ?? null,
    type: request.filters.type ?? null,
    from: instant(request.filters.from),
    to: instant(request.filters.to),
    before: request.after === null ? null : Number(request.after),
    limit: request.fetch,
  };
  return { request, query };
}

const instant = (text: string | undefined): number | null =>
  text === undefined ? null : Date.parse(text);

const keyOf = ({ transactionId }: Transaction): string => String(transactionId);

/** A mistyped kind of points must not pass for an empty list. */
async function requireKind(
  { ledger }: Services,
  { realmId, realmPointId }: { realmId: string; realmPointId: string | null },
): Promise<void> {
  if (realmPointId === null) return;
  const kinds = await ledger.query('kinds', { realmId });
  if (kinds.some((kind) => kind.id === realmPointId)) return;
  throw new ProblemError('realm-point-not-found', { realmPointId });
}

export const memberTransactions: Handler<'memberTransactions'> = async (call, services) => {
  const memberId = call.params.memberID;
  const { request, query } = listRequest(call);
  const found =
    (await services.ledger.query('statement', { ...query, memberId })) ??
    (await notFound(call, services, 'member-not-found', { memberId }));
  if (found.length === 0) await requireKind(services, query);
  return { body: pageOf(found, request, keyOf, transactionBody) };
};

export const listTransactions: Handler<'listTransactions'> = async (call, services) => {
  const { request, query } = listRequest(call);
  const found = await services.ledger.query('transactions', query);
  if (found.length === 0) {
    await requireRealm(call, services);
    await requireKind(services, query);
  }
  return { body: pageOf(found, request, keyOf, transactionBody) };
};

export const getTransaction: Handler<'getTransaction'> = async (call, services) => {
  const transactionId = Number(call.params.transactionID);
  const ask = { realmId: call.params.realmID, seq: transactionId };
  const found =
    (await services.ledger.query('transaction', ask)) ??
    (await notFound(call, services, 'transaction-not-found', { transactionId }));
  return { body: transactionBody(found) };
};

export const reverseTransaction: Handler<'reverseTransaction'> = (call, services) => {
  const { tokens = null, description = null, force = false } = call.body ?? {};
  const transactionId = Number(call.params.transactionID);
  const reversal = { transactionId, tokens, description, force };
  return execute(call, services, 'points.reverse', reversal, asIs);
};

export const getBalance: Handler<'getBalance'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const at = instant(call.query.at);
  const balances =
    (await services.ledger.query('balancesAt', { realmId, memberId, at })) ??
    (await notFound(call, services, 'member-not-found', { memberId }));
  const kinds = await services.ledger.query('kinds', { realmId });
  const defaultKind = kinds.find((kind) => kind.isDefault)?.id ?? '';
  const tokenBalance = balances[defaultKind] ?? 0;
  return { body: { memberId, at: iso(at ?? Date.now()), tokenBalance, balances } };
};

const transactionBody = (transaction: Transaction) => ({
  ...transaction,
  at: iso(transaction.at),
});
