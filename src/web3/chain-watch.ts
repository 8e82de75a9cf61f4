import { LruMap, MAX_CONTRACTS } from './bounds.ts';
import { FAILURES, type Failure } from './rpc-client.ts';

/**
 * How many blocks a node may lag without being reported: one URL often serves several nodes, and
 * they are never at exactly the same block.
 */
export const TOLERATED_LAG = 3;
/** After this time a node at a lower block no longer counts as lagging: its block is believed. */
const MAX_LAG_MS = 10 * 60 * 1000;
/** How often a contract that does not answer like a token is reported at most. */
const REPORT_MS = 10 * 60 * 1000;

/** What operators are notified of. Never a URL, which often contains an API key. */
export interface ChainEvents {
  failing(chain: string, failure: Failure): void;
  working(chain: string): void;
  /** The node is at an earlier block than one it reported before. */
  behind(chain: string, block: number, highest: number): void;
  /** A contract did not answer, or did not answer like a token. */
  unanswered(chain: string, contract: string): void;
}

/** The state of one chain: whether its node answers, and how far it has got. */
export class ChainWatch {
  readonly #chain: string;
  readonly #events: ChainEvents;
  readonly #retryMs: number;
  readonly #counts = { reads: 0, failures: noFailures(), behind: 0, unanswered: 0 };
  readonly #reportedAt = new LruMap<number>(MAX_CONTRACTS);
  /** The last read's failure, or null if it succeeded. */
  #failed: { failure: Failure; at: number } | null = null;
  #isBehind = false;
  #highest: { block: number; at: number } | null = null;

  constructor(chain: string, events: ChainEvents, retryMs: number) {
    this.#chain = chain;
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
    this.#counts.failures[failure] += 1;
    if (this.#failed?.failure !== failure) this.#events.failing(this.#chain, failure);
    this.#failed = { failure, at: now };
  }

  /** Records an answer and returns whether the node lags too far behind. */
  answered(block: number, now: number): boolean {
    this.#counts.reads += 1;
    if (this.#failed) this.#events.working(this.#chain);
    this.#failed = null;
    const wasBehind = this.#isBehind;
    this.#isBehind = this.#isLagging(block, now);
    if (this.#isBehind) this.#counts.behind += 1;
    if (this.#isBehind && !wasBehind) this.#events.behind(this.#chain, block, this.highest);
    return this.#isBehind;
  }

  unanswered(contract: string, now: number): void {
    this.#counts.unanswered += 1;
    if (now - (this.#reportedAt.get(contract) ?? -Infinity) <= REPORT_MS) return;
    this.#reportedAt.set(contract, now);
    this.#events.unanswered(this.#chain, contract);
  }

  counts() {
    return {
      chain: this.#chain,
      ...this.#counts,
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

/** From 0: of a series that begins later, Prometheus would miss the first. */
const noFailures = (): Record<Failure, number> =>
  Object.fromEntries(FAILURES.map((failure) => [failure, 0])) as Record<Failure, number>;
