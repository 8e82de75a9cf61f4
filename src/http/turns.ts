import { Unavailable } from '../ledger/errors.ts';
import { FairQueue, type Waiting } from '../ledger/fair-queue.ts';

/**
 * The bytes that one turn of the event loop takes on: half a millisecond of work. Node accepts one
 * connection in such a turn, so new callers wait for a thousand others if there are as many.
 */
export const WHOLE_TURN = 4 * 1024;
/** A check of a signature, which takes as long as so many bytes. */
export const SIGNATURE = 128 * 1024;
/** What has fewer bytes is done at once. */
const SMALL = 1024;
const LIMITS = { perRealm: 8 * 1024 * 1024, inAll: 64 * 1024 * 1024 };

interface Waiter extends Waiting {
  resolve: () => void;
}

/**
 * Bodies and documents that are not small are worked on a few at a time, in turns by realm. Between
 * two turns of the event loop everybody else is served.
 */
class Turns {
  readonly #waiting = new FairQueue<Waiter>(LIMITS);
  #isRunning = false;

  /** Resolves when it is the turn of so many bytes; null if it is now. */
  next(realmId: string, bytes: number): Promise<void> | null {
    if (bytes < SMALL) return null;
    return new Promise((resolve, reject) => {
      if (!this.#waiting.add({ realmId, cost: bytes, resolve })) {
        reject(new Unavailable('overloaded', 'too many large requests of the realm are waiting'));
      } else if (!this.#isRunning) {
        this.#isRunning = true;
        setImmediate(this.#run);
      }
    });
  }

  readonly #run = (): void => {
    let bytes = 0;
    while (bytes < WHOLE_TURN) {
      const next = this.#waiting.take();
      if (!next) break;
      bytes += next.cost;
      next.resolve();
    }
    this.#isRunning = this.#waiting.length > 0;
    if (this.#isRunning) setImmediate(this.#run);
  };
}

/** A process has one event loop. */
export const turns = new Turns();
