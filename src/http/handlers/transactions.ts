import { iso, rfc2822 } from '../../contract/instants.ts';
import { MAX_EXPORTED } from '../../contract/operations/transactions.ts';
import { invalidRequest, ProblemError } from '../../contract/problems.ts';
import { shownSums } from '../../contract/sums.ts';
import { isParameter } from '../../contract/validation.ts';
import type { Member } from '../../domain/model.ts';
import { MOVEMENT_TYPES } from '../../domain/movements.ts';
import type { PastBalances, StatementParams } from '../../domain/queries.ts';
import {
  type StatementPage,
  type Transaction,
  wholeRecords,
} from '../../domain/rules/statements.ts';
import { DAY_MS } from '../../domain/rules/time.ts';
import { asIs, type Call, execute, type Handler, notFound, query, realmOf } from '../calls.ts';
import { cursorAfter, pageRequest } from '../cursor.ts';

type ListId = 'memberTransactions' | 'listTransactions';

type Filters = Omit<Call<'listTransactions'>['query'], 'limit' | 'cursor'>;

const FILTERS = ['realmPointId', 'type', 'from', 'to', 'reference'] as const;

/** Each finds movements by an index of its own, so not together with these. */
const ALONE: { [Name in keyof Filters]?: readonly (keyof Filters)[] } = {
  reference: ['realmPointId', 'type'],
  idempotencyKey: FILTERS,
};

function refuseTogether(filters: Filters): void {
  const names = Object.keys(filters) as (keyof Filters)[];
  const faults = names.flatMap((name) =>
    names
      .filter((other) => ALONE[name]?.includes(other))
      .map((other) => ({ pointer: `/query/${other}`, detail: `must be absent with "${name}"` })),
  );
  if (faults.length > 0) throw invalidRequest(faults);
}

/** The page that is asked for, and the query that fetches it. */
async function listRequest(call: Call<ListId>) {
  const isKey = isParameter('transactionID');
  const query: Call<'listTransactions'>['query'] = call.query;
  const ofRealm = call.operationId === 'listTransactions' ? (['idempotencyKey'] as const) : [];
  const request = pageRequest({ ...call, query }, [...FILTERS, ...ofRealm], isKey);
  refuseTogether(request.filters);
  const { realmPointId, type = null, from, to, reference } = request.filters;
  const params = {
    realmPointId: realmPointId === '' ? await defaultKind(call) : (realmPointId ?? null),
    type,
    from: instant(from),
    to: instant(to),
    reference,
    before: request.after === null ? null : Number(request.after),
    limit: request.limit,
  };
  return { request, query: params };
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
  const { idempotencyKey } = list.request.filters;
  const found =
    idempotencyKey === undefined
      ? await query(call, 'transactions', list.query)
      : await query(call, 'transactionsOfKey', { idempotencyKey, ...list.query });
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
  const { tokens = null, description = null, force = false, reference, metadata } = call.body ?? {};
  const transactionId = Number(call.params.transactionID);
  const reversal = { transactionId, tokens, description, reference, metadata, force };
  return execute(call, 'points.reverse', reversal, asIs);
};

export const exportLogs: Handler<'exportLogs'> = async (call) => {
  const { limit, count, days, before } = call.query;
  // A list of unknown members alone would read nothing of the realm.
  await realmOf(call);
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
    const found = new Map(pages.flatMap(({ rows }) => rows.map((row) => [postingKey(row), row])));
    const rows = [...found.values()].filter(({ transactionId }) => transactionId >= end);
    if (rows.length > 0 || end === 0) {
      rows.sort((a, b) => b.transactionId - a.transactionId);
      return wholeRecords(rows, page.limit);
    }
    before = end;
  }
}

/** A movement is shown once, a claim of several kinds of points once for each. */
const postingKey = ({ transactionId, realmPointId }: Transaction): string =>
  `${transactionId} ${realmPointId}`;

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
  const { defaultRealmPointId, balances, held, available }: PastBalances & Partial<Member> =
    found ?? notFound('member-not-found', { memberId });
  const tokenBalance = balances[defaultRealmPointId] ?? 0;
  // What is held and available is known as of now only.
  const ofHolds = held && available && { held: shownSums(held), available: shownSums(available) };
  return { body: { memberId, at: iso(at ?? now), tokenBalance, balances, ...ofHolds } };
};

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
