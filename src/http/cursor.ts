import { invalidRequest } from '../contract/problems.ts';

const FAULT = 'must be the nextCursor of an earlier page of the same list';

/**
 * A cursor is the list's name, the key of the last row and the filters of the walk, so that a page
 * can't silently continue another list. Opaque to callers; whatever they change in it is refused or
 * harmless.
 */
function encodeCursor({ list, filters }: Walk<Filters>, after: string): string {
  return Buffer.from(JSON.stringify([list, after, filters])).toString('base64url');
}

type Filters = Record<string, string | undefined>;

export interface Walk<F> {
  list: string;
  after: string | null;
  limit: number;
  filters: F;
}

/** Where to go on: from the cursor, whose filters hold, or from the beginning. */
export function walkOf<F extends Filters>(
  { operationId, params, query }: ListCall,
  filters: F,
  isKey: (after: string) => boolean,
): Walk<F> {
  const list = [operationId, ...Object.values(params)].join(' ');
  const limit = Number(query.limit ?? 50);
  if (query.cursor === undefined) return { list, after: null, limit, filters };
  const [from, after, kept] = decode(query.cursor);
  if (from !== list || typeof after !== 'string' || !isKey(after)) throw refused();
  for (const name of Object.keys(filters) as (keyof F & string)[]) {
    const value = kept[name];
    // No filter has a NUL, which PostgreSQL can't even compare.
    const isFilter = typeof value === 'string' && !value.includes('\0');
    if (value !== undefined && !isFilter) throw refused();
    if (filters[name] !== undefined && filters[name] !== value) throw refused();
  }
  const known = Object.keys(filters).map((name) => [name, kept[name]]);
  return { list, after, limit, filters: Object.fromEntries(known) as F };
}

interface ListCall {
  operationId: string;
  params: object;
  query: { limit?: string; cursor?: string };
}

function decode(cursor: string): [unknown, unknown, Record<string, unknown>] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value) && typeof value[2] === 'object' && value[2] !== null) {
      return [value[0], value[1], value[2]];
    }
  } catch {
    // Falls through: a cursor that can't be read is as wrong as one of another list.
  }
  throw refused();
}

const refused = () => invalidRequest([{ pointer: '/query/cursor', detail: FAULT }]);

/** A page with the cursor of the next one; a full page may have a next one. */
export function page<Row, Item>(
  rows: Row[],
  walk: Walk<Filters>,
  keyOf: (row: Row) => string,
  view: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, walk.limit);
  const last = shown.at(-1);
  const more = rows.length > walk.limit && last !== undefined;
  return {
    items: shown.map(view),
    nextCursor: more ? encodeCursor(walk, keyOf(last)) : null,
  };
}
