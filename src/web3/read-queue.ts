import type { Asked } from './block-read.ts';

/** Does what was gathered; `free` lets the next begin before all of it is done. */
type Work = (asked: readonly Asked[], free: () => void) => Promise<void>;

/**
 * Gathers what is asked while earlier reads are under way and hands it on together: a thousand
 * members at the same time make a few dozen requests, not thousands.
 */
export class Lane {
  readonly #most: number;
  readonly #work: Work;
  #gathered: Asked[] = [];
  #running = 0;
  #willFlush = false;

  constructor(most: number, work: Work) {
    this.#most = most;
    this.#work = work;
  }

  add(asked: Asked): void {
    this.#gathered.push(asked);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#willFlush || this.#running >= this.#most || this.#gathered.length === 0) return;
    this.#willFlush = true;
    setImmediate(() => {
      this.#willFlush = false;
      const asked = this.#gathered;
      this.#gathered = [];
      this.#run(asked);
    });
  }

  #run(asked: readonly Asked[]): void {
    this.#running += 1;
    let isFree = false;
    const free = (): void => {
      if (isFree) return;
      isFree = true;
      this.#running -= 1;
      this.#flushSoon();
    };
    void this.#work(asked, free).finally(free);
  }
}
