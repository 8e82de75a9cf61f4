/** For how long work waits at most while callers connect. */
const MAX_DELAY_MS = 6;

/**
 * Makes work wait while callers connect. A turn of the event loop accepts one connection only, so
 * those to be accepted would queue behind as many turns full of work, for seconds if they are many.
 */
export class Delay {
  #isWanted = false;
  #lastWork = 0;

  /** Somebody has connected, so others may be about to. */
  want(): void {
    this.#isWanted = true;
  }

  /** Does the work, unless it is to wait for another turn. */
  unlessDelayed(work: () => void): void {
    const isDelayed = this.#isWanted && performance.now() - this.#lastWork < MAX_DELAY_MS;
    this.#isWanted = false;
    if (isDelayed) return;
    work();
    this.#lastWork = performance.now();
  }
}
