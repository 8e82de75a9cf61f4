import { randomBytes } from 'node:crypto';
import type { TelemetrySettings } from '../config/telemetry-settings.ts';
import { type BatchTiming, monotonicMs } from '../ledger/batch-timing.ts';

/** A span as others refer to it. */
interface SpanContext {
  traceId: string;
  spanId: string;
}

/** A span that has ended. Its instants are those of `monotonicMs`. */
export interface Span extends SpanContext {
  parentSpanId: string | null;
  name: string;
  kind: 'server' | 'internal';
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  links: SpanContext[];
  isError: boolean;
}

/** Those that are undefined or null are left out. */
export type Attributes = Record<string, string | number | null | undefined>;

const newTraceId = (): string => randomBytes(16).toString('hex');
const newSpanId = (): string => randomBytes(8).toString('hex');

/** The span that a caller names as the parent of its request. */
interface Parent extends SpanContext {
  isSampled: boolean;
}

/** Later versions may add fields behind these, but version 00 has none, and ff does not exist. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
const SAMPLED = 1;

/** By the W3C recommendation Trace Context. Null if there is no header, or not a valid one. */
export function parseTraceparent(header: string | string[] | undefined): Parent | null {
  if (typeof header !== 'string') return null;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header) ?? [];
  const isValid = version !== undefined && (version !== '00' || more === undefined);
  if (!isValid || ZEROS.test(traceId) || ZEROS.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** Of a span that is sampled. */
const traceparentOf = ({ traceId, spanId }: SpanContext): string => `00-${traceId}-${spanId}-01`;

/** As many as collectors keep. The spans on the other side have all of their links. */
const MAX_LINKS = 128;

/** The methods that the semantic conventions know; all others have one name. */
const METHODS = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|QUERY)$/;

/** What a span says of a request: nothing private, as in the log. */
interface TracedRequest {
  method: string;
  /** The template, not the path. Undefined for an unknown path. */
  route: string | undefined;
  status: number;
  realmId: string | undefined;
  problemCode: string | null;
}

/** The span of a request, from its head to the end of its answer. */
export type RequestSpan = NonNullable<ReturnType<Tracer['begin']>>;

type Description = Pick<Span, 'name' | 'kind' | 'attributes' | 'links' | 'isError'>;

/** Makes spans of requests, of the batches that their commands were in, and of their commits. */
export class Tracer {
  readonly #isSampled: Sampler;
  readonly #add: (span: Span) => void;

  constructor(isSampled: Sampler, add: (span: Span) => void) {
    this.#isSampled = isSampled;
    this.#add = add;
  }

  /** Starts the span of a request; null if the request is not sampled. */
  begin(header: string | string[] | undefined) {
    const parent = parseTraceparent(header);
    const traceId = parent?.traceId ?? newTraceId();
    if (!this.#isSampled(traceId, parent)) return null;
    const context = { traceId, spanId: newSpanId() };
    const startedAt = monotonicMs();
    const parentSpanId = parent?.spanId ?? null;
    return {
      traceId,
      traceparent: traceparentOf(context),
      end: (request: TracedRequest) =>
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

/**
 * Each traced request gets a span `batch`, from when its command was pushed to its outcome. The
 * `commit`, from the decision until it is durable, is done once for all of them: it is in the trace
 * of the first one, and linked with the batches of the others.
 */
function batchSpans({ traced, size, ...timing }: BatchTiming): Span[] {
  const { startedAt, decidedAt, endedAt, error } = timing;
  const ended = { kind: 'internal', endedAt, isError: error !== null } as const;
  const batches = traced.flatMap(({ trace, pushedAt }): Span[] => {
    const request = parseTraceparent(trace);
    if (!request) return [];
    return [
      {
        ...ended,
        ...childOf(request),
        name: 'batch',
        startedAt: pushedAt,
        attributes: {
          'realmkeep.batch.size': size,
          'realmkeep.batch.wait_ms': startedAt - pushedAt,
          'error.type': error,
        },
        links: [],
      },
    ];
  });
  const [first, ...others] = batches;
  if (!first || decidedAt === null) return batches;
  const commit: Span = {
    ...ended,
    ...childOf(first),
    name: 'commit',
    startedAt: decidedAt,
    attributes: { 'realmkeep.batch.size': size, 'error.type': error },
    links: others.slice(0, MAX_LINKS).map(contextOf),
  };
  for (const batch of others) batch.links.push(contextOf(commit));
  return [...batches, commit];
}

const childOf = ({ traceId, spanId }: SpanContext) => ({
  traceId,
  spanId: newSpanId(),
  parentSpanId: spanId,
});

const contextOf = ({ traceId, spanId }: SpanContext): SpanContext => ({ traceId, spanId });

type Sampler = (traceId: string, parent: Parent | null) => boolean;

/** Of the 56 random bits at the end of a trace id, as many as a number holds exactly. */
const RANDOM_DIGITS = 13;
const RANDOM_END = -1;

type SamplerSettings = Pick<TelemetrySettings, 'sampler' | 'ratio'>;

export function samplerOf({ sampler, ratio }: SamplerSettings): Sampler {
  const [, isParentBased, kind] = /^(parentbased_)?(.*)$/.exec(sampler) ?? [];
  const root = kind === 'traceidratio' ? byTraceId(ratio) : () => kind === 'always_on';
  if (!isParentBased) return root;
  return (traceId, parent) => parent?.isSampled ?? root(traceId, parent);
}

/** All programs that go by the same share take the same traces. */
function byTraceId(ratio: number): Sampler {
  const threshold = (1 - ratio) * 16 ** RANDOM_DIGITS;
  return (traceId) =>
    Number.parseInt(traceId.slice(RANDOM_END - RANDOM_DIGITS, RANDOM_END), 16) >= threshold;
}
