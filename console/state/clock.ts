import { signal } from '@preact/signals';

/** The reader's time, which "2 min. ago" is counted from. One timer for all of them. */
export const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 10_000);
