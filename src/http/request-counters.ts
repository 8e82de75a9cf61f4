import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    requestCounters: RequestCounters;
  }
  interface FastifyRequest {
    /** Null for requests that match no operation. */
    counters: OperationCounters | null;
    startedAt: number;
  }
}

export function addRequestCounters(app: FastifyInstance): void {
  app.decorate('requestCounters', new RequestCounters());
  app.decorateRequest('counters', null);
  app.decorateRequest('startedAt', 0);
}

/**
 * Called wherever an answer is sent: a hook for all answers would cost every request some
 * microseconds. A request that failed before our first hook has no start and counts as 0 ms.
 */
export function countAnswer(request: FastifyRequest, status: number): void {
  const { startedAt } = request;
  const ms = startedAt > 0 ? performance.now() - startedAt : 0;
  const { other, realms } = request.server.requestCounters;
  (request.counters ?? other).add(status, ms);
  const realmId = request.principal?.realmId;
  if (realmId) realms.add(realmId, status);
}

/** The upper bounds of the histogram's buckets, in milliseconds. */
export const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** The first digits of the statuses that are sent. */
export const STATUS_CLASSES = [2, 3, 4, 5];

/**
 * The requests of one operation, as plain numbers that become metrics only when scraped: the
 * library's own histogram joins and hashes labels on every request.
 */
export class OperationCounters {
  readonly operation: string;
  readonly byClass = noRequests();
  /** Indexed by bucket; the last one counts what exceeds every bound. */
  readonly byDuration = new Float64Array(BOUNDS_MS.length + 1);
  totalMs = 0;

  constructor(operation: string) {
    this.operation = operation;
  }

  add(status: number, ms: number): void {
    increment(this.byClass, Math.floor(status / 100));
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && ms > (BOUNDS_MS[bucket] ?? 0)) bucket += 1;
    increment(this.byDuration, bucket);
    this.totalMs += ms;
  }
}

function increment(counts: Float64Array, index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

/** How many realms have series of their own. */
const MAX_REALMS = 50;
/** How many others are watched in case they become busier than those. */
const MAX_WATCHED = 10_000;
/** How much busier: so that realms that are about as busy do not alternate. */
const MUCH_BUSIER = 2;
/** How often one of the busiest realms is replaced, at most. */
const CHOOSE_MS = 60_000;
/** No realm can have this id. */
const OTHER_REALMS = '_other';

/** Indexed by the first digit of the status. */
const noRequests = () => new Float64Array(10);

/**
 * The requests of the busiest realms, each by itself, and of all others together: their number is
 * bounded, however many realms there are. A realm is chosen when the counters are read, so that its
 * series begins at 0, and counted with the others before. One that is replaced takes its counts
 * with it. So every series only grows, and all of them together grow by every request.
 */
export class BusiestRealms {
  readonly #other = noRequests();
  readonly #busiest = new Map<string, Float64Array>();
  /** Requests since the busiest were last chosen; of those, also half of the ones before. */
  #recent = new Map<string, number>();
  #chosenAt = 0;

  add(realmId: string, status: number): void {
    increment(this.#busiest.get(realmId) ?? this.#other, Math.floor(status / 100));
    const recent = this.#recent.get(realmId) ?? 0;
    if (recent > 0 || this.#recent.size < MAX_WATCHED) this.#recent.set(realmId, recent + 1);
  }

  /** The counters now. */
  read(now = performance.now()): { realm: string; byClass: Float64Array }[] {
    const isTime = now - this.#chosenAt >= CHOOSE_MS;
    const before = [...this.#busiest];
    this.#choose(isTime);
    if (isTime) this.#forget(now);
    // Those that are replaced are shown once more, with their last requests.
    const all = new Map([...before, ...this.#busiest, [OTHER_REALMS, this.#other]]);
    return Array.from(all, ([realm, byClass]) => ({ realm, byClass }));
  }

  #choose(mayReplace: boolean): void {
    const recentOf = (realm: string): number => this.#recent.get(realm) ?? 0;
    const idlest = [...this.#busiest.keys()].sort((one, two) => recentOf(one) - recentOf(two));
    const others = [...this.#recent].filter(([realm]) => !this.#busiest.has(realm));
    for (const [realm, requests] of others.sort(([, one], [, two]) => two - one)) {
      if (this.#busiest.size === MAX_REALMS) {
        const idle = mayReplace ? idlest.shift() : undefined;
        if (idle === undefined || requests <= MUCH_BUSIER * recentOf(idle)) return;
        this.#busiest.delete(idle);
      }
      this.#busiest.set(realm, noRequests());
    }
  }

  #forget(now: number): void {
    this.#chosenAt = now;
    const kept = [...this.#recent].filter(([realm]) => this.#busiest.has(realm));
    this.#recent = new Map(kept.map(([realm, requests]) => [realm, requests / 2]));
  }
}

/** All answered requests by operation and realm, and the problems among the answers by code. */
export class RequestCounters {
  readonly realms = new BusiestRealms();
  /** For unknown paths and wrong methods, so that no path of a caller becomes a label. */
  readonly other = new OperationCounters('other');
  readonly all = [this.other];
  readonly problems = new Map<string, number>();
  /** Requests being handled. */
  inProgress = 0;

  of(operation: string): OperationCounters {
    const counters = new OperationCounters(operation);
    this.all.push(counters);
    return counters;
  }

  addProblem(code: string): void {
    this.problems.set(code, (this.problems.get(code) ?? 0) + 1);
  }
}
