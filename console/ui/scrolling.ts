import { useEffect, useRef, useState } from 'preact/hooks';

const ROW_HEIGHT = 40;
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

/** Which rows of a long list are in sight. */
export function useWindow(body: { current: HTMLElement | null }, count: number): Rows {
  const [top, setTop] = useState(0);
  const isLong = count > MIN_ROWS;
  useEffect(() => {
    if (!isLong) return;
    const look = (): void => {
      const offset = -(body.current?.getBoundingClientRect().top ?? 0);
      // In steps, so that not every pixel renders anew.
      setTop(Math.max(0, Math.floor(offset / ROW_HEIGHT / MARGIN) * MARGIN));
    };
    look();
    addEventListener('scroll', look, { passive: true, capture: true });
    return () => removeEventListener('scroll', look, { capture: true });
  }, [isLong, body]);
  if (!isLong) return { first: 0, last: count, above: 0, below: 0 };
  const visible = Math.ceil(innerHeight / ROW_HEIGHT);
  const first = Math.max(0, Math.min(top, count - visible) - MARGIN);
  const last = Math.min(count, top + visible + 2 * MARGIN);
  return { first, last, above: first * ROW_HEIGHT, below: (count - last) * ROW_HEIGHT };
}

/** An element that asks for more when it comes near; `count` re-arms it after each page. */
export function useSentinel(onNear: (() => void) | undefined, count: number) {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(onNear);
  latest.current = onNear;
  useEffect(() => {
    const element = ref.current;
    if (!element || count === 0) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current?.();
      },
      { rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [count]);
  return ref;
}
