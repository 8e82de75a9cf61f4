/** The icon of the pages, as a URL. */
export const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
      '<path fill="#2563eb" d="M1 2h3v2h2V2h4v2h2V2h3v6q0 5-7 7-7-2-7-7z"/></svg>',
  );
