import type { Failure } from './chain-failure.ts';

/**
 * How far behind the newest block a node may be without a word: behind one URL there are often
 * several nodes, and they are never quite at one.
 */
export const TOLERATED_LAG = 3;
/** For so long a node that fell back is taken for a node that lags; then its word counts again. */
const BELIEVE_MS = 10 * 60 * 1000;

/** What operators should hear of. Never a URL: an API key is often a part of it. */
export interface ChainEvents {
  failing(chain: string, failure: Failure): void;
  working(chain: string): void;
  /** The node is at a block before one that it told of earlier. */
  behind(chain: string, block: number, highest: number): void;
  /** A contract did not answer, or not with what a token answers. */
  unanswered(chain: string, contract: string): void;
}

/** Numbers that only grow, for metrics. */
export interface ChainCounts {
  chain: string;
  reads: number;
  failures: Partial<Record<Failure, number>>;
  behind: number;
  unanswered: number;
  failing: boolean;
  highestBlock: number | null;
}

/** What is known of one chain: whether its node answers, and how far it has come. */
export class ChainWatch {
  readonly name: string;
  readonly #events: ChainEvents;
  readonly #retryMs: number;
  readonly #counts = { reads: 0, behind: 0, unanswered: 0 };
  readonly #failures: Partial<Record<Failure, number>> = {};
  #failedAt: number | null = null;
  #failing: Failure | null = null;
  #isBehind = false;
  #highest: { block: number; at: number } | null = null;

  constructor(name: string, events: ChainEvents, retryMs: number) {
    this.name = name;
    this.#events = events;
    this.#retryMs = retryMs;
  }

  /** Whether it failed a moment ago, so that it is left in peace for now. */
  rests(now: number): boolean {
    return this.#failedAt !== null && now - this.#failedAt < this.#retryMs;
  }

  get highest(): number {
    return this.#highest?.block ?? 0;
  }

  failed(failure: Failure, now: number): void {
    this.#counts.reads += 1;
    this.#failures[failure] = (this.#failures[failure] ?? 0) + 1;
    this.#failedAt = now;
    if (this.#failing === failure) return;
    this.#failing = failure;
    this.#events.failing(this.name, failure);
  }

  /** Notes an answer; tells whether it comes from a node that is too far behind. */
  answered(block: number, now: number): boolean {
    this.#counts.reads += 1;
    this.#failedAt = null;
    if (this.#failing !== null) this.#events.working(this.name);
    this.#failing = null;
    return this.#fallsBehind(block, now);
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
      failing: this.#failing !== null,
      highestBlock: this.#highest?.block ?? null,
    };
  }

  #fallsBehind(block: number, now: number): boolean {
    const highest = this.#highest;
    const isBehind =
      highest !== null && block < highest.block - TOLERATED_LAG && now - highest.at < BELIEVE_MS;
    if (isBehind) {
      this.#counts.behind += 1;
      if (!this.#isBehind) this.#events.behind(this.name, block, highest.block);
    } else if (!highest || block >= highest.block || now - highest.at >= BELIEVE_MS) {
      this.#highest = { block, at: now };
    }
    this.#isBehind = isBehind;
    return isBehind;
  }
}
