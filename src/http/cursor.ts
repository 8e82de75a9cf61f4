import { invalidRequest } from '../contract/problems.ts';

type Filters = Record<string, string | undefined>;

/** Which page of a list the caller wants. */
interface PageRequest<F extends Filters> {
  /** The operation and the parameters of its path. */
  list: string;
  /** The key of the last row of the previous page. */
  after: string | null;
  limit: number;
  /** One row more than the page shows, which tells whether there is a next page. */
  fetch: number;
  filters: F;
}

interface ListCall {
  operationId: string;
  params: object;
  query: { limit?: string; cursor?: string };
}

/** Reads `limit` and `cursor`. A cursor brings its own filters; those in the query must agree. */
export function pageRequest<F extends Filters>(
  { operationId, params, query }: ListCall,
  filters: F,
  isKey: (after: string) => boolean,
): PageRequest<F> {
  const list = [operationId, ...Object.values(params)].join(' ');
  const limit = Number(query.limit ?? 50);
  const fetch = limit + 1;
  if (query.cursor === undefined) return { list, after: null, limit, fetch, filters };
  const [cursorList, after, cursorFilters] = decode(query.cursor);
  if (cursorList !== list || typeof after !== 'string' || !isKey(after)) throw invalidCursor();
  for (const name of Object.keys(filters) as (keyof F & string)[]) {
    const value = cursorFilters[name];
    // No filter contains NUL, which PostgreSQL cannot even compare.
    const isFilter = typeof value === 'string' && !value.includes('\0');
    if (value !== undefined && !isFilter) throw invalidCursor();
    if (filters[name] !== undefined && filters[name] !== value) throw invalidCursor();
  }
  const known = Object.keys(filters).map((name) => [name, cursorFilters[name]]);
  return { list, after, limit, fetch, filters: Object.fromEntries(known) as F };
}

/**
 * A cursor names its list, the key of the last row and the filters, so that it cannot silently
 * continue a different list. It is opaque to callers; a modified one is rejected or harmless.
 */
function encode({ list, filters }: PageRequest<Filters>, after: string): string {
  return Buffer.from(JSON.stringify([list, after, filters])).toString('base64url');
}

function decode(cursor: string): [unknown, unknown, Record<string, unknown>] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value) && typeof value[2] === 'object' && value[2] !== null) {
      return [value[0], value[1], value[2]];
    }
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
  request: PageRequest<Filters>,
  keyOf: (row: Row) => string,
  toItem: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, request.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > request.limit && last !== undefined;
  return {
    items: shown.map(toItem),
    nextCursor: hasMore ? encode(request, keyOf(last)) : null,
  };
}
