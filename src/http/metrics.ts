import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metric, Registry } from 'prom-client';
import { ProblemError, problems } from '../contract/problems.ts';
import { presentedKey } from './credentials.ts';
import {
  BOUNDS_MS,
  type OperationCounters,
  type RequestCounters,
  STATUS_CLASSES,
} from './request-counters.ts';
import type { ChainCount, Services } from './services.ts';

interface Series {
  labels: Record<string, string | number>;
  value: number;
  metricName?: string;
}

interface MetricSource {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: () => Series[];
}

type MetricsServices = Pick<Services, 'keyRing' | 'metricsToken' | 'chainCounts' | 'isDatabaseUp'>;

/** `GET /metrics`, for the root key or METRICS_TOKEN. */
export async function addMetrics(
  app: FastifyInstance,
  services: MetricsServices,
  requestCounters: RequestCounters,
): Promise<void> {
  const { Registry } = await import('prom-client');
  const ours = new Registry();
  const all = [
    ...requestMetrics(requestCounters),
    databaseMetric(services.isDatabaseUp),
    ...chainMetrics(services.chainCounts),
  ];
  for (const source of all) ours.registerMetric(asMetric(source));
  const process = await processRegistry();
  app.get('/metrics', async (request, reply) => {
    await admit(request, services);
    const text = `${await ours.metrics()}\n${await process.metrics()}`;
    return reply.type(ours.contentType).send(text);
  });
}

let processMetrics: Registry | null = null;

/** One per process: its observers (event loop, garbage collection) cannot be removed again. */
async function processRegistry(): Promise<Registry> {
  if (processMetrics) return processMetrics;
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  processMetrics = new Registry();
  collectDefaultMetrics({ register: processMetrics });
  return processMetrics;
}

async function admit(request: FastifyRequest, services: MetricsServices): Promise<void> {
  const { keyRing, metricsToken } = services;
  const key = presentedKey(request.raw);
  if (metricsToken !== null && isSame(key, metricsToken)) return;
  const { scopes } = await keyRing.identify(key, Date.now());
  if (!scopes.has('root')) throw new ProblemError('insufficient-scope', { required: 'root' });
}

/** In constant time, wherever the two differ. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
}

/** The registry only calls a metric's `get`. */
function asMetric({ name, help, type, values }: MetricSource): Metric {
  const get = async () => ({ name, help, type, values: values() });
  return { name, get } as unknown as Metric;
}

function requestMetrics(requestCounters: RequestCounters): MetricSource[] {
  return [
    {
      name: 'realmkeep_http_requests_total',
      help: 'Answered requests, by operation and status class.',
      type: 'counter',
      values: () =>
        requestCounters.all.flatMap(({ operation, byClass }) =>
          STATUS_CLASSES.map((digit) => ({
            labels: { operation, status: `${digit}xx` },
            value: byClass[digit] ?? 0,
          })),
        ),
    },
    {
      name: 'realmkeep_http_request_duration_seconds',
      help: 'From the request head to the answer, by operation.',
      type: 'histogram',
      values: () => requestCounters.all.flatMap(durations),
    },
    {
      name: 'realmkeep_problems_total',
      help: 'Problem answers, by code.',
      type: 'counter',
      values: () =>
        Object.keys(problems).map((code) => ({
          labels: { code },
          value: requestCounters.problems.get(code) ?? 0,
        })),
    },
  ];
}

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

function databaseMetric(isUp: MetricsServices['isDatabaseUp']): MetricSource {
  return {
    name: 'realmkeep_database_up',
    help: 'Whether the database is reachable.',
    type: 'gauge',
    values: () => [{ labels: {}, value: Number(isUp()) }],
  };
}

function chainMetrics(counts: MetricsServices['chainCounts']): MetricSource[] {
  const byChain = (
    name: string,
    help: string,
    type: MetricSource['type'],
    numberOf: (chain: ChainCount) => number | null,
  ): MetricSource => ({
    name: `realmkeep_chain_${name}`,
    help,
    type,
    values: () =>
      counts().chains.flatMap((chain) => {
        const value = numberOf(chain);
        return value === null ? [] : [{ labels: { chain: chain.chain }, value }];
      }),
  });
  return [
    byChain('reads_total', 'Reads of a chain.', 'counter', ({ reads }) => reads),
    failures(counts),
    byChain(
      'behind_total',
      'Answers from a node that was behind a block it had already served.',
      'counter',
      ({ behind }) => behind,
    ),
    byChain(
      'unanswered_total',
      'Calls that a contract did not answer as its standard requires.',
      'counter',
      ({ unanswered }) => unanswered,
    ),
    byChain('failing', 'Whether the last read of a chain failed.', 'gauge', ({ failing }) =>
      Number(failing),
    ),
    byChain(
      'block',
      'The highest block seen on the chain.',
      'gauge',
      ({ highestBlock }) => highestBlock,
    ),
    {
      name: 'realmkeep_chain_balances_kept',
      help: 'On-chain balances in the cache.',
      type: 'gauge',
      values: () => [{ labels: {}, value: counts().entries }],
    },
  ];
}

function failures(counts: MetricsServices['chainCounts']): MetricSource {
  return {
    name: 'realmkeep_chain_failures_total',
    help: 'Failed reads of a chain, by kind of failure.',
    type: 'counter',
    values: () =>
      counts().chains.flatMap(({ chain, failures }) =>
        Object.entries(failures).map(([failure, value = 0]) => ({
          labels: { chain, failure },
          value,
        })),
      ),
  };
}
