import { invalidRequest } from '../contract/problems.ts';
import { pick } from './calls.ts';

/** Which page of a list the caller wants. */
interface PageRequest<Filters> {
  /** The operation and the parameters of its path. */
  list: string;
  /** The key of the last row of the previous page. */
  after: string | null;
  limit: number;
  /** One row more than the page shows, which tells whether there is a next page. */
  fetch: number;
  filters: Filters;
}

interface ListCall<Query> {
  operationId: string;
  params: object;
  query: Query & { limit?: string; cursor?: string };
}

/** Reads `limit` and `cursor`. A cursor brings its own filters; those in the query must agree. */
export function pageRequest<Query extends object, Name extends keyof Query & string>(
  { operationId, params, query }: ListCall<Query>,
  filterNames: Name[],
  isKey: (after: string) => boolean,
): PageRequest<Pick<Query, Name>> {
  const list = [operationId, ...Object.values(params)].join(' ');
  const limit = Number(query.limit ?? 50);
  const page = { list, limit, fetch: limit + 1 };
  if (query.cursor === undefined) {
    return { ...page, after: null, filters: pick(query, ...filterNames) };
  }
  const [cursorList, after, filters] = decode(query.cursor);
  if (cursorList !== list || typeof after !== 'string' || !isKey(after)) throw invalidCursor();
  for (const name of filterNames) {
    const value = filters[name];
    // No filter contains NUL, which PostgreSQL cannot even compare.
    const isFilter = typeof value === 'string' && !value.includes('\0');
    if (value !== undefined && !isFilter) throw invalidCursor();
    if (query[name] !== undefined && query[name] !== value) throw invalidCursor();
  }
  return { ...page, after, filters: pick(filters, ...filterNames) as Pick<Query, Name> };
}

/**
 * A cursor names its list, the key of the last row and the filters, so that it cannot silently
 * continue a different list. It is opaque to callers; a modified one is rejected or harmless.
 */
function encode({ list, filters }: PageRequest<object>, after: string): string {
  return Buffer.from(JSON.stringify([list, after, filters])).toString('base64url');
}

function decode(cursor: string): [unknown, unknown, Record<string, unknown>] {
  try {
    const [list, after, filters] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (typeof filters === 'object' && filters !== null) return [list, after, filters];
  } catch {
    // Unreadable, and so as invalid as the cursor of another list.
  }
  throw invalidCursor();
}

const FAULT = 'must be the nextCursor of an earlier page of the same list';
const invalidCursor = () => invalidRequest([{ pointer: '/query/cursor', detail: FAULT }]);

/** The page, and the cursor of the next one if there is more. */
export function pageOf<Row, Item>(
  rows: Row[],
  request: PageRequest<object>,
  keyOf: (row: Row) => string,
  toItem: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, request.limit);
  const last = rows.length > request.limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(toItem),
    nextCursor: last === undefined ? null : encode(request, keyOf(last)),
  };
}
