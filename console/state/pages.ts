import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isReachable } from '../api/service.ts';
import { useChange } from './changes.ts';
import { keepList, keptList, lastList } from './history.ts';
import { type Change, type Failure, type Loaded, PagedList, type Source } from './paged-list.ts';
import { useRetry } from './reconnect.ts';

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
  /** What is asked for, unlike any other list. If it changes, old rows stay until new ones come. */
  key: string;
  /** If it changes, what is shown is brought up to date. */
  version?: number | string;
}

interface Answer<Row> extends Loaded<Row> {
  key: string;
}

/** A list that grows page by page. Back returns to all the pages that it had. */
export function usePages<Row>({ key, version = 0, ...source }: Question<Row>): Pages<Row> {
  const kept = useMemo(() => keptList<Answer<Row>>(key), [key]);
  const [loaded, setLoaded] = useState(kept);
  const [failure, setFailure] = useState<Failure | undefined>();
  const latest = useRef({ source, failure });
  latest.current = { source, failure };
  const list = useRef<PagedList<Row> | null>(null);
  useEffect(() => {
    const ask: typeof source.ask = (request) => latest.current.source.ask(request);
    const current = new PagedList<Row>(
      { ...latest.current.source, ask },
      { onRows: (rows) => setLoaded({ key, ...rows }), onFailure: setFailure },
      kept,
    );
    list.current = current;
    if (kept) setLoaded(kept);
    setFailure(undefined);
    current.refresh();
    return () => current.stop();
  }, [key]);
  useEffect(() => {
    if (loaded) keepList(loaded.key, loaded);
  }, [loaded]);
  const reload = useCallback(() => list.current?.refresh(), []);
  const more = useCallback(() => {
    setFailure((last) => (last?.isOfMore ? undefined : last));
    list.current?.more();
  }, []);
  const patch = useCallback((change: Change<Row>) => list.current?.patch(change), []);
  const retry = useCallback(() => (latest.current.failure?.isOfMore ? more() : reload()), []);
  useChange(version, reload);
  useRetry(failure?.error, retry);
  const error = failure?.isOfMore ? undefined : failure?.error;
  const isAnswer = loaded?.key === key;
  const isAway = error !== undefined || !isReachable.value;
  const shown = isAway && !isAnswer ? (lastList<Answer<Row>>(key) ?? loaded) : loaded;
  const isStale = shown?.key !== key;
  const hasMore = isAnswer && loaded.cursor !== null;
  const moreError = failure?.isOfMore ? failure.error : undefined;
  const { rowKey } = source;
  return { rows: shown?.rows, rowKey, isStale, hasMore, error, moreError, more, reload, patch };
}
