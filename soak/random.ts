/** Pseudo-random numbers, reproducible by their seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to 1, exclusive. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, both ends inclusive. */
  between(lowest: number, highest: number): number {
    return lowest + Math.floor(this.next() * (highest - lowest + 1));
  }

  isTrue(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.between(0, from.length - 1)] as T;
  }

  /** One of the names, by weight. */
  weighted<Name extends string>(weights: Record<Name, number>): Name {
    const all = Object.entries(weights) as [Name, number][];
    let left = this.next() * all.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of all) {
      left -= weight;
      if (left < 0) return name;
    }
    return (all.at(-1) as [Name, number])[0];
  }

  shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((one) => ({ one, place: this.next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ one }) => one);
  }

  /** An independent sequence, for a worker with its own pace. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32));
  }
}
