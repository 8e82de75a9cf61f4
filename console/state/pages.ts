import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useRetry } from './reconnect.ts';

interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
}

type Ask<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>;

interface Loaded<Row> {
  key: string;
  rows: Row[];
  cursor: string | null;
}

export interface Pages<Row> {
  /** `undefined` until the first page is there. */
  rows: Row[] | undefined;
  /** The rows still belong to the previous question. */
  isStale: boolean;
  hasMore: boolean;
  error: Error | undefined;
  more: () => void;
  reload: () => void;
  /** Changes rows where they are: a list does not jump because of news. */
  patch: (change: (row: Row) => Row) => void;
}

/** A list that grows page by page. If `key` changes, old rows stay until the new ones come. */
export function usePages<Row>(key: string, ask: Ask<Row>): Pages<Row> {
  const [loaded, setLoaded] = useState<Loaded<Row> | undefined>();
  const [error, setError] = useState<Error | undefined>();
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  const running = useRef(new AbortController());
  /** Where the page that is being loaded starts: scrolling asks for it many times. */
  const moreFrom = useRef<string | null>(null);

  const load = useCallback((question: string, cursor: string | undefined, before: Row[]) => {
    running.current.abort();
    const abort = new AbortController();
    running.current = abort;
    latest.current(cursor, abort.signal).then(
      ({ items, nextCursor }) => {
        if (abort.signal.aborted) return;
        setError(undefined);
        setLoaded({ key: question, rows: [...before, ...items], cursor: nextCursor });
        running.current = new AbortController();
        // A search may find nobody on a page, and go on.
        if (items.length === 0 && nextCursor !== null) load(question, nextCursor, before);
      },
      (failure: Error) => {
        if (abort.signal.aborted) return;
        moreFrom.current = null;
        setError(failure);
      },
    );
    return abort;
  }, []);

  useEffect(() => {
    moreFrom.current = null;
    const abort = load(`${key} ${turn}`, undefined, []);
    return () => abort.abort();
  }, [key, turn, load]);

  const isStale = loaded?.key !== `${key} ${turn}`;
  const more = useCallback(() => {
    if (isStale || !loaded?.cursor || moreFrom.current === loaded.cursor) return;
    moreFrom.current = loaded.cursor;
    load(loaded.key, loaded.cursor, loaded.rows);
  }, [isStale, loaded, load]);
  const reload = useCallback(() => setTurn((last) => last + 1), []);
  const patch = useCallback((change: (row: Row) => Row) => {
    setLoaded((last) => last && { ...last, rows: last.rows.map(change) });
  }, []);
  useRetry(error, reload);
  const hasMore = !isStale && loaded?.cursor != null;
  return { rows: loaded?.rows, isStale, hasMore, error, more, reload, patch };
}
