import { iso, rfc2822 } from '../../contract/instants.ts';
import { MAX_EXPORTED } from '../../contract/operations/transactions.ts';
import { ProblemError } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import type { Member } from '../../domain/model.ts';
import type { PastBalances, StatementParams } from '../../domain/queries.ts';
import { MOVEMENT_TYPES } from '../../domain/records.ts';
import type { StatementPage, Transaction } from '../../domain/rules/statements.ts';
import { DAY_MS } from '../../domain/rules/time.ts';
import { asIs, type Call, execute, type Handler, notFound, pick, query } from '../calls.ts';
import { cursorAfter, pageRequest } from '../cursor.ts';

type ListId = 'memberTransactions' | 'listTransactions';

/** The page that is asked for, and the query that fetches it. */
async function listRequest(call: Call<ListId>) {
  const isKey = isParameter('transactionID');
  const request = pageRequest(call, ['realmPointId', 'type', 'from', 'to'], isKey);
  const { realmPointId, type = null, from, to } = request.filters;
  const query = {
    realmPointId: realmPointId === '' ? await defaultKind(call) : (realmPointId ?? null),
    type,
    from: instant(from),
    to: instant(to),
    before: request.after === null ? null : Number(request.after),
    limit: request.limit,
  };
  return { request, query };
}

async function defaultKind(call: Call<ListId>): Promise<string | null> {
  const kinds = await query(call, 'kinds', {});
  return kinds.find((kind) => kind.isDefault)?.id ?? null;
}

const instant = (text: string | undefined): number | null =>
  text === undefined ? null : Date.parse(text);

async function listAnswer(
  call: Call<ListId>,
  { request, query: { realmPointId } }: Awaited<ReturnType<typeof listRequest>>,
  { rows, next }: StatementPage,
) {
  if (rows.length === 0) {
    // A mistyped kind of points must not pass for an empty list.
    const kinds = realmPointId === null ? [] : await query(call, 'kinds', {});
    if (realmPointId !== null && !kinds.some((kind) => kind.id === realmPointId)) {
      throw new ProblemError('realm-point-not-found', { realmPointId });
    }
  }
  const nextCursor = next === null ? null : cursorAfter(request, String(next));
  return { body: { items: rows.map(transactionBody), nextCursor } };
}

export const memberTransactions: Handler<'memberTransactions'> = async (call) => {
  const memberId = call.params.memberID;
  const list = await listRequest(call);
  const found =
    (await query(call, 'statement', { ...list.query, memberId })) ??
    notFound('member-not-found', { memberId });
  return listAnswer(call, list, found);
};

export const listTransactions: Handler<'listTransactions'> = async (call) => {
  const list = await listRequest(call);
  const found = await query(call, 'transactions', list.query);
  return listAnswer(call, list, found);
};

export const getTransaction: Handler<'getTransaction'> = async (call) => {
  const transactionId = Number(call.params.transactionID);
  const found =
    (await query(call, 'transaction', { seq: transactionId })) ??
    notFound('transaction-not-found', { transactionId });
  return { body: transactionBody(found) };
};

export const reverseTransaction: Handler<'reverseTransaction'> = (call) => {
  const { tokens = null, description = null, force = false } = call.body ?? {};
  const transactionId = Number(call.params.transactionID);
  const reversal = { transactionId, tokens, description, force };
  return execute(call, 'points.reverse', reversal, asIs);
};

export const exportLogs: Handler<'exportLogs'> = async (call) => {
  const { limit, count, days, before } = call.query;
  const rows = await exported(call, {
    realmPointId: null,
    from: days === undefined ? null : Date.now() - Number(days) * DAY_MS,
    to: null,
    before: before === undefined ? null : Number(before),
    limit: Number(limit ?? count ?? MAX_EXPORTED),
  });
  return { body: rows.map((row) => exportedBody(call.params.realmID, row)) };
};

/**
 * The newest movements of each member and type that is asked for. A list that ends early has more
 * below its end, where the others must not go on before it; and a page that is empty for that
 * reason would be taken for the last one.
 */
async function exported(
  call: Call<'exportLogs'>,
  page: Omit<StatementParams, 'realmId' | 'type'>,
): Promise<Transaction[]> {
  const { users, types } = call.query;
  const lists = (users?.split(',') ?? [null]).flatMap((memberId) =>
    (types?.split(',') ?? [null]).map((type) => ({ memberId, type })),
  );
  let before = page.before;
  for (;;) {
    const pages = await Promise.all(
      lists.map((one) => movementsOf(call, one, { ...page, before })),
    );
    const end = Math.max(0, ...pages.map(({ next }) => next ?? 0));
    const found = new Map(pages.flatMap(({ rows }) => rows.map((row) => [row.transactionId, row])));
    const rows = [...found.values()].filter(({ transactionId }) => transactionId >= end);
    if (rows.length > 0 || end === 0) {
      return rows.sort((a, b) => b.transactionId - a.transactionId).slice(0, page.limit);
    }
    before = end;
  }
}

const isMovementType = (type: string): boolean =>
  (MOVEMENT_TYPES as readonly string[]).includes(type);

const NOTHING: StatementPage = { rows: [], next: null };

/** None of a member or a type that is unknown: certainly not everybody's. */
async function movementsOf(
  call: Call<'exportLogs'>,
  { memberId, type }: { memberId: string | null; type: string | null },
  page: Omit<StatementParams, 'realmId' | 'type'>,
): Promise<StatementPage> {
  if (type !== null && !isMovementType(type)) return NOTHING;
  if (memberId === null) return query(call, 'transactions', { ...page, type });
  if (!isParameter('memberID')(memberId)) return NOTHING;
  return (await query(call, 'statement', { ...page, type, memberId })) ?? NOTHING;
}

export const getBalance: Handler<'getBalance'> = async (call) => {
  const { memberID: memberId } = call.params;
  const [at, now] = [instant(call.query.at), Date.now()];
  const found =
    at === null
      ? await query(call, 'member', { memberId, now })
      : await query(call, 'balancesAt', { memberId, at });
  const { defaultRealmPointId, ...balances } =
    balancesOf(found) ?? notFound('member-not-found', { memberId });
  const tokenBalance = balances.balances[defaultRealmPointId] ?? 0;
  return { body: { memberId, at: iso(at ?? now), tokenBalance, ...balances } };
};

/** What is held and available is known as of now only. */
const balancesOf = (found: (PastBalances & Partial<Member>) | null) =>
  found && pick(found, 'defaultRealmPointId', 'balances', 'held', 'available');

function exportedBody(realmId: string, { transactionId, at, ...row }: Transaction) {
  const isLoss = row.tokens < 0;
  return {
    id: transactionId,
    timestamp: rfc2822(at),
    type: row.type,
    realm_id: realmId,
    guild_id: realmId,
    receiver: isLoss ? row.counterpartyId : row.memberId,
    sender: isLoss ? row.memberId : row.counterpartyId,
    data: {
      activity: row.type,
      amount: Math.abs(row.tokens),
      receiverBalance: isLoss ? row.counterpartyBalance : row.balance,
      senderBalance: isLoss ? row.balance : row.counterpartyBalance,
    },
    member_id: row.memberId,
    tokens: row.tokens,
    balance: row.balance,
    counterparty_id: row.counterpartyId,
    description: row.description,
    realm_point_id: row.realmPointId,
    ...(row.erased && { erased: row.erased }),
  };
}

const transactionBody = ({ counterpartyBalance: _, ...transaction }: Transaction) => ({
  ...transaction,
  at: iso(transaction.at),
});
