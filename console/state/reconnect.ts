import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isReachable, service } from '../api/service.ts';

const TRY_EVERY_MS = 2_000;

/** While the service is away, it is called again and again; an answer of any kind ends that. */
effect(() => {
  if (isReachable.value) return;
  const timer = setInterval(() => {
    service.currentSession({ timeoutMs: TRY_EVERY_MS }).catch(() => {});
  }, TRY_EVERY_MS);
  return () => clearInterval(timer);
});

/** What failed while the service was away is asked for again when it is back. */
export function useRetry(error: Error | undefined, reload: () => void): void {
  const reachable = isReachable.value;
  const failed = useRef(error);
  failed.current = error;
  useEffect(() => {
    if (reachable && failed.current) reload();
  }, [reachable, reload]);
}
