import { jsonBytes, type Page, PageBuilder } from '../../domain/rules/pages.ts';
import { addInSlices } from '../member-list.ts';

/** One statement for an ordinary page, which has 50 rows, and the row that follows it. */
export const ROWS_AT_ONCE = 51;

/**
 * Reads a page in as many statements as its rows need: if they are large, most of those up to the
 * caller's limit would travel for nothing. `next` reads what is stored after the last row.
 */
export async function readPage<Stored, Row>(
  { realmId, limit }: { realmId: string; limit: number },
  next: (last: Row | undefined, count: number) => Promise<Stored[]>,
  rowOf: (stored: Stored) => Row,
  bytesOf: (row: Row) => number = jsonBytes,
): Promise<Page<Row>> {
  const builder = new PageBuilder<Row>(limit, bytesOf);
  const { page } = builder;
  for (let isEnd = false; !isEnd && !page.hasMore; ) {
    const count = Math.min(limit + 1 - page.rows.length, ROWS_AT_ONCE);
    const read = await next(page.rows.at(-1), count);
    await addInSlices(realmId, builder, read.values().map(rowOf));
    isEnd = read.length < count;
  }
  return page;
}
