import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../contract/problems.ts';
import type { ClientNetworks } from './client-networks.ts';
import { setLast } from './fresh-cache.ts';
import { Limiter, refusalsWith } from './rate-limits.ts';

const LIMIT = { perSecond: 1, burst: 20 };

const TOO_MANY_WRONG_KEYS = refusalsWith('Too many wrong keys from this address.');

/**
 * Limits wrong keys by where they come from, so that a root key that somebody made up cannot be
 * guessed quickly. The keys of realms are random and too long to be guessed; hence a right one is
 * admitted whatever else comes from there.
 */
export class WrongKeys {
  readonly #networks: ClientNetworks;
  /** The one that has been quiet for longest is the first. */
  readonly #limiters = new Map<string, Limiter>();
  /** Where the root key is in use: others there cannot lock it out. */
  readonly #rootNetworks = new Map<string, true>();

  constructor(networks: ClientNetworks) {
    this.#networks = networks;
  }

  /** Whether to find out if a key from there is the root key. */
  mayBeRoot(request: IncomingMessage): boolean {
    const network = this.#networks.of(request);
    if (this.#rootNetworks.has(network)) return true;
    return !this.#limiters.get(network)?.isExhausted(performance.now());
  }

  addRoot(request: IncomingMessage): void {
    setLast(this.#rootNetworks, this.#networks.of(request), true);
  }

  /** Counts a wrong key, and returns its refusal. */
  count(request: IncomingMessage): ProblemError {
    const network = this.#networks.of(request);
    const now = performance.now();
    const limiter = this.#limiters.get(network) ?? new Limiter(LIMIT, now);
    setLast(this.#limiters, network, limiter);
    const left = limiter.take(now, TOO_MANY_WRONG_KEYS);
    return typeof left === 'number' ? wrongKey() : left;
  }
}

export const wrongKey = (): ProblemError =>
  new ProblemError('unauthorized', { reason: 'The API key is wrong, revoked or unknown.' });
