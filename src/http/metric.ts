import type { Metric } from 'prom-client';

/** One value of a metric. */
export interface Series {
  labels?: Record<string, string | number>;
  value: number;
  /** Of a histogram: the name with _bucket, _sum or _count. */
  metricName?: string;
}

/** A metric whose values are read when it is scraped. The registry only calls its `get`. */
export function metric(
  type: 'counter' | 'gauge' | 'histogram',
  suffix: string,
  help: string,
  values: () => Series[],
): Metric {
  const name = `realmkeep_${suffix}`;
  const get = async () => ({ name, help, type, values: values() });
  return { name, get } as unknown as Metric;
}
