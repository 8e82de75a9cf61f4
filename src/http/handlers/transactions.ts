import { iso } from '../../contract/instants.ts';
import { ProblemError } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import type { Page } from '../../domain/rules/pages.ts';
import type { Transaction } from '../../domain/rules/statements.ts';
import { asIs, type Call, execute, type Handler, notFound, query, requireRealm } from '../calls.ts';
import { listBody, pageRequest } from '../cursor.ts';
import type { Services } from '../services.ts';

type ListId = 'memberTransactions' | 'listTransactions';

/** The page that is asked for, and the query that fetches it. */
function listRequest(call: Call<ListId>) {
  const isKey = isParameter('transactionID');
  const request = pageRequest(call, ['realmPointId', 'type', 'from', 'to'], isKey);
  const { realmPointId = null, type = null, from, to } = request.filters;
  const query = {
    realmId: call.params.realmID,
    realmPointId,
    type,
    from: instant(from),
    to: instant(to),
    before: request.after === null ? null : Number(request.after),
    limit: request.limit,
  };
  return { request, query };
}

const instant = (text: string | undefined): number | null =>
  text === undefined ? null : Date.parse(text);

async function listAnswer(
  call: Call<ListId>,
  services: Services,
  { request, query: { realmId, realmPointId } }: ReturnType<typeof listRequest>,
  found: Page<Transaction>,
) {
  if (found.rows.length === 0) {
    await requireRealm(call, services);
    // A mistyped kind of points must not pass for an empty list.
    const kinds = realmPointId === null ? [] : await query(call, services, 'kinds', { realmId });
    if (realmPointId !== null && !kinds.some((kind) => kind.id === realmPointId)) {
      throw new ProblemError('realm-point-not-found', { realmPointId });
    }
  }
  const keyOf = ({ transactionId }: Transaction) => String(transactionId);
  return { body: listBody(found, request, keyOf, transactionBody) };
}

export const memberTransactions: Handler<'memberTransactions'> = async (call, services) => {
  const memberId = call.params.memberID;
  const list = listRequest(call);
  const found =
    (await query(call, services, 'statement', { ...list.query, memberId })) ??
    (await notFound(call, services, 'member-not-found', { memberId }));
  return listAnswer(call, services, list, found);
};

export const listTransactions: Handler<'listTransactions'> = async (call, services) => {
  const list = listRequest(call);
  const found = await query(call, services, 'transactions', list.query);
  return listAnswer(call, services, list, found);
};

export const getTransaction: Handler<'getTransaction'> = async (call, services) => {
  const transactionId = Number(call.params.transactionID);
  const ask = { realmId: call.params.realmID, seq: transactionId };
  const found =
    (await query(call, services, 'transaction', ask)) ??
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
    (await query(call, services, 'balancesAt', { realmId, memberId, at })) ??
    (await notFound(call, services, 'member-not-found', { memberId }));
  const kinds = await query(call, services, 'kinds', { realmId });
  const defaultKind = kinds.find((kind) => kind.isDefault)?.id ?? '';
  const tokenBalance = balances[defaultKind] ?? 0;
  return { body: { memberId, at: iso(at ?? Date.now()), tokenBalance, balances } };
};

const transactionBody = (transaction: Transaction) => ({
  ...transaction,
  at: iso(transaction.at),
});
