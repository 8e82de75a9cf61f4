import type { Outcome } from './rest.ts';

/** How many requests of ours Discord takes in a second; it counts to 50. */
const PER_SECOND = 45;
const MOST_BUCKETS = 1_000;

interface Bucket {
  remaining: number;
  /** When it is full again, by `performance.now()`. */
  resetAt: number;
  /** Requests of a bucket are sent one after the other. */
  last: Promise<unknown>;
}

/**
 * Keeps to the limits that Discord tells in its answers: of a route, of routes that share a bucket,
 * and of all requests together. Interactions are under neither of the latter.
 */
export class RouteLimits {
  readonly #bucketNames = new Map<string, string>();
  readonly #buckets = new Map<string, Bucket>();
  readonly #sent: number[] = [];
  #freeAt = 0;

  /** Sends when it is its turn. */
  async turn(
    method: string,
    path: string,
    isInteraction: boolean,
    send: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const route = routeOf(method, path);
    const bucket = this.#bucketOf(route);
    const previous = bucket.last;
    const outcome = (async () => {
      await previous;
      if (bucket.remaining <= 0) await until(bucket.resetAt);
      if (!isInteraction) await this.#globalTurn();
      const answer = await send();
      this.#learn(route, bucket, answer);
      return answer;
    })();
    bucket.last = outcome.catch(() => {});
    return outcome;
  }

  #bucketOf(route: string): Bucket {
    const name = this.#bucketNames.get(route) ?? route;
    const known = this.#buckets.get(name);
    if (known) return known;
    const bucket = { remaining: 1, resetAt: 0, last: Promise.resolve() };
    this.#buckets.set(name, bucket);
    // Those of interactions are used once or twice.
    if (this.#buckets.size > MOST_BUCKETS) this.#forgetOldest();
    return bucket;
  }

  #forgetOldest(): void {
    const [oldest = ''] = this.#buckets.keys();
    this.#buckets.delete(oldest);
    for (const [route, name] of this.#bucketNames) {
      if (name === oldest) this.#bucketNames.delete(route);
    }
  }

  #learn(route: string, bucket: Bucket, { headers, retry_after, ...answer }: Outcome): void {
    const now = performance.now();
    const seconds = (name: string): number => Number(headers?.get(name) ?? Number.NaN);
    const remaining = seconds('x-ratelimit-remaining');
    if (!Number.isNaN(remaining)) {
      bucket.remaining = remaining;
      bucket.resetAt = now + 1_000 * (seconds('x-ratelimit-reset-after') || 0);
    }
    const shared = headers?.get('x-ratelimit-bucket');
    if (shared) this.#share(route, `${shared} ${majorOf(route)}`, bucket);
    if (answer.ok || answer.failure.status !== 429) return;
    const waitMs = 1_000 * (retry_after || seconds('retry-after') || 1);
    if (headers?.get('x-ratelimit-global')) this.#freeAt = Math.max(this.#freeAt, now + waitMs);
    else Object.assign(bucket, { remaining: 0, resetAt: now + waitMs });
  }

  /** From now on the route waits with all others of this bucket. */
  #share(route: string, name: string, bucket: Bucket): void {
    if (this.#bucketNames.get(route) === name) return;
    this.#bucketNames.set(route, name);
    if (!this.#buckets.has(name)) this.#buckets.set(name, bucket);
    this.#buckets.delete(route);
  }

  async #globalTurn(): Promise<void> {
    for (;;) {
      const now = performance.now();
      while (this.#sent[0] !== undefined && this.#sent[0] <= now - 1_000) this.#sent.shift();
      const oldest = this.#sent.length < PER_SECOND ? 0 : (this.#sent[0] ?? 0) + 1_000;
      const freeAt = Math.max(this.#freeAt, oldest);
      if (freeAt <= now) break;
      await until(freeAt);
    }
    this.#sent.push(performance.now());
  }
}

const until = (instant: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, instant - performance.now())));

/** Paths that differ in minor ids are one route; channels, servers and tokens are major ones. */
const routeOf = (method: string, path: string): string =>
  `${method} ${path.replace(/(?<!^\/(channels|guilds|webhooks|interactions))\/\d{15,}/g, '/:id')}`;

const majorOf = (route: string): string => /^\S+ (\/\w+\/[^/]+)/.exec(route)?.[1] ?? '';
