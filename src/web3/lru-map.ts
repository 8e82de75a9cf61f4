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
