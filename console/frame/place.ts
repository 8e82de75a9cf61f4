/** A panel only adds to the address of the view that it opens in. */
const viewAt = (url: string): string =>
  new URL(url, location.origin).pathname.split('/', 4).join('/');

/** Where a view was scrolled to last. */
let last = { view: '', top: 0 };
addEventListener(
  'scroll',
  () => {
    last = { view: viewAt(location.href), top: scrollY };
  },
  { passive: true },
);

/** Routers go to the top at each address; the list behind a panel stays where it was. */
export function keepPlace(url: string): void {
  if (viewAt(url) === last.view) scrollTo(0, last.top);
}
