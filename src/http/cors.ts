import type { FastifyReply, FastifyRequest } from 'fastify';
import { countAnswer } from './request-counters.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, QUERY';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer, Traceparent, ' +
  'X-Realmkeep-On-Behalf-Of, X-Request-Id';
const ANSWER_HEADERS =
  'Allow, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, ' +
  'WWW-Authenticate, X-Realmkeep-Ignored, X-Request-Id';
/** Two hours: no browser keeps it for longer, except for Firefox. */
const MAX_AGE_SECONDS = 7_200;

/**
 * Lets the pages of some origins call the service (the CORS protocol of the Fetch standard). Pages
 * send keys in headers of their own, so cookies are never allowed.
 */
export class Cors {
  readonly #origins: ReadonlySet<string> | '*';

  constructor(origins: readonly string[] | '*') {
    this.#origins = origins === '*' ? origins : new Set(origins);
  }

  addHeaders({ headers }: FastifyRequest, reply: FastifyReply): void {
    reply.headers(this.headersFor(headers.origin));
  }

  headersFor(origin: string | undefined): Record<string, string> {
    const headers: Record<string, string> = this.#origins === '*' ? {} : { vary: 'Origin' };
    if (origin === undefined || !this.#allows(origin)) return headers;
    headers['access-control-allow-origin'] = this.#origins === '*' ? '*' : origin;
    headers['access-control-expose-headers'] = ANSWER_HEADERS;
    return headers;
  }

  /** Answers a request by which a browser asks for permission; false if it is none. */
  answersPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
    const { origin, 'access-control-request-method': method } = request.headers;
    if (request.method !== 'OPTIONS' || origin === undefined || method === undefined) return false;
    if (this.#allows(origin)) {
      reply.header('access-control-allow-methods', METHODS);
      reply.header('access-control-allow-headers', REQUEST_HEADERS);
      reply.header('access-control-max-age', MAX_AGE_SECONDS);
    }
    countAnswer(request, 204);
    reply.code(204).send();
    return true;
  }

  #allows(origin: string): boolean {
    return this.#origins === '*' || this.#origins.has(origin);
  }
}
