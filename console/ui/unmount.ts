import { useEffect, useRef } from 'preact/hooks';

/** Aborted when nobody looks any more. */
export function useUnmountSignal(): AbortSignal {
  const abort = useRef<AbortController | null>(null);
  abort.current ??= new AbortController();
  useEffect(() => () => abort.current?.abort(), []);
  return abort.current.signal;
}
