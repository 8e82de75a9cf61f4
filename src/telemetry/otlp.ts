/** The JSON of OTLP: ids in hexadecimal, integers of 64 bits as text, enumerations as numbers. */

import { monotonicMs } from '../ledger/batch-timing.ts';
import type { Attributes, Span } from './tracer.ts';

const KINDS = { internal: 1, server: 2 };
const STATUS_ERROR = 2;
/** The flag of a span whose parent was sampled, which all of ours are. */
const SAMPLED = 1;
/** Of the enumeration AggregationTemporality. */
const CUMULATIVE = 2;

interface Scope {
  name: string;
  version: string;
}

/** When counting began, and when the metrics were read, in nanoseconds as text. */
interface Period {
  startTimeUnixNano: string;
  timeUnixNano: string;
}

/** A value of a metric of Prometheus. */
export interface Series {
  labels?: Record<string, string | number>;
  value: number;
  /** Of a histogram: the name with _bucket, _sum or _count. */
  metricName?: string;
}

/** A metric of Prometheus as it was at an instant. */
export interface MetricSnapshot {
  name: string;
  help: string;
  type: string;
  values: Series[];
}

export class OtlpEncoder {
  readonly #resource: object;
  readonly #scope: Scope;
  readonly #startTimeUnixNano = wallClock()(monotonicMs());

  constructor(attributes: Attributes, scope: Scope) {
    this.#resource = { attributes: keyValues(attributes) };
    this.#scope = scope;
  }

  traces(all: readonly Span[]): string {
    const nanosecondsAt = wallClock();
    const spans = all.map((span) => encoded(span, nanosecondsAt));
    const scopeSpans = [{ scope: this.#scope, spans }];
    return JSON.stringify({ resourceSpans: [{ resource: this.#resource, scopeSpans }] });
  }

  /** The body of an export of the metrics of Prometheus, by their names; none without a value. */
  metrics(all: readonly MetricSnapshot[]): string {
    const timeUnixNano = wallClock()(monotonicMs());
    const period = { startTimeUnixNano: this.#startTimeUnixNano, timeUnixNano };
    const metrics = all.flatMap((metric) => {
      const data = dataOf(metric, period);
      return data ? [{ name: metric.name, description: metric.help, ...data }] : [];
    });
    const scopeMetrics = [{ scope: this.#scope, metrics }];
    return JSON.stringify({ resourceMetrics: [{ resource: this.#resource, scopeMetrics }] });
  }
}

/**
 * The time of day at instants of `monotonicMs`, in nanoseconds since 1970: text, since a number
 * would not hold it. Each export takes it anew, to follow corrections of the clock.
 */
function wallClock(): (instant: number) => string {
  const offset = Date.now() - monotonicMs();
  return (instant) => `${Math.round((offset + instant) * 1_000)}000`;
}

function encoded(span: Span, nanosecondsAt: (instant: number) => string): object {
  const { traceId, spanId, parentSpanId, name, kind, attributes, links, isError } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    flags: SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanosecondsAt(span.startedAt),
    endTimeUnixNano: nanosecondsAt(span.endedAt),
    attributes: keyValues(attributes),
    ...(links.length > 0 && { links }),
    ...(isError && { status: { code: STATUS_ERROR } }),
  };
}

function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined || value === null) return [];
    return [{ key, value: anyValue(value) }];
  });
}

function anyValue(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function dataOf({ name, type, values }: MetricSnapshot, period: Period): object | null {
  const dataPoints =
    type === 'histogram' ? histogramPoints(name, values, period) : numberPoints(values, period);
  if (dataPoints.length === 0) return null;
  if (type === 'gauge') return { gauge: { dataPoints } };
  if (type === 'histogram') {
    return { histogram: { dataPoints, aggregationTemporality: CUMULATIVE } };
  }
  return { sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } };
}

/** JSON has no NaN. */
const numberPoints = (values: readonly Series[], period: Period): object[] =>
  values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels = {}, value }) => ({
      attributes: keyValues(asText(labels)),
      ...period,
      asDouble: value,
    }));

const asText = (labels: Record<string, string | number>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));

/** The buckets of Prometheus contain all that is below their bound; those of OTLP are disjoint. */
function histogramPoints(name: string, values: readonly Series[], period: Period): object[] {
  const bySeries = Map.groupBy(values, ({ labels: { le: _, ...labels } = {} }) =>
    JSON.stringify(labels),
  );
  return Array.from(bySeries, ([labels, series]) => {
    const partOf = (suffix: string) =>
      series.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
    const buckets = series.filter(({ metricName }) => metricName === `${name}_bucket`);
    const below = buckets.map(({ value }) => value);
    return {
      attributes: keyValues(asText(JSON.parse(labels))),
      ...period,
      count: String(partOf('count')),
      sum: partOf('sum'),
      explicitBounds: buckets.flatMap(({ labels }) => (labels?.le === '+Inf' ? [] : [labels?.le])),
      bucketCounts: below.map((value, index) => String(value - (below[index - 1] ?? 0))),
    };
  });
}
