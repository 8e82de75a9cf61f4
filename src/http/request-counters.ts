import type { FastifyRequest } from 'fastify';
import { problems } from '../contract/problems.ts';

/**
 * Called wherever an answer is sent: a hook for all answers would cost every request some
 * microseconds. A request that failed before our first hook has no start and counts as 0 ms.
 */
export function countAnswer(request: FastifyRequest, status: number): void {
  const { startedAt, server, counters } = request;
  const ms = startedAt > 0 ? performance.now() - startedAt : 0;
  const { requestCounters } = server;
  // A path that cannot be decoded has undefined.
  if (counters) requestCounters.inProgress -= 1;
  (counters ?? requestCounters.other).add(status, ms);
  const realmId = request.principal?.realmId;
  if (realmId) requestCounters.addRealm(realmId, status);
}

/** The upper bounds of the histogram's buckets, in milliseconds. */
export const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** Indexed by the first digit of the status. */
const noRequests = () => new Float64Array(10);

/**
 * The requests of one operation, as plain numbers that become metrics only when scraped: the
 * library's own histogram joins and hashes labels on every request.
 */
export class OperationCounters {
  readonly operation: string;
  /** Fastify would assemble it anew for each request. */
  readonly route: string | undefined;
  readonly byClass = noRequests();
  /** Indexed by bucket; the last one counts what exceeds every bound. */
  readonly byDuration = new Float64Array(BOUNDS_MS.length + 1);
  totalMs = 0;

  constructor(operation: string, route?: string) {
    this.operation = operation;
    this.route = route;
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

/** How many realms have series of their own, so that their number is bounded. */
const MAX_REALMS = 500;

/** All answered requests by operation and realm, and the problems among the answers by code. */
export class RequestCounters {
  readonly byRealm = new Map<string, Float64Array>();
  readonly #otherRealms = noRequests();
  /** For unknown paths and wrong methods, so that no path of a caller becomes a label. */
  readonly other = new OperationCounters('other');
  readonly all = [this.other];
  readonly problems = new Map(Object.keys(problems).map((code) => [code, 0]));
  /** Requests of operations that are not answered yet. */
  inProgress = 0;

  constructor() {
    // No realm can have this id.
    this.byRealm.set('_other', this.#otherRealms);
  }

  of(operation: string, route: string): OperationCounters {
    const counters = new OperationCounters(operation, route);
    this.all.push(counters);
    return counters;
  }

  /** The first realms that call are counted one by one, and all others together. */
  addRealm(realmId: string, status: number): void {
    let counts = this.byRealm.get(realmId);
    if (counts === undefined) {
      counts = this.byRealm.size > MAX_REALMS ? this.#otherRealms : noRequests();
      if (counts !== this.#otherRealms) this.byRealm.set(realmId, counts);
    }
    increment(counts, Math.floor(status / 100));
  }

  addProblem(code: string): void {
    this.problems.set(code, (this.problems.get(code) ?? 0) + 1);
  }
}
