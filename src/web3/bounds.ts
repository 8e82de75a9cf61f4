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

export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(permits: number) {
    this.#free = permits;
  }

  /** Resolves to a function that returns the permit; calling it again has no effect. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isReleased = false;
    return () => {
      if (!isReleased) this.#release();
      isReleased = true;
    };
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** The result of the work, or the fallback if it fails or takes longer. */
export async function within<T>(ms: number, work: Promise<T>, fallback: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(resolve, ms, fallback);
  work.then(resolve, () => resolve(fallback));
  return promise.finally(() => clearTimeout(timer));
}
