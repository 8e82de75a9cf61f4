import { useEffect, useRef, useState } from 'preact/hooks';

/** In pixels, until a row was measured. */
const ROW_HEIGHT = 44;
/** Rows beyond the edge of the screen, so that scrolling shows no gap. */
const MARGIN = 12;
/** Shorter lists are in the page as a whole. */
const MIN_ROWS = 150;

interface Rows {
  first: number;
  last: number;
  /** The height of the rows left out, in pixels. */
  above: number;
  below: number;
}

interface Seen {
  /** The first row in sight, in steps: not every pixel renders anew. */
  top: number;
  /** Of one row: those of a list are equally high. */
  height: number;
}

/** Which rows of a long list are in sight. */
export function useWindow(body: { current: HTMLElement | null }, count: number): Rows {
  const [{ top, height }, setSeen] = useState<Seen>({ top: 0, height: ROW_HEIGHT });
  const isLong = count > MIN_ROWS;
  // Also while it is short: where one is has to be known when it becomes long.
  useEffect(() => {
    const look = (): void => {
      if (!body.current) return;
      const seen = measure(body.current);
      setSeen((last) => (last.top === seen.top && last.height === seen.height ? last : seen));
    };
    look();
    addEventListener('scroll', look, { passive: true, capture: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, [count > 0, body]);
  if (!isLong) return { first: 0, last: count, above: 0, below: 0 };
  const visible = Math.ceil(innerHeight / height);
  const first = Math.max(0, Math.min(top, count - visible) - MARGIN);
  const last = Math.min(count, top + visible + 2 * MARGIN);
  return { first, last, above: first * height, below: (count - last) * height };
}

function measure(body: HTMLElement): Seen {
  const row = body.querySelector('tr[aria-rowindex]');
  const height = row?.getBoundingClientRect().height || ROW_HEIGHT;
  const offset = -body.getBoundingClientRect().top;
  return { top: Math.max(0, Math.floor(offset / height / MARGIN) * MARGIN), height };
}

/** An element that asks for more when it comes near, and again when the rows have changed. */
export function useSentinel(onNear: (() => void) | undefined, rows: unknown) {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(onNear);
  latest.current = onNear;
  const isAsking = onNear !== undefined;
  useEffect(() => {
    const element = ref.current;
    if (!element || !isAsking || !rows) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current?.();
      },
      { rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [rows, isAsking]);
  return ref;
}
