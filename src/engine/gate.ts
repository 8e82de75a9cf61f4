import { Unavailable } from './errors.ts';
import type { Caller } from './ledger.ts';
import { Turns, type Waiting } from './turns.ts';

interface GateLimits {
  /** Work enters while less than this, by cost, is inside. */
  window: number;
  /** How much may wait, by cost. */
  perLine: number;
  inAll: number;
}

interface Waiter extends Waiting {
  caller: Caller | undefined;
  since: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

/** For one thread or pool of connections that reads; the costs are those of `costOfQuery`. */
export const READ_LIMITS: GateLimits = { window: 512, perLine: 200_000, inAll: 800_000 };

/** For whoever bounds its own calls. */
export const NO_LIMITS: GateLimits = {
  window: Number.POSITIVE_INFINITY,
  perLine: Number.POSITIVE_INFINITY,
  inAll: Number.POSITIVE_INFINITY,
};

/** Longer than a patient caller waits, and much longer than any turn takes unless all is stuck. */
const MAX_WAIT_MS = 10_000;
const SWEEP_MS = 1_000;
const POLL_MS = 10;

/**
 * Bounds the work that is done at the same time. What does not fit waits in turns by realm, so that
 * whoever asks for little is the next to enter, however much others ask for. What is dropped while
 * it waits was never started: there is too much of it, it waited too long, or its caller has gone.
 */
export class Gate {
  readonly #window: number;
  readonly #waiting: Turns<Waiter>;
  #inside = 0;
  #sweep: NodeJS.Timeout | null = null;

  constructor({ window, ...limits }: GateLimits) {
    this.#window = window;
    this.#waiting = new Turns(limits);
  }

  /** Whether work of the realm waits, which later work of the realm must not overtake. */
  hasWaiting(realmId: string): boolean {
    return this.#waiting.has(realmId);
  }

  /**
   * Null if the work has entered, which is nearly always; otherwise resolves when it has. Whoever
   * has entered must leave. A cost that is no whole number would close the gate for ever.
   */
  enter(realmId: string, cost: number, caller?: Caller): Promise<void> | null {
    if (!(Number.isInteger(cost) && cost > 0)) throw new Error(`${cost} cannot be a cost`);
    if (this.#inside < this.#window && this.#waiting.length === 0) {
      this.#inside += cost;
      return null;
    }
    return new Promise((resolve, reject) => {
      const since = performance.now();
      if (!this.#waiting.add({ line: realmId, cost, arrival: 0, caller, since, resolve, reject })) {
        return reject(new Unavailable('overloaded', 'too many requests of the realm are waiting'));
      }
      this.#sweep ??= setInterval(() => this.#rejectOverdue(), SWEEP_MS).unref();
    });
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

  leave(cost: number): void {
    this.#inside -= cost;
    if (this.#waiting.length > 0) this.#admit();
  }

  rejectAll(reason: Error): void {
    for (const { reject } of this.#waiting.takeAll()) reject(reason);
  }

  /** Resolves when nothing is inside or waiting. */
  async emptied(): Promise<void> {
    while (this.#inside > 0 || this.#waiting.length > 0) {
      await new Promise((next) => setTimeout(next, POLL_MS));
    }
  }

  #admit(): void {
    while (this.#inside < this.#window) {
      const next = this.#waiting.take();
      if (!next) return;
      if (next.caller?.destroyed) {
        next.reject(new Unavailable('overloaded', 'the caller disconnected before its turn'));
        continue;
      }
      this.#inside += next.cost;
      next.resolve();
    }
  }

  /** Work that nothing leaves for would wait for ever. */
  #rejectOverdue(): void {
    const overdue = performance.now() - MAX_WAIT_MS;
    for (const realmId of [...this.#waiting.lines]) {
      while ((this.#waiting.firstOf(realmId)?.since ?? overdue) < overdue) {
        const reason = new Unavailable('overloaded', `no turn came within ${MAX_WAIT_MS} ms`);
        this.#waiting.takeFrom(realmId)?.reject(reason);
      }
    }
    if (this.#waiting.length > 0 || !this.#sweep) return;
    clearInterval(this.#sweep);
    this.#sweep = null;
  }
}
