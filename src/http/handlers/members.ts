import { enrolmentOf, memberFieldsOf, newMemberOf } from '../../contract/new-member.ts';
import { memberBody } from '../../contract/operations/members.ts';
import { invalidRequest } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import type { Enrolment } from '../../domain/commands.ts';
import { namesMatch, type SearchKey, termsOf, walkedTerm } from '../../domain/rules/search.ts';
import {
  asIs,
  type Call,
  entryResult,
  execute,
  type Handler,
  kindIn,
  notFound,
  pick,
  query,
  workOn,
} from '../calls.ts';
import { cursorAfter, listBody, pageRequest } from '../cursor.ts';
import { scoreKeyIn, scoreKeyText } from '../score-key.ts';
import { checkedAddress, type Services } from '../services.ts';

export const getMember: Handler<'getMember'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const member =
    (await query(call, services, 'member', { realmId, memberId, now: Date.now() })) ??
    notFound('member-not-found', { memberId });
  return { body: memberBody(member) };
};

export const createMember: Handler<'createMember'> = (call, services) =>
  execute(
    call,
    services,
    'member.create',
    newMemberOf(call.body, addressParser(services)),
    memberBody,
  );

export const putMember: Handler<'putMember'> = async (call, services) => {
  const { realmID: realmId, memberID: memberId } = call.params;
  const put = { ...newMemberOf(call.body, addressParser(services)), memberId };
  const { body, ...answer } = await execute(call, services, 'member.put', put, asIs);
  const location = `/api/v4/realms/${realmId}/members/${memberId}`;
  return { ...answer, body: memberBody(body.member), ...(body.isNew && { isNew: true, location }) };
};

export const createMembers: Handler<'createMembers'> = async (call, services) => {
  const { atomic = true, description = null } = call.body;
  const members = await workOn(call, enrolmentsOf(call, services));
  const batch = { atomic, description, members };
  return execute(call, services, 'member.batch', batch, (outcomes) => ({
    message: 'Ok',
    results: outcomes.map(entryResult),
  }));
};

/** Pauses between members, because addresses take a while to parse. */
function* enrolmentsOf(
  call: Call<'createMembers'>,
  services: Services,
): Generator<void, Enrolment[]> {
  const enrolments: Enrolment[] = [];
  const parseAddress = addressParser(services);
  for (const member of call.body.members) {
    enrolments.push(enrolmentOf(member, parseAddress));
    yield;
  }
  return enrolments;
}

const addressParser = (services: Services) => (text: string) => checkedAddress(services, text);

export const listMembers: Handler<'listMembers'> = async (call, services) => {
  const request = listRequest(call);
  const read = readerFor(request.filters);
  const body = await read(call, services, request);
  return { body };
};

const FILTERS: ('search' | 'wallet' | 'account' | 'status' | 'sort' | 'realmPointId')[] = [
  'search',
  'wallet',
  'account',
  'status',
  'sort',
  'realmPointId',
];

/** A kind of points means something only if members are sorted by it. */
function listRequest(call: Call<'listMembers'>) {
  const { realmPointId: _, ...rest } = call.query;
  const hasKind = rest.sort === '-balance' || rest.cursor !== undefined;
  const query: typeof call.query = hasKind ? call.query : rest;
  return pageRequest({ ...call, query }, FILTERS, isKey);
}

type ListRequest = ReturnType<typeof listRequest>;

function readerFor(filters: ListRequest['filters']) {
  if (!isSorted(filters)) return isSearch(filters) ? searchPage : memberPage;
  const { search, wallet, account, status } = filters;
  if (search ?? wallet ?? account ?? status) {
    const detail = 'cannot be combined with search, wallet, account or status';
    throw invalidRequest([{ pointer: '/query/sort', detail }]);
  }
  return sortedPage;
}

async function sortedPage(call: Call<'listMembers'>, services: Services, request: ListRequest) {
  const realmPointId = kindIn(request.filters);
  const found = await query(call, services, 'sortedMembers', {
    realmId: call.params.realmID,
    by: request.filters.sort === '-balance' ? 'balance' : 'createdAt',
    realmPointId,
    after: request.after === null ? null : scoreKeyIn(request.after),
    limit: request.limit,
    now: Date.now(),
  });
  const { members, next } = found ?? notFound('realm-point-not-found', { realmPointId });
  const nextCursor = next && cursorAfter(request, scoreKeyText(next));
  return { items: members.map(memberBody), nextCursor };
}

async function memberPage(call: Call<'listMembers'>, services: Services, request: ListRequest) {
  const { search, wallet, account, status } = request.filters;
  const members = await query(call, services, 'members', {
    realmId: call.params.realmID,
    after: request.after,
    limit: request.limit,
    now: Date.now(),
    filter: {
      wallet: wallet === undefined ? null : services.addresses.keyOf(wallet),
      account: account ?? null,
      status: status ?? null,
    },
  });
  const terms = search === undefined ? null : termsOf(search);
  const rows = terms ? members.rows.filter((member) => namesMatch(member, terms)) : members.rows;
  return listBody({ ...members, rows }, request, ({ id }) => id, memberBody);
}

async function searchPage(call: Call<'listMembers'>, services: Services, request: ListRequest) {
  const { members, next } = await query(call, services, 'searchMembers', {
    realmId: call.params.realmID,
    terms: termsOf(request.filters.search ?? ''),
    status: request.filters.status ?? null,
    after: searchKeyOf(request.after ?? ''),
    limit: request.limit,
    now: Date.now(),
  });
  const nextCursor = next && cursorAfter(request, `${next.word} ${next.memberId}`);
  return { items: members.map(memberBody), nextCursor };
}

type Filters = Partial<Record<(typeof FILTERS)[number], string | null>>;

const isSorted = ({ sort = 'id' }: Filters): boolean => sort !== 'id';

/** A wallet or an account leaves at most one member, and a search then compares its names only. */
const isSearch = ({ search, wallet, account }: Filters): boolean =>
  search !== undefined && wallet === undefined && account === undefined;

const isId = isParameter('memberID');

/** The key of a cursor is a member's id; if it is sorted or searched, something comes first. */
function isKey(key: string, filters: Filters): boolean {
  if (isSorted(filters)) return scoreKeyIn(key) !== null;
  if (filters.realmPointId !== undefined) return false;
  if (!isSearch(filters)) return isId(key);
  const after = searchKeyOf(key);
  return after !== null && walkedTerm(termsOf(filters.search ?? ''), after) !== undefined;
}

function searchKeyOf(key: string): SearchKey | null {
  const [word, memberId, ...more] = key.split(' ');
  return word && memberId && isId(memberId) && more.length === 0 ? { word, memberId } : null;
}

export const updateMember: Handler<'updateMember'> = (call, services) => {
  const memberId = call.params.memberID;
  const update = { memberId, fields: memberFieldsOf(call.body), ...pick(call.body, 'status') };
  return execute(call, services, 'member.update', update, memberBody);
};

export const removeMember: Handler<'removeMember'> = (call, services) => {
  const memberId = call.params.memberID;
  const forfeit = call.query.forfeit === 'true';
  return execute(call, services, 'member.remove', { memberId, forfeit }, asIs);
};
