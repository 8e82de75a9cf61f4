/** How long one iteration of the event loop may spend on requests that have waited. */
const TURN_MS = 2;

/**
 * Pipelined requests whose turn has come, first come first served. They share a few milliseconds of
 * each iteration of the event loop, so that callers who do not pipeline are accepted, read and
 * answered in between.
 */
export class Backlog {
  readonly #maxBytes: number;
  readonly #ready: (() => void)[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts received bytes that wait, or no longer wait. False if they are too many. */
  count(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#bytes <= this.#maxBytes;
  }

  add(proceed: () => void): void {
    if (this.#ready.push(proceed) === 1) setImmediate(this.#run);
  }

  readonly #run = (): void => {
    const end = performance.now() + TURN_MS;
    let taken = 0;
    while (taken < this.#ready.length && performance.now() < end) {
      this.#ready[taken]?.();
      taken += 1;
    }
    this.#ready.splice(0, taken);
    if (this.#ready.length > 0) setImmediate(this.#run);
  };
}
