/** The JSON of OTLP: ids in hexadecimal, integers of 64 bits as text, enumerations as numbers. */
import type { Attributes, Span } from './span.ts';
import type { WallClock } from './wall-clock.ts';

const KINDS = { internal: 1, server: 2 };
const STATUS_ERROR = 2;
/** The flag of a span whose parent was sampled, which all of ours are. */
const SAMPLED = 1;

interface Scope {
  name: string;
  version: string;
}

/** Encodes what is sent of one process. */
export class OtlpEncoder {
  readonly #resource: object;
  readonly #scope: Scope;

  constructor(attributes: Attributes, scope: Scope) {
    this.#resource = { attributes: keyValues(attributes) };
    this.#scope = scope;
  }

  /** The body of an export of spans. */
  traces(spans: readonly Span[], clock: WallClock): string {
    const scopeSpans = [{ scope: this.#scope, spans: spans.map((span) => encoded(span, clock)) }];
    return JSON.stringify({ resourceSpans: [{ resource: this.#resource, scopeSpans }] });
  }

  /** The body of an export of metrics, which are encoded already. */
  metrics(metrics: readonly object[]): string {
    const scopeMetrics = [{ scope: this.#scope, metrics }];
    return JSON.stringify({ resourceMetrics: [{ resource: this.#resource, scopeMetrics }] });
  }
}

function encoded(span: Span, clock: WallClock): object {
  const { traceId, spanId, parentSpanId, name, kind, attributes, links, isError } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    flags: SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: clock.nanosecondsAt(span.startedAt),
    endTimeUnixNano: clock.nanosecondsAt(span.endedAt),
    attributes: keyValues(attributes),
    ...(links.length > 0 && { links }),
    ...(isError && { status: { code: STATUS_ERROR } }),
  };
}

export function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined || value === null) return [];
    return [{ key, value: anyValue(value) }];
  });
}

function anyValue(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
