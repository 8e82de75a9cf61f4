/** The longest time that a timer can wait for; a longer one would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Aborts a call when its time is up or when the caller's own signal says so. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #until: number;
  readonly #given: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  hasPassed = false;

  constructor(timeoutMs: number, given: AbortSignal | undefined) {
    this.#until = performance.now() + timeoutMs;
    this.#given = given;
    if (timeoutMs <= LONGEST_TIMER_MS) this.#timer = setTimeout(this.#pass, timeoutMs);
    if (given?.aborted) this.#abort();
    else given?.addEventListener('abort', this.#abort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get leftMs(): number {
    return this.#until - performance.now();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#given?.removeEventListener('abort', this.#abort);
  }

  readonly #pass = (): void => {
    this.hasPassed = true;
    this.#controller.abort();
  };

  readonly #abort = (): void => this.#controller.abort(this.#given?.reason);
}

/** Waits; throws the reason of the signal if that comes first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** How long to wait after so many failures: at random, lest all clients come back at once. */
export const backoffMs = (failures: number): number =>
  Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
