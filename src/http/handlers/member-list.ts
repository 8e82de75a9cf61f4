import { IDS_FAULT, memberBody } from '../../contract/operations/members.ts';
import { invalidRequest } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import { namesMatch, passes, type SearchKey, termsOf } from '../../domain/rules/search.ts';
import { type Call, type Handler, kindIn, notFound, query } from '../calls.ts';
import {
  cursorAfter,
  listBody,
  nameKeyIn,
  pageRequest,
  scoreKeyIn,
  sortKeyText,
} from '../cursor.ts';

export const listMembers: Handler<'listMembers'> = async (call) => {
  const request = listRequest(call);
  const read = readerFor(request.filters);
  return { body: await read(call, request) };
};

const FILTERS = ['search', 'ids', 'wallet', 'account', 'status', 'sort', 'realmPointId'] as const;

/** A kind of points means something only if members are sorted by it. */
function listRequest(call: Call<'listMembers'>) {
  const { realmPointId: _, ...rest } = call.query;
  const hasKind = rest.sort === '-balance' || rest.cursor !== undefined;
  const query: typeof call.query = hasKind ? call.query : rest;
  return pageRequest({ ...call, query }, FILTERS, isKey);
}

type ListRequest = ReturnType<typeof listRequest>;

function readerFor(filters: ListRequest['filters']) {
  const lone = combined(filters);
  if (lone !== null) {
    const detail = 'cannot be combined with other filters';
    throw invalidRequest([{ pointer: `/query/${lone}`, detail }]);
  }
  if (filters.ids !== undefined) return namedPage;
  if (isSorted(filters)) return sortedPage;
  return isSearch(filters) ? searchPage : memberPage;
}

/** A filter that stands alone, and does not here; null if there is none. */
function combined({ ids, search, wallet, account, status, ...order }: Filters) {
  const lone = ids !== undefined ? 'ids' : isSorted(order) ? 'sort' : null;
  const others = search ?? wallet ?? account ?? status ?? (ids && order.sort);
  return others === undefined ? null : lone;
}

async function namedPage(call: Call<'listMembers'>, request: ListRequest) {
  const ids = idsIn(request.filters.ids ?? '');
  if (!ids.every(isId)) throw invalidRequest([{ pointer: '/query/ids', detail: IDS_FAULT }]);
  const after = BigInt(request.after ?? 0);
  const memberIds = ids.filter((id) => BigInt(id) > after);
  // None are left if the cursor names the last of them, as no cursor that was issued does.
  const limit = Math.max(1, Math.min(request.limit, memberIds.length));
  const page = await query(call, 'namedMembers', {
    memberIds,
    limit,
    now: Date.now(),
  });
  return listBody(page, request, ({ id }) => id, memberBody);
}

/** Without duplicates, in the order of the list. */
const idsIn = (text: string): string[] =>
  [...new Set(text.split(','))].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));

async function sortedPage(call: Call<'listMembers'>, request: ListRequest) {
  const realmPointId = kindIn(request.filters);
  const { by, keyIn } = orderOf(request.filters);
  const found = await query(call, 'sortedMembers', {
    by,
    realmPointId,
    after: request.after === null ? null : keyIn(request.after),
    limit: request.limit,
    now: Date.now(),
  });
  const { members, next } = found ?? notFound('realm-point-not-found', { realmPointId });
  const nextCursor = next && cursorAfter(request, sortKeyText(next));
  return { items: members.map(memberBody), nextCursor };
}

async function memberPage(call: Call<'listMembers'>, request: ListRequest) {
  const { search, wallet, account, status } = request.filters;
  const { members, next } = await query(call, 'members', {
    after: request.after,
    limit: request.limit,
    now: Date.now(),
    filter: {
      wallet: wallet === undefined ? null : call.services.addresses.keyOf(wallet),
      account: account ?? null,
      status: status ?? null,
    },
  });
  const terms = search === undefined ? null : termsOf(search);
  const found = terms ? members.filter((member) => namesMatch(member, terms)) : members;
  return { items: found.map(memberBody), nextCursor: next && cursorAfter(request, next) };
}

async function searchPage(call: Call<'listMembers'>, request: ListRequest) {
  const { members, next } = await query(call, 'searchMembers', {
    search: request.filters.search ?? '',
    status: request.filters.status ?? null,
    after: searchKeyOf(request.after ?? ''),
    limit: request.limit,
    now: Date.now(),
  });
  const nextCursor = next && cursorAfter(request, `${next.word} ${next.memberId}`);
  return { items: members.map(memberBody), nextCursor };
}

type Filters = Partial<Record<(typeof FILTERS)[number], string | null>>;

const ORDERS = {
  name: { by: 'name', keyIn: nameKeyIn },
  '-balance': { by: 'balance', keyIn: scoreKeyIn },
  '-createdAt': { by: 'createdAt', keyIn: scoreKeyIn },
} as const;

const orderOf = ({ sort }: Filters) => ORDERS[sort as keyof typeof ORDERS];

const isSorted = ({ sort = 'id' }: Filters): boolean => sort !== 'id';

/** A wallet or an account leaves at most one member, and a search then compares its names only. */
const isSearch = ({ search, wallet, account }: Filters): boolean =>
  search !== undefined && wallet === undefined && account === undefined;

const isId = isParameter('memberID');

/** The key of a cursor is a member's id; if it is sorted or searched, something comes first. */
function isKey(key: string, filters: Filters): boolean {
  const hasKind = filters.realmPointId !== undefined;
  if (combined(filters) !== null || (hasKind && filters.sort !== '-balance')) return false;
  if (isSorted(filters)) return orderOf(filters).keyIn(key) !== null;
  if (filters.ids) return isId(key) && idsIn(filters.ids).includes(key);
  if (!isSearch(filters)) return isId(key);
  const after = searchKeyOf(key);
  return after !== null && passes(filters.search ?? '', after);
}

function searchKeyOf(key: string): SearchKey | null {
  const [word, memberId, ...more] = key.split(' ');
  return word && memberId && isId(memberId) && more.length === 0 ? { word, memberId } : null;
}
