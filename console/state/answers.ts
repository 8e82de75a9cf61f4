import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useChange } from './changes.ts';
import { oneAtATime } from './one-at-a-time.ts';
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

/** What another answer says of it, until it is asked for itself. */
export function suggest(key: string, value: unknown): void {
  if (!kept.has(key)) keep(key, value);
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
 * former answer stays. Only another key makes an answer that is on its way worthless.
 */
export function useAnswer<T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<T>,
  version = 0,
): Answer<T> {
  const [asked, setAsked] = useState<Asked>({ key, value: kept.get(key) });
  const latest = useRef(ask);
  latest.current = ask;
  const again = useRef(() => {});
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const onAnswer = (value: T): void => {
      if (signal.aborted) return;
      keep(key, value);
      setAsked({ key, value });
    };
    const onError = (error: Error): void => {
      if (signal.aborted) return;
      setAsked((last) => ({ key, value: last.key === key ? last.value : kept.get(key), error }));
    };
    again.current = oneAtATime(async () => {
      if (!signal.aborted) await latest.current(signal).then(onAnswer, onError);
    });
    again.current();
    return () => abort.abort();
  }, [key]);
  const reload = useCallback(() => again.current(), []);
  useChange(version, reload);
  // What is shown stays, even if too many other answers were kept since.
  const { value, error } = asked.key === key ? asked : { value: kept.get(key) };
  useRetry(error, reload);
  return { value: value as T | undefined, error, reload };
}
