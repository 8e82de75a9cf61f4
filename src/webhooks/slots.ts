/**
 * Bounds how much is done at the same time. If all slots are taken, realms take turns, so that no
 * realm can keep the others waiting for longer than its own work in progress takes.
 */
export class Slots {
  readonly #size: number;
  /** By realm, in the order of their turns; none of the lists is empty. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Does the work as soon as there is a slot for it. */
  async run<T>(realmId: string, work: () => Promise<T>): Promise<T> {
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
