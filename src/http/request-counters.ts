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
  /** Indexed by the first digit of the status. */
  readonly byClass = new Float64Array(10);
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
/** How often the busiest realms are chosen, at most. */
const CHOOSE_MS = 60_000;
/** How long a new series is shown at 0, so that all readers see that: each reads more often. */
const AT_ZERO_MS = 60_000;
/** No realm can have this id. */
const OTHER_REALMS = '_other';

type Counts = Float64Array<ArrayBuffer>;

/** The requests of one realm, or of all realms that have no series of their own. */
class RealmCounters {
  readonly realm: string;
  /** Indexed by the first digit of the status. Those of all others until it is counted apart. */
  byClass: Counts;
  /** When it was first shown, at 0; null before. */
  shownAt: number | null = null;
  /** Requests since the busiest realms were last chosen, and fewer and fewer of those before. */
  recent = 0;

  constructor(realm: string, byClass: Counts) {
    this.realm = realm;
    this.byClass = byClass;
  }
}

const noRequests = (): Counts => new Float64Array(10);
const AT_ZERO = noRequests();

/**
 * The requests of the busiest realms, each by itself, and of all others together: their number is
 * bounded, however many realms there are. A realm that becomes one of the busiest is shown at 0 for
 * a minute and counted with the others meanwhile: what a series begins with is not an increase to
 * Prometheus. One that is replaced takes its counts with it. So every series only grows, and all of
 * them together grow by every request.
 */
export class BusiestRealms {
  readonly #other = new RealmCounters(OTHER_REALMS, noRequests());
  readonly #busiest = new Map<string, RealmCounters>();
  /** The requests of other realms since the busiest were last chosen. */
  readonly #watched = new Map<string, number>();
  #chosenAt = 0;

  add(realmId: string, status: number): void {
    const counters = this.#busiest.get(realmId) ?? this.#newOrOther(realmId);
    increment(counters.byClass, Math.floor(status / 100));
    counters.recent += 1;
  }

  /** The counters now. At times, this chooses the busiest realms anew for the next call. */
  read(now = performance.now()): Pick<RealmCounters, 'realm' | 'byClass'>[] {
    const all = Array.from(this.#busiest.values(), (counters) => this.#shown(counters, now));
    all.push(this.#other);
    if (now - this.#chosenAt >= CHOOSE_MS) {
      this.#chosenAt = now;
      this.#choose();
    }
    return all;
  }

  #shown(counters: RealmCounters, now: number): Pick<RealmCounters, 'realm' | 'byClass'> {
    if (counters.byClass !== this.#other.byClass) return counters;
    counters.shownAt ??= now;
    if (now - counters.shownAt >= AT_ZERO_MS) counters.byClass = noRequests();
    return { realm: counters.realm, byClass: AT_ZERO };
  }

  #newOrOther(realmId: string): RealmCounters {
    if (this.#busiest.size < MAX_REALMS) return this.#start(realmId);
    const recent = this.#watched.get(realmId) ?? 0;
    if (recent > 0 || this.#watched.size < MAX_WATCHED) this.#watched.set(realmId, recent + 1);
    return this.#other;
  }

  #start(realmId: string): RealmCounters {
    const counters = new RealmCounters(realmId, this.#other.byClass);
    this.#busiest.set(realmId, counters);
    return counters;
  }

  #choose(): void {
    const idlest = [...this.#busiest.values()].sort((one, two) => one.recent - two.recent);
    const candidates = [...this.#watched].sort(([, one], [, two]) => two - one);
    for (const [index, { realm, recent }] of idlest.entries()) {
      const [realmId, requests] = candidates[index] ?? ['', 0];
      if (requests <= MUCH_BUSIER * recent) break;
      this.#busiest.delete(realm);
      this.#start(realmId).recent = requests;
    }
    this.#watched.clear();
    for (const counters of this.#busiest.values()) counters.recent /= 2;
  }
}

/** All answered requests by operation and realm, and the problems among the answers by code. */
export class RequestCounters {
  readonly realms = new BusiestRealms();
  /** For unknown paths and wrong methods, so that no path of a caller becomes a label. */
  readonly other = new OperationCounters('other');
  readonly all = [this.other];
  readonly problems = new Map<string, number>();

  of(operation: string): OperationCounters {
    const counters = new OperationCounters(operation);
    this.all.push(counters);
    return counters;
  }

  addProblem(code: string): void {
    this.problems.set(code, (this.problems.get(code) ?? 0) + 1);
  }
}
