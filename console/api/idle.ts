/** After this long without any input, the page is open, but nobody is there. */
const IDLE_MS = 60_000;

/** To open the page is input, too. */
let lastInputAt = Date.now();

/** Somebody has touched the page. */
export function noteInput(): void {
  lastInputAt = Date.now();
}

/** Whether nobody is at the page. What it calls meanwhile must not prolong the session. */
export const isIdle = (): boolean => Date.now() - lastInputAt >= IDLE_MS;
