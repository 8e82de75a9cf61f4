import { useEffect, useRef } from 'preact/hooks';

/** Runs after the value has changed, but not at first. */
export function useChange(value: unknown, run: () => void): void {
  const last = useRef(value);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (last.current === value) return;
    last.current = value;
    latest.current();
  }, [value]);
}
