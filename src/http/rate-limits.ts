import type { FastifyReply } from 'fastify';
import { ProblemError } from '../contract/problems.ts';
import type { RateLimit } from '../domain/model.ts';

/** The refusals of one caller that are sent at once. */
const REFUSALS: RateLimit = { perSecond: 20, burst: 100 };
/** How late further ones are sent, at least. */
const DELAY_MS = 250;

/** A refusal by a limit. The same few are thrown every time: recording a stack takes a while. */
export class RateLimited extends ProblemError {
  readonly #isLate: boolean;

  constructor(isLate: boolean, reason?: string) {
    super('rate-limited', { reason });
    this.#isLate = isLate;
  }

  /**
   * Answers at once, or late: a caller that repeats itself without a pause is slowed down. Many
   * connections that were refused together do not all come back at the same moment.
   */
  send(answer: () => void): void {
    if (this.#isLate) setTimeout(answer, DELAY_MS * (1 + Math.random()));
    else answer();
  }
}

/** Fills steadily up to its burst. Instants are those of the monotonic clock. */
class TokenBucket {
  #limit: RateLimit;
  #tokens: number;
  #filledAt: number;

  constructor(limit: RateLimit, now: number) {
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#filledAt = now;
  }

  change(limit: RateLimit): void {
    this.#limit = limit;
  }

  isEmpty(now: number): boolean {
    const { perSecond, burst } = this.#limit;
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

/** Limits the calls of one caller. */
export class Limiter {
  readonly #calls: TokenBucket;
  readonly #refusals: TokenBucket;

  constructor(limit: RateLimit, now: number) {
    this.#calls = new TokenBucket(limit, now);
    this.#refusals = new TokenBucket(REFUSALS, now);
  }

  change(limit: RateLimit): void {
    this.#calls.change(limit);
  }

  isExhausted(now: number): boolean {
    return this.#calls.isEmpty(now);
  }

  /** How many more calls are allowed now, or the refusal of this one. */
  take(now: number, refusals: Refusals = TOO_MANY_REQUESTS): number | RateLimited {
    const left = this.#calls.take(now);
    if (left >= 0) return left;
    return this.#refusals.take(now) < 0 ? refusals.late : refusals.atOnce;
  }
}

export const refusalsWith = (reason?: string) => ({
  atOnce: new RateLimited(false, reason),
  late: new RateLimited(true, reason),
});

type Refusals = ReturnType<typeof refusalsWith>;

const TOO_MANY_REQUESTS = refusalsWith();

/** Limits the requests with one key. */
export class KeyLimit {
  readonly #limiter: Limiter;
  #limit: RateLimit;
  #policy: string;

  constructor(limit: RateLimit, now: number) {
    this.#limit = limit;
    this.#policy = policyOf(limit);
    this.#limiter = new Limiter(limit, now);
  }

  change(limit: RateLimit): void {
    const { perSecond, burst } = this.#limit;
    if (limit.perSecond === perSecond && limit.burst === burst) return;
    this.#limit = limit;
    this.#policy = policyOf(limit);
    this.#limiter.change(limit);
  }

  /** Counts a request and tells its caller what is left; throws if nothing is. */
  count(now: number, reply: FastifyReply): void {
    const left = this.#limiter.take(now);
    reply.header('ratelimit-policy', this.#policy);
    // Whatever the limit, there is a new token within a second.
    reply.header('ratelimit', `"default";r=${typeof left === 'number' ? left : 0};t=1`);
    if (typeof left !== 'number') throw left;
  }
}

/** The burst, and the seconds in which an empty bucket fills up. */
const policyOf = ({ perSecond, burst }: RateLimit): string =>
  `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`;
