import { invalidRequest } from '../contract/problems.ts';

const FAULT = 'must be the nextCursor of an earlier page of the same list';

/**
 * A cursor is the key of the last row and the filters of the walk, so that a page can't silently
 * continue another list. Opaque to callers; whatever they change in it is refused or harmless.
 */
export function encodeCursor(after: string, filters: Record<string, string | undefined>): string {
  return Buffer.from(JSON.stringify([after, filters])).toString('base64url');
}

export interface Walk<F> {
  after: string | null;
  limit: number;
  filters: F;
}

/** Where to go on: from the cursor, whose filters hold, or from the beginning. */
export function walkOf<F extends Record<string, string | undefined>>(
  query: { limit?: string; cursor?: string },
  filters: F,
  isKey: (after: string) => boolean,
): Walk<F> {
  const limit = Number(query.limit ?? 50);
  if (query.cursor === undefined) return { after: null, limit, filters };
  const [after, kept] = decode(query.cursor);
  if (typeof after !== 'string' || !isKey(after)) throw refused();
  for (const name of Object.keys(filters) as (keyof F & string)[]) {
    const value = kept[name];
    if (value !== undefined && typeof value !== 'string') throw refused();
    if (filters[name] !== undefined && filters[name] !== value) throw refused();
  }
  const known = Object.keys(filters).map((name) => [name, kept[name]]);
  return { after, limit, filters: Object.fromEntries(known) as F };
}

function decode(cursor: string): [unknown, Record<string, unknown>] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value) && typeof value[1] === 'object' && value[1] !== null) {
      return [value[0], value[1]];
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
  walk: Walk<Record<string, string | undefined>>,
  keyOf: (row: Row) => string,
  view: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, walk.limit);
  const last = shown.at(-1);
  const more = rows.length > walk.limit && last !== undefined;
  return {
    items: shown.map(view),
    nextCursor: more ? encodeCursor(keyOf(last), walk.filters) : null,
  };
}
