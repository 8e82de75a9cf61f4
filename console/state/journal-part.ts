interface Numbered {
  seq: number;
}

/** A part of the journal without gaps, and those of its events that are shown, newest first. */
export interface JournalPart<E> {
  newest: number;
  oldest: number;
  rows: E[];
}

/** How many rows are kept while the newest ones are looked at: a few screens. */
const MOST = 120;

type Filter<E> = (event: E) => boolean;

/** The part that consists of these events, newest first. */
export const partOf = <E extends Numbered>(latest: E[], isShown: Filter<E>): JournalPart<E> =>
  cut({
    newest: latest[0]?.seq ?? 0,
    oldest: latest.at(-1)?.seq ?? 1,
    rows: latest.filter(isShown),
  });

/**
 * With the latest events on top. They are numbered without gaps: if some between the two are
 * missing, it starts anew with the latest.
 */
export function withLatest<E extends Numbered>(
  part: JournalPart<E>,
  latest: E[],
  isShown: Filter<E>,
): JournalPart<E> {
  const newest = latest[0]?.seq ?? part.newest;
  if (newest === part.newest) return part;
  const fresh = latest.filter(({ seq }) => seq > part.newest);
  const isJoined = fresh.at(-1)?.seq === part.newest + 1;
  if (!isJoined) return partOf(latest, isShown);
  return cut({ ...part, newest, rows: [...fresh.filter(isShown), ...part.rows] });
}

/** With an older part below; without it if this one has changed since it was asked for. */
export const withOlder = <E>(part: JournalPart<E>, older: JournalPart<E>): JournalPart<E> =>
  older.newest === part.oldest - 1
    ? { ...part, oldest: older.oldest, rows: [...part.rows, ...older.rows] }
    : part;

function cut<E extends Numbered>(part: JournalPart<E>): JournalPart<E> {
  const rows = part.rows.slice(0, MOST);
  const last = rows.at(-1);
  return last && rows.length < part.rows.length ? { ...part, oldest: last.seq, rows } : part;
}
