import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, type Metric, Registry, register } from 'prom-client';
import { ProblemError } from '../contract/problems.ts';
import { hashSecret } from '../domain/key-format.ts';
import type { MetricSnapshot, Series } from '../telemetry/otlp.ts';
import type { Connections } from './connections.ts';
import { hasHash, presentedKey } from './key-ring.ts';
import { BOUNDS_MS, type OperationCounters, type RequestCounters } from './request-counters.ts';
import type { BackupStatus, Services } from './services.ts';

/** By name: what a metric is, and its values when it is scraped; none if there is null. */
type Metrics = Record<string, [help: string, read: () => Series[] | number | boolean | null]>;

/** `GET /metrics`, for the root key or METRICS_TOKEN. */
export function addMetrics(
  app: FastifyInstance,
  services: Services,
  connections: Connections,
): void {
  const ours = new Registry();
  const all: Metrics = {
    ...requestMetrics(app.requestCounters, connections),
    ...streamMetrics(services),
    ...storageMetrics(services),
    ...webhookMetrics(services),
    ...backupMetrics(services),
    ...erasureMetrics(services),
    ...chainMetrics(services),
    ...telemetryMetrics(services),
  };
  for (const [name, [help, read]] of Object.entries(all)) {
    ours.registerMetric(metric(`realmkeep_${name}`, help, read));
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

/** The registry only calls its `get`. */
function metric(name: string, help: string, read: Metrics[string][1]): Metric {
  const type = name === DURATIONS ? 'histogram' : name.endsWith('_total') ? 'counter' : 'gauge';
  const get = async (): Promise<MetricSnapshot> => {
    const found = read();
    if (Array.isArray(found)) return { name, help, type, values: found };
    return { name, help, type, values: found === null ? [] : [{ value: Number(found) }] };
  };
  return { name, get } as unknown as Metric;
}

async function admit(request: FastifyRequest, { keyRing, metricsToken }: Services): Promise<void> {
  try {
    const key = presentedKey(request.raw);
    if (metricsToken !== null && hasHash(key, hashSecret(metricsToken))) return;
    const { scopes } = await keyRing.identify(key, request.raw);
    if (!scopes.has('root')) throw new ProblemError('insufficient-scope', { required: 'root' });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const allowed = 'the root key or METRICS_TOKEN';
    throw new ProblemError(error.code, { ...error.extra, allowed });
  }
}

const labelled = (label: string, entries: Iterable<[string, number]>): Series[] =>
  Array.from(entries, ([name, value]) => ({ labels: { [label]: name }, value }));

/** One series for each class of statuses that are sent. */
const byStatus = (labels: Record<string, string>, byClass: Float64Array): Series[] =>
  [2, 3, 4, 5].map((digit) => ({
    labels: { ...labels, status: `${digit}xx` },
    value: byClass[digit] ?? 0,
  }));

const DURATIONS = 'realmkeep_http_request_duration_seconds';

const requestMetrics = (counters: RequestCounters, connections: Connections): Metrics => ({
  http_requests_total: [
    'Answered requests, by operation and status class.',
    () => counters.all.flatMap(({ operation, byClass }) => byStatus({ operation }, byClass)),
  ],
  http_request_duration_seconds: [
    'From the request head to the answer, by operation.',
    () => counters.all.flatMap(durations),
  ],
  realm_requests_total: [
    'Requests with keys of a realm, by realm and status class; _other: of the realms beyond 500.',
    () => [...counters.byRealm].flatMap(([realm, byClass]) => byStatus({ realm }, byClass)),
  ],
  problems_total: ['Problem answers, by code.', () => labelled('code', counters.problems)],
  http_requests_in_progress: ['Requests being handled.', () => counters.inProgress],
  http_unsent_bytes: ['Bytes of answers that are not read yet.', () => connections.unreadBytes],
});

function durations({ operation, byDuration, totalMs }: OperationCounters): Series[] {
  let count = 0;
  const buckets = Array.from(byDuration, (value, index) => {
    count += value;
    const bound = BOUNDS_MS[index];
    const le = bound === undefined ? '+Inf' : bound / 1_000;
    return { labels: { operation, le }, value: count, metricName: `${DURATIONS}_bucket` };
  });
  return [
    ...buckets,
    { labels: { operation }, value: totalMs / 1_000, metricName: `${DURATIONS}_sum` },
    { labels: { operation }, value: count, metricName: `${DURATIONS}_count` },
  ];
}

const streamMetrics = ({ streams }: Services): Metrics => ({
  event_streams: ['Open streams of events.', () => streams.size],
  event_stream_events_total: ['Events sent to their readers.', () => streams.counts.events],
  event_stream_dropped_total: ['Streams ended as not read.', () => streams.counts.dropped],
});

const storageMetrics = ({ status }: Services): Metrics => ({
  database_up: ['Whether the database takes writes.', () => status.outage === null],
  database_full: ['Whether its disk is full.', () => status.outage?.reason === 'storage-full'],
  database_damaged: ['Whether its file is known to be damaged.', () => status.damage !== null],
  database_checked_timestamp_seconds: [
    'When the database files were last checked completely; 0 before the first time.',
    () => (status.checksFiles ? (status.checkedAt ?? 0) / 1_000 : null),
  ],
});

const webhookMetrics = ({ webhooks }: Services): Metrics => ({
  webhooks_sending: ['Webhooks that this process sends for.', () => webhooks.counts().webhooks],
  webhook_lag_events: ['How far the last webhook is behind.', () => webhooks.counts().events],
  webhook_lag_seconds: ['The age of the oldest unsent event.', () => webhooks.counts().ms / 1_000],
  webhook_deliveries_total: [
    'Attempts to deliver events, by outcome.',
    () => labelled('outcome', webhooks.counts().outcomes),
  ],
});

function backupMetrics({ status }: Services): Metrics {
  const of = (read: (backup: BackupStatus) => number | null) => () =>
    status.backup && read(status.backup);
  return {
    backup_timestamp_seconds: [
      'When the last good backup was begun; 0 before the first.',
      of(({ at }) => (at ?? 0) / 1_000),
    ],
    backup_age_seconds: ['How long ago that was.', of(({ at }) => at && (Date.now() - at) / 1_000)],
    backup_size_bytes: ['The size of the last good backup.', of(({ bytes }) => bytes)],
    backup_duration_seconds: [
      'How long it took to copy and verify.',
      of(({ durationMs }) => durationMs && durationMs / 1_000),
    ],
    backup_failures_total: ['Backups that failed.', of(({ failures }) => failures)],
  };
}

const erasureMetrics = ({ erasures: { unfinished } }: Services): Metrics => ({
  erasures_unfinished: ['Members whose erasure is not finished.', () => unfinished.members],
  erasure_age_seconds: [
    'How long ago the oldest erasure that is not finished was begun; 0 if all are.',
    () => (unfinished.since === null ? 0 : (Date.now() - unfinished.since) / 1_000),
  ],
});

function chainMetrics({ holdings }: Services): Metrics {
  type ChainCount = ReturnType<typeof holdings.counts>['chains'][number];
  const perChain = (read: (count: ChainCount) => number | null) => (): Series[] =>
    holdings.counts().chains.flatMap((count) => {
      const value = read(count);
      return value === null ? [] : [{ labels: { chain: count.chain }, value }];
    });
  return {
    chain_reads_total: ['Reads of a chain.', perChain(({ reads }) => reads)],
    chain_failures_total: [
      'Failed reads of a chain, by kind of failure.',
      () =>
        holdings.counts().chains.flatMap(({ chain, failures }) =>
          Object.entries(failures).map(([failure, value]) => ({
            labels: { chain, failure },
            value,
          })),
        ),
    ],
    chain_behind_total: ['Answers of nodes that fell behind.', perChain(({ behind }) => behind)],
    chain_unanswered_total: [
      'Calls that a contract did not answer as its standard requires.',
      perChain(({ unanswered }) => unanswered),
    ],
    chain_failing: ['Whether the last read failed.', perChain(({ failing }) => Number(failing))],
    chain_block: ['The highest block seen.', perChain(({ highestBlock }) => highestBlock)],
    chain_balances_kept: ['On-chain balances in the cache.', () => holdings.counts().entries],
  };
}

const telemetryMetrics = ({ telemetry }: Services): Metrics => ({
  otlp_spans_total: [
    'Spans of traces, by what became of them.',
    () => labelled('outcome', Object.entries(telemetry?.counts().spans ?? {})),
  ],
  otlp_failures_total: [
    'Failed exports to a collector, by signal.',
    () => labelled('signal', Object.entries(telemetry?.counts().failures ?? {})),
  ],
});
