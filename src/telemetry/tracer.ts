import { type BatchTiming, monotonicMs } from '../engine/batch-timing.ts';
import type { RequestSpan, RequestTracer, TracedRequest } from '../http/services.ts';
import { batchSpans } from './batch-spans.ts';
import type { Sampler } from './sampler.ts';
import { newSpanId, newTraceId, type Span } from './span.ts';
import { parseTraceparent, traceparentOf } from './traceparent.ts';

/** The methods that the semantic conventions know; all others have one name. */
const METHODS = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|QUERY)$/;

type Description = Pick<Span, 'name' | 'kind' | 'attributes' | 'links' | 'isError'>;

/** Makes spans of requests, of the batches that their commands were in, and of their commits. */
export class Tracer implements RequestTracer {
  readonly #isSampled: Sampler;
  readonly #add: (span: Span) => void;

  constructor(isSampled: Sampler, add: (span: Span) => void) {
    this.#isSampled = isSampled;
    this.#add = add;
  }

  begin(header: string | string[] | undefined): RequestSpan | null {
    const parent = parseTraceparent(header);
    const traceId = parent?.traceId ?? newTraceId();
    if (!this.#isSampled(traceId, parent)) return null;
    const context = { traceId, spanId: newSpanId() };
    const startedAt = monotonicMs();
    const parentSpanId = parent?.spanId ?? null;
    return {
      traceId,
      traceparent: traceparentOf(context),
      end: (request) =>
        this.#add({
          ...context,
          parentSpanId,
          startedAt,
          endedAt: monotonicMs(),
          ...about(request),
        }),
    };
  }

  /** The requests are still open, since this comes before the outcomes of the batch. */
  readonly addBatch = (timing: BatchTiming): void => {
    for (const span of batchSpans(timing)) this.#add(span);
  };
}

/**
 * By the semantic conventions of HTTP servers, except that there is no path: it has ids of members
 * and wallets.
 */
function about({ method, route, status, realmId, problemCode }: TracedRequest): Description {
  const known = METHODS.test(method) ? method : '_OTHER';
  const isError = status >= 500;
  return {
    name: route === undefined ? known : `${known} ${route}`,
    kind: 'server',
    attributes: {
      'http.request.method': known,
      'http.route': route,
      'http.response.status_code': status,
      'url.scheme': 'http',
      'error.type': isError ? (problemCode ?? String(status)) : null,
      'realmkeep.realm.id': realmId,
      'realmkeep.problem.code': problemCode,
    },
    links: [],
    isError,
  };
}
