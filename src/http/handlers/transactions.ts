import { ProblemError } from '../../contract/problems.ts';
import type { Transaction } from '../../domain/rules/statements.ts';
import { carryOut, envelope, type Handler, iso, requireRealm, type Services } from '../calls.ts';
import { page, type Walk, walkOf } from '../cursor.ts';

const isSeq = (text: string): boolean => /^[1-9][0-9]{0,14}$/.test(text);

interface Filters extends Record<string, string | undefined> {
  realmPointId: string | undefined;
  type: string | undefined;
  from: string | undefined;
  to: string | undefined;
}

interface FilterQuery {
  realmPointId?: string;
  type?: string;
  from?: string;
  to?: string;
}

const filtersOf = ({ realmPointId, type, from, to }: FilterQuery): Filters => ({
  realmPointId,
  type,
  from,
  to,
});

const instant = (text: string | undefined): number | null =>
  text === undefined ? null : Date.parse(text);

/** One row more than the page shows tells whether there is a next one. */
const paramsOf = (realmId: string, { filters, after, limit }: Walk<Filters>) => ({
  realmId,
  realmPointId: filters.realmPointId ?? null,
  type: filters.type ?? null,
  from: instant(filters.from),
  to: instant(filters.to),
  before: after === null ? null : Number(after),
  limit: limit + 1,
});

/** An empty page under a kind of points that the realm does not have would hide a mistake. */
async function requireKind({ ledger }: Services, realmId: string, { realmPointId }: Filters) {
  if (realmPointId === undefined) return;
  const kinds = await ledger.query('kinds', { realmId });
  if (kinds.some((kind) => kind.id === realmPointId)) return;
  throw new ProblemError('realm-point-not-found', { realmPointId });
}

const seqOf = (transaction: Transaction): string => String(transaction.transactionId);

export const memberTransactions: Handler<'memberTransactions'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const walk = walkOf(call, filtersOf(call.query), isSeq);
  const params = { ...paramsOf(realmId, walk), memberId };
  const found = await services.ledger.query('statement', params);
  if (!found) {
    await requireRealm(call, services);
    throw new ProblemError('member-not-found', { memberId });
  }
  if (found.length === 0) await requireKind(services, realmId, walk.filters);
  return { body: page(found, walk, seqOf, transactionBody) };
};

export const listTransactions: Handler<'listTransactions'> = async (call, services) => {
  const walk = walkOf(call, filtersOf(call.query), isSeq);
  const found = await services.ledger.query('transactions', paramsOf(call.params.realmID, walk));
  if (found.length === 0) {
    await requireRealm(call, services);
    await requireKind(services, call.params.realmID, walk.filters);
  }
  return { body: page(found, walk, seqOf, transactionBody) };
};

export const getTransaction: Handler<'getTransaction'> = async (call, services) => {
  const seq = Number(call.params.transactionID);
  const found = await services.ledger.query('transaction', { realmId: call.params.realmID, seq });
  if (!found) {
    await requireRealm(call, services);
    throw new ProblemError('transaction-not-found', { transactionId: seq });
  }
  return { body: transactionBody(found) };
};

export const reverseTransaction: Handler<'reverseTransaction'> = async (call, { ledger }) => {
  const { tokens = null, description = null, force = false } = call.body ?? {};
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'points.reverse',
    transactionId: Number(call.params.transactionID),
    tokens,
    description,
    force,
  });
  return { body: answer, replayed };
};

export const getBalance: Handler<'getBalance'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const at = instant(call.query.at);
  const balances = await services.ledger.query('balancesAt', { realmId, memberId, at });
  if (!balances) {
    await requireRealm(call, services);
    throw new ProblemError('member-not-found', { memberId });
  }
  const kinds = await services.ledger.query('kinds', { realmId });
  const byDefault = kinds.find((kind) => kind.isDefault)?.id ?? '';
  const tokenBalance = balances[byDefault] ?? 0;
  return { body: { memberId, at: iso(at ?? Date.now()), tokenBalance, balances } };
};

const transactionBody = (transaction: Transaction) => ({
  ...transaction,
  at: iso(transaction.at),
});
