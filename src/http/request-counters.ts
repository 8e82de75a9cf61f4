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
  (request.counters ?? request.server.requestCounters.other).add(status, ms);
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

/** All answered requests by operation, and the problems among the answers by code. */
export class RequestCounters {
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
