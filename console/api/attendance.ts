/** After this long without a hand on it, the page is open, but nobody is there. */
const ATTENDED_MS = 60_000;

/** To open the page is a sign, too. */
let lastSignAt = Date.now();

/** Somebody has touched the page. */
export function noteSign(): void {
  lastSignAt = Date.now();
}

/** Whether somebody is at the page. What it calls otherwise must not prolong the session. */
export const isAttended = (): boolean => Date.now() - lastSignAt < ATTENDED_MS;
