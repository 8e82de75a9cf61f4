import { Unavailable } from './errors.ts';
import { FairQueue, type QueueLimits, type Waiting } from './fair-queue.ts';
import type { Caller } from './ledger.ts';

interface GateLimits extends QueueLimits {
  /** Work enters while less than this, by cost, is inside. */
  window: number;
  /** Longer than a patient caller waits, and than any turn takes unless all is stuck. */
  maxWaitMs?: number;
}

interface Waiter extends Waiting {
  caller: Caller | undefined;
  since: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

/** For a thread or a pool of connections that reads; the costs are those of `costOfQuery`. */
export const READ_LIMITS: GateLimits = { window: 128, perRealm: 100_000, inAll: 400_000 };
/** The most that one of them takes of the window: none keeps all others out. */
const MOST = 1 / 2;

const MAX_WAIT_MS = 10_000;

/**
 * Bounds the work that is done at the same time. What does not fit waits in turns by realm. What is
 * dropped while it waits was never started: there is too much of it, it waited too long, or its
 * caller has gone.
 */
export class Gate {
  readonly #window: number;
  readonly #maxWaitMs: number;
  readonly #waiting: FairQueue<Waiter>;
  #inside = 0;

  constructor({ window, maxWaitMs = MAX_WAIT_MS, ...limits }: GateLimits) {
    this.#window = window;
    this.#maxWaitMs = maxWaitMs;
    this.#waiting = new FairQueue(limits);
  }

  /** Null if the work has entered, which is nearly always; otherwise resolves when it has. */
  enter(realmId: string, cost: number, caller?: Caller): Promise<void> | null {
    if (this.#inside < this.#window && this.#waiting.length === 0) {
      this.#inside += this.#placeOf(cost);
      return null;
    }
    return new Promise((resolve, reject) => {
      const since = performance.now();
      if (this.#waiting.add({ realmId, cost, caller, since, resolve, reject })) return;
      reject(new Unavailable('overloaded', 'too many requests of the realm are waiting'));
    });
  }

  /** Whoever has entered must leave. */
  leave(cost: number): void {
    this.#inside -= this.#placeOf(cost);
    while (this.#waiting.length > 0 && this.#inside < this.#window) {
      const next = this.#waiting.take() as Waiter;
      const refusal = this.#refusalOf(next);
      if (refusal) next.reject(new Unavailable('overloaded', refusal));
      else {
        this.#inside += this.#placeOf(next.cost);
        next.resolve();
      }
    }
  }

  /** Does work once it has entered, and leaves. */
  async pass<T>(
    realmId: string,
    cost: number,
    caller: Caller | undefined,
    work: () => T | Promise<T>,
  ): Promise<T> {
    const entered = this.enter(realmId, cost, caller);
    if (entered !== null) await entered;
    try {
      return await work();
    } finally {
      this.leave(cost);
    }
  }

  #placeOf(cost: number): number {
    return Math.min(cost, Math.max(1, this.#window * MOST));
  }

  #refusalOf({ caller, since }: Waiter): string | null {
    if (caller?.destroyed) return 'the caller disconnected before its turn';
    const isLate = performance.now() - since > this.#maxWaitMs;
    return isLate ? `no turn came within ${this.#maxWaitMs} ms` : null;
  }
}
