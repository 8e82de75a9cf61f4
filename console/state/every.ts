import { useEffect } from 'preact/hooks';

/** Runs again and again as long as it is wanted, except while the page is hidden. */
export function useEvery(ms: number, isWanted: boolean, run: () => void): void {
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(() => {
      if (!document.hidden) run();
    }, ms);
    return () => clearInterval(timer);
  }, [ms, isWanted, run]);
}
