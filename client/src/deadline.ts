/** The longest time that a timer can wait for; a longer one would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Aborts a call when its time is up or when the caller's own signal says so. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #until: number;
  readonly #forget: (() => void) | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  hasPassed = false;

  constructor(timeoutMs: number, given: AbortSignal | undefined) {
    this.#until = performance.now() + timeoutMs;
    if (timeoutMs <= LONGEST_TIMER_MS) this.#timer = setTimeout(() => this.#pass(), timeoutMs);
    if (given) this.#forget = onAbort(given, () => this.#controller.abort(given.reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get leftMs(): number {
    return this.#until - performance.now();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#forget?.();
  }

  #pass(): void {
    this.hasPassed = true;
    this.#controller.abort();
  }
}

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once the signal is aborted, or now if it is; the result forgets that. A signal has one
 * listener, however many calls share it: Node warns of more than ten.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback();
  const others = waiting.get(signal);
  const all = others ?? new Set();
  all.add(callback);
  if (!others) {
    waiting.set(signal, all);
    signal.addEventListener('abort', () => {
      for (const each of all) each();
    });
  }
  return () => all.delete(callback);
}

/** Waits; throws the reason of the signal if that comes first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, ms);
    const forget = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** How long to wait after so many failures: at random, lest all clients come back at once. */
export const backoffMs = (failures: number): number =>
  Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
