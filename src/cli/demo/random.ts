/** A seeded generator, so that every run is the same. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 (inclusive) to 1 (exclusive), by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(this.next() * from.length)];
    if (picked === undefined) throw new Error('cannot pick from an empty list');
    return picked;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.between(0, 255)));
  }

  shuffle<T>(items: T[]): T[] {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.between(0, last);
      [items[last], items[other]] = [items[other] as T, items[last] as T];
    }
    return items;
  }
}
