import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useChange } from './changes.ts';
import { type Change, type Failure, PagedList, type Source } from './paged-list.ts';
import { useRetry } from './reconnect.ts';

interface Loaded<Row> {
  key: string;
  rows: Row[];
  hasMore: boolean;
}

/** How a list goes on. */
export interface Paging {
  /** The rows still belong to the previous question. */
  isStale: boolean;
  hasMore: boolean;
  /** Why the next page could not be loaded; `more` tries again. */
  moreError: Error | undefined;
  more: () => void;
}

export interface Pages<Row> extends Paging {
  /** `undefined` until the first page is there. */
  rows: Row[] | undefined;
  rowKey: Source<Row>['rowKey'];
  error: Error | undefined;
  reload: () => void;
  /** Changes rows where they are: a list does not jump because of news. */
  patch: (change: Change<Row>) => void;
}

interface Question<Row> extends Source<Row> {
  /** If it changes, old rows stay until the new ones come. */
  key: string;
  /** If it changes, what is shown is brought up to date. */
  version?: number | string;
}

/** A list that grows page by page. */
export function usePages<Row>({ key, version = 0, ...source }: Question<Row>): Pages<Row> {
  const [loaded, setLoaded] = useState<Loaded<Row> | undefined>();
  const [failure, setFailure] = useState<Failure | undefined>();
  const latest = useRef({ source, failure });
  latest.current = { source, failure };
  const list = useRef<PagedList<Row> | null>(null);
  useEffect(() => {
    const ask: typeof source.ask = (request) => latest.current.source.ask(request);
    const current = new PagedList<Row>(
      { ...latest.current.source, ask },
      { onRows: (rows, hasMore) => setLoaded({ key, rows, hasMore }), onFailure: setFailure },
    );
    list.current = current;
    setFailure(undefined);
    current.refresh();
    return () => current.stop();
  }, [key]);
  const reload = useCallback(() => list.current?.refresh(), []);
  const more = useCallback(() => {
    setFailure((last) => (last?.isOfMore ? undefined : last));
    list.current?.more();
  }, []);
  const patch = useCallback((change: Change<Row>) => list.current?.patch(change), []);
  const retry = useCallback(() => (latest.current.failure?.isOfMore ? more() : reload()), []);
  useChange(version, reload);
  useRetry(failure?.error, retry);
  const isStale = loaded?.key !== key;
  const hasMore = !isStale && loaded.hasMore;
  const error = failure?.isOfMore ? undefined : failure?.error;
  const moreError = failure?.isOfMore ? failure.error : undefined;
  const { rowKey } = source;
  return { rows: loaded?.rows, rowKey, isStale, hasMore, error, moreError, more, reload, patch };
}
