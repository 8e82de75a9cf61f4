import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, type Metric, Registry, register } from 'prom-client';
import { ProblemError, problems } from '../contract/problems.ts';
import { hashSecret } from '../domain/key-format.ts';
import { chainMetrics } from './chain-metrics.ts';
import type { Connections } from './connections.ts';
import { hasHash, presentedKey } from './key-ring.ts';
import { metric, type Series } from './metric.ts';
import {
  BOUNDS_MS,
  type OperationCounters,
  type RequestCounters,
  STATUS_CLASSES,
} from './request-counters.ts';
import type { BackupStatus, Services } from './services.ts';

/** A metric as it was at an instant. */
export interface MetricSnapshot {
  name: string;
  help: string;
  type: string;
  values: Series[];
}

declare module 'fastify' {
  interface FastifyInstance {
    /** What `GET /metrics` shows, as data. */
    readMetrics(): Promise<MetricSnapshot[]>;
  }
}

/** `GET /metrics`, for the root key or METRICS_TOKEN. */
export function addMetrics(
  app: FastifyInstance,
  services: Services,
  connections: Connections,
): void {
  const ours = new Registry();
  for (const metric of [
    ...requestMetrics(app.requestCounters),
    ...loadMetrics(app.requestCounters, connections),
    ...streamMetrics(services),
    ...storageMetrics(services),
    ...webhookMetrics(services),
    ...backupMetrics(services),
    ...erasureMetrics(services),
    ...chainMetrics(services),
    ...telemetryMetrics(services),
  ]) {
    ours.registerMetric(metric);
  }
  // Once per process: its observers (event loop, garbage collection) cannot be removed again.
  if (register.getMetricsAsArray().length === 0) collectDefaultMetrics();
  // The library's type has numbers for the names of types.
  const read = (from: Registry) => from.getMetricsAsJSON() as Promise<unknown>;
  app.decorate('readMetrics', async () =>
    ((await Promise.all([ours, register].map(read))) as MetricSnapshot[][]).flat(),
  );
  app.get('/metrics', async (request, reply) => {
    await admit(request, services);
    const text = `${await ours.metrics()}\n${await register.metrics()}`;
    return reply.type(ours.contentType).send(text);
  });
}

async function admit(request: FastifyRequest, { keyRing, metricsToken }: Services): Promise<void> {
  const key = presentedKey(request.raw);
  if (metricsToken !== null && hasHash(key, hashSecret(metricsToken))) return;
  const { scopes } = await keyRing.identify(key, request.raw);
  if (!scopes.has('root')) throw new ProblemError('insufficient-scope', { required: 'root' });
}

const requestMetrics = (counters: RequestCounters): Metric[] => [
  metric(
    'counter',
    'http_requests_total',
    'Answered requests, by operation and status class.',
    () =>
      counters.all.flatMap(({ operation, byClass }) =>
        STATUS_CLASSES.map((digit) => ({
          labels: { operation, status: `${digit}xx` },
          value: byClass[digit] ?? 0,
        })),
      ),
  ),
  metric(
    'histogram',
    'http_request_duration_seconds',
    'From the request head to the answer, by operation.',
    () => counters.all.flatMap(durations),
  ),
  metric(
    'counter',
    'realm_requests_total',
    'Requests with keys of a realm, by realm and status class; _other: of all but the busiest.',
    () =>
      counters.realms.read().flatMap(({ realm, byClass }) =>
        STATUS_CLASSES.map((digit) => ({
          labels: { realm, status: `${digit}xx` },
          value: byClass[digit] ?? 0,
        })),
      ),
  ),
  metric('counter', 'problems_total', 'Problem answers, by code.', () =>
    Object.keys(problems).map((code) => ({
      labels: { code },
      value: counters.problems.get(code) ?? 0,
    })),
  ),
];

const loadMetrics = (counters: RequestCounters, connections: Connections): Metric[] => [
  metric('gauge', 'http_requests_in_progress', 'Requests being handled.', () => [
    { value: counters.inProgress },
  ]),
  metric('gauge', 'http_unsent_bytes', 'Bytes of answers that callers have not read yet.', () => [
    { value: connections.unreadBytes },
  ]),
];

const streamMetrics = ({ streams }: Services): Metric[] => [
  metric('gauge', 'event_streams', 'Open streams of events.', () => [{ value: streams.size }]),
  metric('counter', 'event_stream_events_total', 'Events sent to the readers of streams.', () => [
    { value: streams.counts.events },
  ]),
  metric(
    'counter',
    'event_stream_dropped_total',
    'Streams that were ended because their readers did not read.',
    () => [{ value: streams.counts.dropped }],
  ),
];

function durations({ operation, byDuration, totalMs }: OperationCounters): Series[] {
  const name = 'realmkeep_http_request_duration_seconds';
  let count = 0;
  const buckets = Array.from(byDuration, (value, index) => {
    count += value;
    const bound = BOUNDS_MS[index];
    const le = bound === undefined ? '+Inf' : bound / 1_000;
    return { labels: { operation, le }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels: { operation }, value: totalMs / 1_000, metricName: `${name}_sum` },
    { labels: { operation }, value: count, metricName: `${name}_count` },
  ];
}

const storageMetrics = ({ status }: Services): Metric[] => [
  metric('gauge', 'database_up', 'Whether the database can be reached and takes writes.', () => [
    { value: Number(status.outage === null) },
  ]),
  metric('gauge', 'database_full', 'Whether writes are refused for lack of disk space.', () => [
    { value: Number(status.outage?.reason === 'storage-full') },
  ]),
  metric(
    'gauge',
    'database_damaged',
    'Whether the database file is known to be damaged and accepts no writes.',
    () => [{ value: Number(status.damage !== null) }],
  ),
  metric(
    'gauge',
    'database_checked_timestamp_seconds',
    'When the database files were last checked completely; 0 before the first time.',
    () => (status.checksFiles ? [{ value: (status.checkedAt ?? 0) / 1_000 }] : []),
  ),
];

const webhookMetrics = ({ webhooks }: Services): Metric[] => [
  metric('gauge', 'webhooks_sending', 'Webhooks that this process sends for.', () => [
    { value: webhooks.counts().webhooks },
  ]),
  metric(
    'gauge',
    'webhook_lag_events',
    'Events that the webhook that is most behind has not been sent.',
    () => [{ value: webhooks.counts().events }],
  ),
  metric(
    'gauge',
    'webhook_lag_seconds',
    'The age of the oldest event that a webhook is being sent.',
    () => [{ value: webhooks.counts().ms / 1_000 }],
  ),
  metric('counter', 'webhook_deliveries_total', 'Attempts to deliver events, by outcome.', () =>
    Array.from(webhooks.counts().outcomes, ([outcome, value]) => ({ labels: { outcome }, value })),
  ),
];

function backupMetrics({ status }: Services): Metric[] {
  const gauge = (suffix: string, help: string, read: (backup: BackupStatus) => number | null) =>
    metric('gauge', `backup_${suffix}`, help, () => {
      const value = status.backup && read(status.backup);
      return value === null ? [] : [{ value }];
    });
  const seconds = (ms: number | null): number | null => ms && ms / 1_000;
  return [
    gauge(
      'timestamp_seconds',
      'When the last good backup was begun; 0 before the first.',
      ({ at }) => seconds(at ?? 0),
    ),
    gauge('age_seconds', 'How long ago that was.', ({ at }) => seconds(at && Date.now() - at)),
    gauge('size_bytes', 'The size of the last good backup.', ({ bytes }) => bytes),
    gauge('duration_seconds', 'How long it took to copy and verify.', ({ durationMs }) =>
      seconds(durationMs),
    ),
    metric('counter', 'backup_failures_total', 'Backups that failed.', () =>
      status.backup ? [{ value: status.backup.failures }] : [],
    ),
  ];
}

const erasureMetrics = ({ erasures: { unfinished } }: Services): Metric[] => [
  metric('gauge', 'erasures_unfinished', 'Members whose erasure is not finished.', () => [
    { value: unfinished.members },
  ]),
  metric(
    'gauge',
    'erasure_age_seconds',
    'How long ago the oldest erasure that is not finished was begun; 0 if all are.',
    () => [{ value: unfinished.since === null ? 0 : (Date.now() - unfinished.since) / 1_000 }],
  ),
];

function telemetryMetrics({ telemetry }: Services): Metric[] {
  const series = (label: string, values: Record<string, number> = {}): Series[] =>
    Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
  return [
    metric('counter', 'otlp_spans_total', 'Spans of traces, by what became of them.', () =>
      series('outcome', telemetry?.counts().spans),
    ),
    metric('counter', 'otlp_failures_total', 'Failed exports to a collector, by signal.', () =>
      series('signal', telemetry?.counts().failures),
    ),
  ];
}
