import { IDS_FAULT } from '../../contract/operations/member-list.ts';
import { memberBody } from '../../contract/operations/members.ts';
import { invalidRequest } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import type { MemberConditions, Range } from '../../domain/queries.ts';
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
  if (isChosen(request.filters)) await requireKind(call, request.filters);
  return { body: { ...(await read(call, request)), ...(await countOf(call, request)) } };
};

const CHOICES = [
  'status',
  'tags',
  'hasWallet',
  'minimumBalance',
  'maximumBalance',
  'createdFrom',
  'createdTo',
  'activeFrom',
  'activeTo',
] as const;
const FILTERS = ['search', 'ids', 'wallet', 'account', ...CHOICES, 'sort', 'realmPointId'] as const;

/** A kind of points means something only if members are sorted or chosen by a balance. */
function listRequest(call: Call<'listMembers'>) {
  const { realmPointId: _, ...rest } = call.query;
  const hasKind = comparesBalance(rest) || rest.cursor !== undefined;
  const query: typeof call.query = hasKind ? call.query : rest;
  return pageRequest({ ...call, query }, FILTERS, isKey);
}

const comparesBalance = ({ sort, minimumBalance, maximumBalance }: Filters): boolean =>
  sort === '-balance' || minimumBalance !== undefined || maximumBalance !== undefined;

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
function combined({ ids, search, wallet, account, ...rest }: Filters) {
  const lone = ids !== undefined ? 'ids' : isSorted(rest) ? 'sort' : null;
  const isAmongFew = ids !== undefined || rest.sort === 'name';
  const others = search ?? wallet ?? account ?? (ids && rest.sort);
  return others !== undefined || (isAmongFew && isChosen(rest)) ? lone : null;
}

const isChosen = (filters: Filters): boolean => CHOICES.some((name) => filters[name] !== undefined);

/** Absent if there are none: what has no conditions is a quicker walk. */
function conditionsOf(filters: ListRequest['filters']): MemberConditions | undefined {
  if (!isChosen(filters)) return undefined;
  const { status = null, tags, hasWallet, createdFrom, createdTo, ...rest } = filters;
  const balance = rangeOf(rest.minimumBalance, rest.maximumBalance, Number);
  const created = rangeOf(createdFrom, createdTo, Date.parse, 1);
  const active = rangeOf(rest.activeFrom, rest.activeTo, Date.parse, 1);
  return {
    ...{ status, realmPointId: kindIn(filters) },
    ...(tags !== undefined && { tags: tags.split(',') }),
    ...(hasWallet !== undefined && { hasWallet: hasWallet === 'true' }),
    ...(balance && { balance }),
    ...(created && { created }),
    ...(active && { active }),
  };
}

/** `open` is 1 where the end is excluded. */
function rangeOf(from = '', to = '', read: (text: string) => number, open = 0): Range | null {
  const [least, most] = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  if (from === '' && to === '') return null;
  return [from === '' ? least : read(from), to === '' ? most : read(to) - open];
}

/** A mistyped kind of points must not pass for one of which nobody has any. */
async function requireKind(call: Call<'listMembers'>, filters: Filters): Promise<void> {
  const realmPointId = kindIn(filters);
  if (realmPointId === null) return;
  const kinds = await query(call, 'kinds', {});
  if (!kinds.some(({ id }) => id === realmPointId)) {
    notFound('realm-point-not-found', { realmPointId });
  }
}

/** Of a search nothing is known before it has ended; all of a realm are counted already. */
async function countOf(call: Call<'listMembers'>, { filters }: ListRequest) {
  const { search, wallet, account, ids } = filters;
  if (call.query.count !== 'true' || (search ?? wallet ?? account ?? ids) !== undefined) return {};
  const conditions = conditionsOf(filters);
  if (conditions) {
    const { by } = isSorted(filters) ? orderOf(filters) : { by: 'id' as const };
    const chosen = { conditions, by: by === 'name' ? 'id' : by } as const;
    return { count: await query(call, 'countMembers', chosen) };
  }
  const { members = 0 } = (await query(call, 'realmTotals', {})) ?? {};
  return { count: { members, isComplete: true } };
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
    conditions: conditionsOf(request.filters),
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
    conditions: conditionsOf(request.filters),
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
    conditions: conditionsOf(request.filters),
    after: searchKeyOf(request.after ?? ''),
    limit: request.limit,
    now: Date.now(),
  });
  const nextCursor = next && cursorAfter(request, `${next.word} ${next.memberId}`);
  return { items: members.map(memberBody), nextCursor };
}

type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

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
  if (combined(filters) !== null || (hasKind && !comparesBalance(filters))) return false;
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
