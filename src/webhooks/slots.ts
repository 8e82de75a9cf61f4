import { Unavailable } from '../engine/errors.ts';

/**
 * Bounds how much is done at the same time. If all slots are taken, realms take turns, so that no
 * realm can keep the others waiting for longer than its own work in progress takes.
 */
export class Slots {
  readonly #size: number;
  readonly #perRealm: number;
  /** By realm, in the order of their turns; none of the lists is empty. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** By realm, how much is being done or waits. */
  readonly #counts = new Map<string, number>();
  #taken = 0;

  constructor(size: number, perRealm = Number.POSITIVE_INFINITY) {
    this.#size = size;
    this.#perRealm = perRealm;
  }

  /** Does the work as soon as there is a slot for it, unless its realm has too much to do. */
  async run<T>(realmId: string, work: () => Promise<T>): Promise<T> {
    const count = this.#counts.get(realmId) ?? 0;
    if (count >= this.#perRealm) throw new Unavailable('overloaded', 'all slots are taken');
    this.#counts.set(realmId, count + 1);
    try {
      return await this.#runInTurn(realmId, work);
    } finally {
      this.#uncount(realmId);
    }
  }

  async #runInTurn<T>(realmId: string, work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#size) this.#taken += 1;
    else {
      await new Promise<void>((next) => {
        this.#waiting.getOrInsertComputed(realmId, () => []).push(next);
      });
    }
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #uncount(realmId: string): void {
    const count = (this.#counts.get(realmId) ?? 0) - 1;
    if (count > 0) this.#counts.set(realmId, count);
    else this.#counts.delete(realmId);
  }

  /** To the realm whose turn it is, which then has its next turn after all others. */
  #passOn(): void {
    const [turn] = this.#waiting;
    if (turn === undefined) {
      this.#taken -= 1;
      return;
    }
    const [realmId, waiting] = turn;
    const next = waiting.shift();
    this.#waiting.delete(realmId);
    if (waiting.length > 0) this.#waiting.set(realmId, waiting);
    next?.();
  }
}
