import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useChange } from './changes.ts';
import { type Ask, type Change, PagedList } from './paged-list.ts';
import { useRetry } from './reconnect.ts';

interface Loaded<Row> {
  key: string;
  rows: Row[];
  hasMore: boolean;
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
  patch: (change: Change<Row>) => void;
}

/**
 * A list that grows page by page. If `key` changes, old rows stay until the new ones come; if
 * `version` does, what is shown is brought up to date.
 */
export function usePages<Row>(key: string, ask: Ask<Row>, version = 0): Pages<Row> {
  const [loaded, setLoaded] = useState<Loaded<Row> | undefined>();
  const [error, setError] = useState<Error | undefined>();
  const latest = useRef(ask);
  latest.current = ask;
  const list = useRef<PagedList<Row> | null>(null);
  useEffect(() => {
    const current = new PagedList<Row>((cursor, signal) => latest.current(cursor, signal), {
      onRows: (rows, hasMore) => setLoaded({ key, rows, hasMore }),
      onError: setError,
    });
    list.current = current;
    current.refresh();
    return () => current.stop();
  }, [key]);
  const more = useCallback(() => list.current?.more(), []);
  const reload = useCallback(() => list.current?.refresh(), []);
  const patch = useCallback((change: Change<Row>) => list.current?.patch(change), []);
  useChange(version, reload);
  useRetry(error, reload);
  const isStale = loaded?.key !== key;
  const hasMore = !isStale && loaded.hasMore;
  return { rows: loaded?.rows, isStale, hasMore, error, more, reload, patch };
}
