import { keepPlace, keptPlace } from '../state/history.ts';

/** A panel only adds to the address of the view that it opens in. */
const viewAt = (url: string): string =>
  new URL(url, location.origin).pathname.split('/', 4).join('/');

/** Where a view was scrolled to last. */
let last = { view: '', top: 0 };

/** Ends the way to a place, as long as it goes on. */
let stop: (() => void) | null = null;

addEventListener(
  'scroll',
  () => {
    if (stop) return;
    last = { view: viewAt(location.href), top: scrollY };
    keepPlace(scrollY);
  },
  { passive: true },
);

/**
 * Routers go to the top at each address. The list behind a panel stays where it was, and so does
 * what Back and Forward return to.
 */
export function restorePlace(url: string): void {
  stop?.();
  const isInView = viewAt(url) === last.view;
  const top = isInView ? last.top : keptPlace();
  if (top === undefined) return;
  keepPlace(top);
  if (!isInView) document.documentElement.classList.add(DRAWN);
  goTo(top);
}

/** How long a page may take to become as long as it was. */
const LONGEST_MS = 3_000;
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
/** Of the document, while also what is out of sight is drawn: places in it depend on its size. */
const DRAWN = 'drawn';

/** As soon as the page is long enough, unless the reader scrolls first. */
function goTo(top: number): void {
  const abort = new AbortController();
  const observer = new ResizeObserver(go);
  const timer = setTimeout(end, LONGEST_MS);
  stop = end;
  for (const input of INPUTS) {
    addEventListener(input, end, { signal: abort.signal, passive: true });
  }
  observer.observe(document.body);
  go();

  function go(): void {
    scrollTo(0, top);
    if (scrollY >= Math.floor(top)) end();
  }

  function end(): void {
    stop = null;
    abort.abort();
    observer.disconnect();
    clearTimeout(timer);
    // The browser remembers the size of what it has drawn after the next frame.
    requestAnimationFrame(() => requestAnimationFrame(forgetDrawn));
  }
}

const forgetDrawn = (): void => document.documentElement.classList.remove(DRAWN);
