import { operations } from '../contract/operations.ts';
import { CURSOR_FAULT } from '../contract/pages.ts';
import { invalidRequest } from '../contract/problems.ts';
import { isParameter, isQueryOf } from '../contract/validation.ts';
import type { NameKey, SortKey } from '../domain/member-queries.ts';
import { sumOf } from '../domain/model.ts';
import { MAX_SCORE } from '../domain/rules/leaderboards.ts';
import { type Page, pageOfSmall } from '../domain/rules/pages.ts';
import { pick } from './calls.ts';

/** Which page of a list the caller wants. */
interface PageRequest<Filters> {
  /** The operation and the parameters of its path. */
  list: string;
  /** Where the previous page ended: mostly the key of its last row. */
  after: string | null;
  limit: number;
  filters: Filters;
}

interface ListCall<Query> {
  operationId: keyof typeof operations;
  params: object;
  query: Query & { limit?: string; cursor?: string };
}

/** Reads `limit` and `cursor`. A cursor brings its own filters; those in the query must agree. */
export function pageRequest<Query extends object, Name extends keyof Query & string>(
  { operationId, params, query }: ListCall<Query>,
  filterNames: readonly Name[],
  isKey: (after: string, filters: Pick<Query, Name>) => boolean,
): PageRequest<Pick<Query, Name>> {
  const list = [operationId, ...Object.values(params)].join(' ');
  const limit = Number(query.limit ?? 50);
  const sent = pick(query, ...filterNames);
  const { cursor } = query;
  if (cursor === undefined) return { list, after: null, limit, filters: sent };
  const { after, filters } = decode(cursor);
  const isIssued =
    encode(list, after, pick(filters, ...filterNames)) === cursor &&
    isQueryOf(operations[operationId], filters) &&
    isKey(after, filters as Pick<Query, Name>);
  if (!isIssued || filterNames.some((name) => name in sent && sent[name] !== filters[name])) {
    throw invalidCursor();
  }
  return { list, after, limit, filters: filters as Pick<Query, Name> };
}

/**
 * A cursor names its list, the key of the last row and the filters, so that it cannot silently
 * continue a different list. It is opaque to callers, but not secret: one that could not have been
 * issued is rejected, and any other shows no more than the list itself.
 */
const encode = (list: string, after: string, filters: object): string =>
  Buffer.from(JSON.stringify([list, after, filters])).toString('base64url');

/** The list need not be read: the cursor is compared with that of the list at hand. */
function decode(cursor: string): { after: string; filters: Record<string, unknown> } {
  try {
    const [, after, filters] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (typeof after === 'string' && filters instanceof Object) return { after, filters };
  } catch {
    // Not JSON, or not a list.
  }
  throw invalidCursor();
}

const invalidCursor = () => invalidRequest([{ pointer: '/query/cursor', detail: CURSOR_FAULT }]);

/** The cursor of the page that starts after the key. */
export const cursorAfter = ({ list, filters }: PageRequest<object>, after: string): string =>
  encode(list, after, filters);

/** The page, and the cursor of the next one if there is more. */
export function listBody<Row, Item>(
  { rows, hasMore }: Page<Row>,
  request: PageRequest<object>,
  keyOf: (row: Row) => string,
  toItem: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const last = hasMore ? rows.at(-1) : undefined;
  return {
    items: rows.map(toItem),
    nextCursor: last === undefined ? null : cursorAfter(request, keyOf(last)),
  };
}

/** The same of rows that are so few that all are read, in the order of their ids. */
export function fewBody<Row extends { id: string }, Item>(
  all: readonly Row[],
  request: PageRequest<object>,
  toItem: (row: Row) => Item,
) {
  const { after, limit } = request;
  const rest = all.filter(({ id }) => after === null || id > after);
  return listBody(pageOfSmall(rest, limit), request, ({ id }) => id, toItem);
}

const isMemberId = isParameter('memberID');
const SCORE_FORM = /^(0|-?[1-9]\d{0,18}):(\d+)$/;
const NAME_FORM = /^(\d+):([^\0]*)$/;

/** The place of a member in a sorted list, as a cursor has it. */
export const sortKeyText = (key: SortKey | NameKey): string =>
  'name' in key ? `${key.memberId}:${key.name}` : `${key.score}:${key.memberId}`;

/** Null if the text is no such key. */
export function scoreKeyIn(text: string): SortKey | null {
  const [, score, memberId = ''] = SCORE_FORM.exec(text) ?? [];
  if (score === undefined || !isMemberId(memberId)) return null;
  const isScore = BigInt(score) <= MAX_SCORE && BigInt(score) >= -MAX_SCORE;
  return isScore ? { score: sumOf(score), memberId } : null;
}

/** The same of a list that is sorted by names. */
export function nameKeyIn(text: string): NameKey | null {
  const [, memberId = '', name = ''] = NAME_FORM.exec(text) ?? [];
  return isMemberId(memberId) ? { name, memberId } : null;
}
