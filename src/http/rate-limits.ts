import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ProblemError } from '../contract/problems.ts';
import type { RateLimit } from '../domain/model.ts';
import type { ClientNetworks } from './client-networks.ts';

/** Fills steadily up to its burst. Instants are those of the monotonic clock. */
class TokenBucket {
  limit: RateLimit;
  #tokens: number;
  #filledAt: number;

  constructor(limit: RateLimit, now: number) {
    this.limit = limit;
    this.#tokens = limit.burst;
    this.#filledAt = now;
  }

  isEmpty(now: number): boolean {
    const { perSecond, burst } = this.limit;
    // Requests do not come here in the order in which they began.
    const ms = Math.max(0, now - this.#filledAt);
    this.#filledAt += ms;
    this.#tokens = Math.min(burst, this.#tokens + (ms * perSecond) / 1_000);
    return this.#tokens < 1;
  }

  /** The whole tokens that are left after one was taken; -1 if there was none. */
  take(now: number): number {
    if (this.isEmpty(now)) return -1;
    this.#tokens -= 1;
    return Math.floor(this.#tokens);
  }
}

/** The same one is thrown every time: recording a stack takes a while. */
const TOO_MANY_REQUESTS = new ProblemError('rate-limited');

/** Limits the requests with one key. */
export class KeyLimit {
  readonly #bucket: TokenBucket;
  #policy = '';

  constructor(limit: RateLimit, now: number) {
    this.#bucket = new TokenBucket(limit, now);
    this.change(limit);
  }

  change(limit: RateLimit): void {
    const { perSecond, burst } = limit;
    this.#bucket.limit = limit;
    // The burst, and the seconds in which an empty bucket fills up.
    this.#policy = `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`;
  }

  /** Counts a request and tells its caller what is left; throws if nothing is. */
  count(now: number, reply: FastifyReply): void {
    const left = this.#bucket.take(now);
    reply.header('ratelimit-policy', this.#policy);
    // Whatever the limit, there is a new token within a second.
    reply.header('ratelimit', `"default";r=${Math.max(0, left)};t=1`);
    if (left < 0) throw TOO_MANY_REQUESTS;
  }
}

const WRONG_KEY_LIMIT: RateLimit = { perSecond: 1, burst: 20 };

const TOO_MANY_WRONG_KEYS = new ProblemError('rate-limited', {
  reason: 'Too many wrong keys from this address.',
});

/**
 * Limits wrong keys by where they come from, so that a root key that somebody made up cannot be
 * guessed quickly. The keys of realms are random and too long to be guessed; hence a right one is
 * admitted whatever else comes from there.
 */
export class WrongKeys {
  readonly #networks: ClientNetworks;
  /** The one that has been quiet for longest is the first. */
  readonly #buckets = new Map<string, TokenBucket>();
  /** Where the root key is in use: others there cannot lock it out. */
  readonly #rootNetworks = new Map<string, true>();

  constructor(networks: ClientNetworks) {
    this.#networks = networks;
  }

  /** Whether to find out if a key from there is the root key. */
  mayBeRoot(request: IncomingMessage): boolean {
    const network = this.#networks.of(request);
    if (this.#rootNetworks.has(network)) return true;
    return !this.#buckets.get(network)?.isEmpty(performance.now());
  }

  addRoot(request: IncomingMessage): void {
    setLast(this.#rootNetworks, this.#networks.of(request), true);
  }

  /** Counts a wrong key, and returns its refusal. */
  count(request: IncomingMessage): ProblemError {
    const network = this.#networks.of(request);
    const now = performance.now();
    const bucket = this.#buckets.get(network) ?? new TokenBucket(WRONG_KEY_LIMIT, now);
    setLast(this.#buckets, network, bucket);
    return bucket.take(now) < 0 ? TOO_MANY_WRONG_KEYS : wrongKey();
  }
}

/** Limits what is done for each of many, such as members. */
export class Limits {
  readonly #limit: RateLimit;
  /** The one that has been quiet for longest is the first. */
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Whether there is room for one more, which is then counted. */
  take(whose: string): boolean {
    const now = performance.now();
    const bucket = this.#buckets.get(whose) ?? new TokenBucket(this.#limit, now);
    setLast(this.#buckets, whose, bucket);
    return bucket.take(now) >= 0;
  }
}

export const wrongKey = (): ProblemError =>
  new ProblemError('unauthorized', { reason: 'The API key is wrong, revoked or unknown.' });

const MAX_ENTRIES = 10_000;

/** Sets the value as the last one of a map; the first one goes if there are too many. */
export function setLast<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_ENTRIES) return;
  const [first = ''] = map.keys();
  map.delete(first);
}
