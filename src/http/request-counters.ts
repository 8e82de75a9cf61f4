import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    requestCounters: AllRequestCounters;
  }
  interface FastifyRequest {
    /** Where it is counted; null outside the table of operations. */
    counters: RequestCounters | null;
    startedAt: number;
  }
}

export function countAnswers(app: FastifyInstance): AllRequestCounters {
  const requestCounters = new AllRequestCounters();
  app.decorate('requestCounters', requestCounters);
  app.decorateRequest('counters', null);
  app.decorateRequest('startedAt', 0);
  return requestCounters;
}

/**
 * Counts an answer where it is made: a hook for all answers would cost every request some
 * microseconds. A request that met no hook of ours has no beginning, and took no time.
 */
export function noteAnswer(request: FastifyRequest, status: number): void {
  const { startedAt } = request;
  const ms = startedAt > 0 ? performance.now() - startedAt : 0;
  (request.counters ?? request.server.requestCounters.other).note(status, ms);
}

/** The upper bounds of the buckets of durations, in milliseconds. */
export const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** The first digits of the statuses that are answered. */
export const STATUS_CLASSES = [2, 3, 4, 5];

/**
 * The requests of one operation. These are plain numbers, made into metrics when somebody asks for
 * them: the histogram of the library puts labels together and hashes them for every request.
 */
export class RequestCounters {
  readonly operation: string;
  /** By the first digit of the status. */
  readonly byClass = new Float64Array(10);
  /** By the bucket into which the duration falls; the last is for what is past every bound. */
  readonly byDuration = new Float64Array(BOUNDS_MS.length + 1);
  totalMs = 0;

  constructor(operation: string) {
    this.operation = operation;
  }

  note(status: number, ms: number): void {
    add(this.byClass, Math.floor(status / 100));
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && ms > (BOUNDS_MS[bucket] ?? 0)) bucket += 1;
    add(this.byDuration, bucket);
    this.totalMs += ms;
  }
}

function add(counts: Float64Array, index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

/** Every request that was answered, and every problem among the answers. */
export class AllRequestCounters {
  /** For unknown paths and wrong methods: no path of a caller becomes a label. */
  readonly other = new RequestCounters('other');
  readonly #byOperation = new Map<string, RequestCounters>();
  readonly #problems = new Map<string, number>();

  of(operation: string): RequestCounters {
    const known = this.#byOperation.get(operation);
    if (known) return known;
    const counters = new RequestCounters(operation);
    this.#byOperation.set(operation, counters);
    return counters;
  }

  noteProblem(code: string): void {
    this.#problems.set(code, (this.#problems.get(code) ?? 0) + 1);
  }

  get all(): RequestCounters[] {
    return [...this.#byOperation.values(), this.other];
  }

  get problems(): ReadonlyMap<string, number> {
    return this.#problems;
  }
}
