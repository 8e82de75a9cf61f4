import type { Member } from '../model.ts';

export interface Page<Row> {
  rows: Row[];
  hasMore: boolean;
}

/** Rows of a list that may end before it is full, and where it goes on; null after the last one. */
export interface PageUpTo<Row, Key> {
  rows: Row[];
  next: Key | null;
}

/** A page ends here whatever the caller wants: 500 of the largest members would be 25 MB. */
export const MAX_PAGE_BYTES = 1024 * 1024;

/** Fills a page up to its limits. It has at least one row if there is any, so a walk advances. */
export class PageBuilder<Row> {
  readonly page: Page<Row> = { rows: [], hasMore: false };
  readonly #limit: number;
  readonly #bytesOf: (row: Row) => number;
  #bytes = 0;

  constructor(limit: number, bytesOf: (row: Row) => number) {
    this.#limit = limit;
    this.#bytesOf = bytesOf;
  }

  /** Stops reading at the first row that does not fit: only that one is read for nothing. */
  add(rows: Iterable<Row>): void {
    const { page } = this;
    for (const row of rows) {
      this.#bytes += this.#bytesOf(row);
      const isFull = this.#bytes > MAX_PAGE_BYTES && page.rows.length > 0;
      page.hasMore = isFull || page.rows.length === this.#limit;
      if (page.hasMore) return;
      page.rows.push(row);
    }
  }
}

/** A page of rows that were read up to one beyond the limit. */
export function pageOf<Row>(
  rows: Iterable<Row>,
  limit: number,
  bytesOf: (row: Row) => number,
): Page<Row> {
  const builder = new PageBuilder(limit, bytesOf);
  builder.add(rows);
  return builder.page;
}

/** The same for rows that are never large. */
export const pageOfSmall = <Row>(rows: Row[], limit: number): Page<Row> => ({
  rows: rows.slice(0, limit),
  hasMore: rows.length > limit,
});

/** A page then ends early: a list by a rare status is no walk over the realm. */
export const membersLookedAt = (limit: number): number =>
  Math.max(1_000, Math.min(100 * limit, 5_000));

/** A count of members looks at so many, which takes tens of milliseconds. */
export const MAX_COUNTED = 15_000;

/** About how many bytes a row takes as JSON: the escapes in its texts are not counted. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 2;
  for (const [key, inner] of Object.entries(value)) bytes += key.length + 4 + jsonBytes(inner);
  return bytes;
}

/** Added for each balance of a member: reading one takes 10 us, more than its text suggests. */
const BYTES_OF_BALANCE = 200;

/** The same for a member. With 50 kinds of points, a page of 500 took 200 to 400 ms. */
export const memberBytes = (member: Member): number =>
  jsonBytes(member) + BYTES_OF_BALANCE * Object.keys(member.balances).length;
