import { useRef } from 'preact/hooks';
import { type Pages, usePages } from './pages.ts';

interface PageRequest {
  cursor?: string;
  limit: number;
  signal: AbortSignal;
}

interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
}

type Ask<Row> = (request: PageRequest) => Promise<Page<Row>>;

const PAGE = 50;
const MAX_PAGE = 500;

interface Shown {
  key: string;
  count: number;
  /** The id of the first row. */
  first: number | undefined;
}

/**
 * Pages that are loaded again whenever `version` changes, with all rows that are shown: whoever has
 * scrolled stays where they were.
 */
export function useRefreshedPages<Row>(
  key: string,
  version: number,
  idOf: (row: Row) => number,
  ask: Ask<Row>,
): Pages<Row> {
  const shown = useRef<Shown>({ key, count: 0, first: undefined });
  const pages = usePages<Row>(`${key} ${version}`, (cursor, signal) => {
    if (cursor !== undefined) return ask({ cursor, limit: PAGE, signal });
    const { count, first } = shown.current.key === key ? shown.current : { count: 0 };
    return loadRows(ask, count, (row) => idOf(row) === first, signal);
  });
  const [first] = pages.rows ?? [];
  if (!pages.isStale && first) {
    shown.current = { key, count: pages.rows?.length ?? 0, first: idOf(first) };
  }
  return pages;
}

/** As many as were shown, and those that came before the first of them since. */
async function loadRows<Row>(
  ask: Ask<Row>,
  count: number,
  isFirst: (row: Row) => boolean,
  signal: AbortSignal,
): Promise<Page<Row>> {
  const items: Row[] = [];
  let wanted = Math.max(PAGE, count);
  let nextCursor: string | null = null;
  do {
    const limit = Math.min(MAX_PAGE, wanted - items.length);
    const page = await ask({ ...(nextCursor ? { cursor: nextCursor } : {}), limit, signal });
    items.push(...page.items);
    nextCursor = page.nextCursor;
    wanted = Math.max(PAGE, count + items.findIndex(isFirst));
  } while (nextCursor !== null && items.length < wanted);
  return { items, nextCursor };
}
