/** How many contracts of a chain are remembered. */
export const MAX_CONTRACTS = 5_000;

/** A map with a limited number of entries; the least recently used one is removed first. */
export class LruMap<V> extends Map<string, V> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override get(key: string): V | undefined {
    const value = super.get(key);
    // A Map iterates in insertion order: inserted again, this entry becomes the newest.
    if (value !== undefined) this.set(key, value);
    return value;
  }

  override set(key: string, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.#limit) return this;
    const [oldest = key] = this.keys();
    this.delete(oldest);
    return this;
  }
}

/** Limits how much work runs at once; whoever waits can be aborted. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(permits: number) {
    this.#free = permits;
  }

  /** Resolves to a function that returns the permit; calling it again has no effect. */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    let isReleased = false;
    return () => {
      if (!isReleased) this.#release();
      isReleased = true;
    };
  }

  async #wait(signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      this.#waiting.delete(resolve);
      reject(signal?.reason);
    };
    this.#waiting.add(resolve);
    signal?.addEventListener('abort', abort, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  /** Passes the permit on to the next in line. */
  #release(): void {
    const [next] = this.#waiting;
    if (next) this.#waiting.delete(next);
    else this.#free += 1;
    next?.();
  }
}

/** The result of the work, or the fallback if it fails or takes longer. */
export async function within<T>(ms: number, work: Promise<T>, fallback: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(resolve, ms, fallback);
  work.then(resolve, () => resolve(fallback));
  return promise.finally(() => clearTimeout(timer));
}
