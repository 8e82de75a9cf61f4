interface Numbered {
  seq: number;
}

/** What is kept of the rows of a feed while its newest ones are looked at: a few screens. */
const MOST = 120;

/**
 * The rows of a feed with the latest ones on top, all newest first. Events are numbered without
 * gaps, and so are the rows: if some between the two are missing, it starts anew with the latest.
 */
export function withLatest<E extends Numbered>(rows: E[], latest: E[]): E[] {
  const newest = rows[0]?.seq ?? 0;
  const fresh = latest.filter(({ seq }) => seq > newest);
  if (fresh.length === 0 && (latest[0]?.seq ?? 0) >= newest) return rows;
  const isJoined = fresh.at(-1)?.seq === newest + 1;
  return (isJoined ? [...fresh, ...rows] : latest).slice(0, MOST);
}

/** With an older page below; without it if the rows have changed since it was asked for. */
export const withOlder = <E extends Numbered>(rows: E[], page: E[]): E[] =>
  page[0]?.seq === (rows.at(-1)?.seq ?? 0) - 1 ? [...rows, ...page] : rows;
