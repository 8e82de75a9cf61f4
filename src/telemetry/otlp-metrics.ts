import type { MetricSnapshot } from '../http/metrics.ts';
import { keyValues } from './otlp-encoder.ts';

/** When counting began, and when the metrics were read, in nanoseconds as text. */
interface Period {
  startTimeUnixNano: string;
  timeUnixNano: string;
}

type Series = MetricSnapshot['values'][number];

/** Of the enumeration AggregationTemporality. */
const CUMULATIVE = 2;

/** Metrics for Prometheus as those of OTLP, under the same names; none without a value. */
export function otlpMetrics(metrics: readonly MetricSnapshot[], period: Period): object[] {
  return metrics.flatMap((metric) => {
    const data = dataOf(metric, period);
    return data ? [{ name: metric.name, description: metric.help, ...data }] : [];
  });
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
