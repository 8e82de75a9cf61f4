import type { ReadRequest } from './block-read.ts';

/** Reads a batch of requests; `release` lets the next batch start before this one is complete. */
type ReadBatch = (requests: readonly ReadRequest[], release: () => void) => Promise<void>;

/**
 * Collects requests while earlier batches are being read: a thousand members queried at once cause
 * a few dozen requests to the node, not thousands.
 */
export class ReadQueue {
  readonly #concurrency: number;
  readonly #readBatch: ReadBatch;
  #waiting: ReadRequest[] = [];
  #running = 0;
  #isScheduled = false;

  constructor(concurrency: number, readBatch: ReadBatch) {
    this.#concurrency = concurrency;
    this.#readBatch = readBatch;
  }

  add(request: ReadRequest): void {
    this.#waiting.push(request);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running >= this.#concurrency) return;
    if (this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#run(this.#waiting.splice(0));
    });
  }

  #run(requests: readonly ReadRequest[]): void {
    this.#running += 1;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.#running -= 1;
      this.#schedule();
    };
    void this.#readBatch(requests, release).finally(release);
  }
}
