import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useRetry } from './reconnect.ts';

/** The last answers by what was asked: going back shows at once what was there. */
const kept = new Map<string, unknown>();
const MAX_KEPT = 200;

function keep(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** After signing out nothing of the former session stays in memory. */
export const forgetAnswers = (): void => kept.clear();

interface Asked {
  key: string;
  value: unknown;
  error?: Error;
}

interface Answer<T> {
  value: T | undefined;
  error: Error | undefined;
  reload: () => void;
}

/**
 * Asks whenever `key` changes, and again on `reload` or when `version` changes, during which the
 * former answer stays.
 */
export function useAnswer<T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<T>,
  version = 0,
): Answer<T> {
  const [reloads, setReloads] = useState(0);
  const turn = reloads + version;
  const [asked, setAsked] = useState<Asked>({ key, value: kept.get(key) });
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const abort = new AbortController();
    latest.current(abort.signal).then(
      (value) => {
        if (abort.signal.aborted) return;
        keep(key, value);
        setAsked({ key, value });
      },
      (error: Error) => {
        if (abort.signal.aborted) return;
        setAsked((last) => ({ key, value: last.key === key ? last.value : kept.get(key), error }));
      },
    );
    return () => abort.abort();
  }, [key, turn]);
  const reload = useCallback(() => setReloads((last) => last + 1), []);
  // What is shown stays, even if too many other answers were kept since.
  const { value, error } = asked.key === key ? asked : { value: kept.get(key) };
  useRetry(error, reload);
  return { value: value as T | undefined, error, reload };
}
