import type { Failure } from './chain-failure.ts';

/**
 * How many blocks a node may lag without being reported: one URL often serves several nodes, and
 * they are never at exactly the same block.
 */
export const TOLERATED_LAG = 3;
/** After this time a node at a lower block no longer counts as lagging: its block is believed. */
const MAX_LAG_MS = 10 * 60 * 1000;

/** What operators are notified of. Never a URL, which often contains an API key. */
export interface ChainEvents {
  failing(chain: string, failure: Failure): void;
  working(chain: string): void;
  /** The node is at an earlier block than one it reported before. */
  behind(chain: string, block: number, highest: number): void;
  /** A contract did not answer, or did not answer like a token. */
  unanswered(chain: string, contract: string): void;
}

/** Counters for the metrics. */
export interface ChainCounts {
  chain: string;
  reads: number;
  failures: Partial<Record<Failure, number>>;
  behind: number;
  unanswered: number;
  failing: boolean;
  highestBlock: number | null;
}

/** The state of one chain: whether its node answers, and how far it has got. */
export class ChainWatch {
  readonly name: string;
  readonly #events: ChainEvents;
  readonly #retryMs: number;
  readonly #counts = { reads: 0, behind: 0, unanswered: 0 };
  readonly #failures: Partial<Record<Failure, number>> = {};
  /** The last read's failure, or null if it succeeded. */
  #failed: { failure: Failure; at: number } | null = null;
  #isBehind = false;
  #highest: { block: number; at: number } | null = null;

  constructor(name: string, events: ChainEvents, retryMs: number) {
    this.name = name;
    this.#events = events;
    this.#retryMs = retryMs;
  }

  /** Whether the node failed so recently that it is not asked again yet. */
  isPaused(now: number): boolean {
    return this.#failed !== null && now - this.#failed.at < this.#retryMs;
  }

  get highest(): number {
    return this.#highest?.block ?? 0;
  }

  failed(failure: Failure, now: number): void {
    this.#counts.reads += 1;
    this.#failures[failure] = (this.#failures[failure] ?? 0) + 1;
    if (this.#failed?.failure !== failure) this.#events.failing(this.name, failure);
    this.#failed = { failure, at: now };
  }

  /** Records an answer and returns whether the node lags too far behind. */
  answered(block: number, now: number): boolean {
    this.#counts.reads += 1;
    if (this.#failed) this.#events.working(this.name);
    this.#failed = null;
    const isBehind = this.#isLagging(block, now);
    if (isBehind) {
      this.#counts.behind += 1;
      if (!this.#isBehind) this.#events.behind(this.name, block, this.highest);
    }
    this.#isBehind = isBehind;
    return isBehind;
  }

  unanswered(contract: string, isNews: boolean): void {
    this.#counts.unanswered += 1;
    if (isNews) this.#events.unanswered(this.name, contract);
  }

  counts(): ChainCounts {
    return {
      chain: this.name,
      ...this.#counts,
      failures: { ...this.#failures },
      failing: this.#failed !== null,
      highestBlock: this.#highest?.block ?? null,
    };
  }

  #isLagging(block: number, now: number): boolean {
    const highest = this.#highest;
    if (!highest || block >= highest.block || now - highest.at >= MAX_LAG_MS) {
      this.#highest = { block, at: now };
      return false;
    }
    return block < highest.block - TOLERATED_LAG;
  }
}
