import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metric, Registry } from 'prom-client';
import { ProblemError, problems } from '../contract/problems.ts';
import type { ChainCount, Services } from './calls.ts';
import { presentedKey } from './credentials.ts';
import {
  type AllRequestCounters,
  BOUNDS_MS,
  type RequestCounters,
  STATUS_CLASSES,
} from './request-counters.ts';

interface Series {
  labels: Record<string, string | number>;
  value: number;
  metricName?: string;
}

interface Numbers {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: () => Series[];
}

/** What the metrics need to know, and who may see them. */
export type MetricsServices = Pick<
  Services,
  'keyRing' | 'metricsToken' | 'chainCounts' | 'isDatabaseUp'
>;

/** `GET /metrics`, for the root key or the token of the settings. */
export async function addMetrics(
  app: FastifyInstance,
  services: MetricsServices,
  requestCounters: AllRequestCounters,
): Promise<void> {
  const { Registry } = await import('prom-client');
  const ours = new Registry();
  const all = [
    ...requestNumbers(requestCounters),
    databaseUp(services.isDatabaseUp),
    ...chainNumbers(services.chainCounts),
  ];
  for (const numbers of all) ours.registerMetric(asMetric(numbers));
  const process = await processRegistry();
  app.get('/metrics', async (request, reply) => {
    await admit(request, services);
    const text = `${await ours.metrics()}\n${await process.metrics()}`;
    return reply.type(ours.contentType).send(text);
  });
}

let processMetrics: Registry | null = null;

/** One for each process: what it watches (the event loop, garbage) cannot be unwatched. */
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

/** Takes the same time wherever the two differ. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
}

/** The registry asks a metric for its values and nothing else. */
function asMetric({ name, help, type, values }: Numbers): Metric {
  const get = async () => ({ name, help, type, values: values() });
  return { name, get } as unknown as Metric;
}

function requestNumbers(requestCounters: AllRequestCounters): Numbers[] {
  return [
    {
      name: 'realmkeep_http_requests_total',
      help: 'Requests answered, by operation and class of status.',
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
      help: 'From the head of a request to the end of its answer, by operation.',
      type: 'histogram',
      values: () => requestCounters.all.flatMap(durations),
    },
    {
      name: 'realmkeep_problems_total',
      help: 'Answers that were problems, by code: what was refused, and why.',
      type: 'counter',
      values: () =>
        Object.keys(problems).map((code) => ({
          labels: { code },
          value: requestCounters.problems.get(code) ?? 0,
        })),
    },
  ];
}

function durations({ operation, byDuration, totalMs }: RequestCounters): Series[] {
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

function databaseUp(isUp: MetricsServices['isDatabaseUp']): Numbers {
  return {
    name: 'realmkeep_database_up',
    help: 'Whether the database can be reached.',
    type: 'gauge',
    values: () => [{ labels: {}, value: Number(isUp()) }],
  };
}

function chainNumbers(counts: MetricsServices['chainCounts']): Numbers[] {
  const byChain = (
    name: string,
    help: string,
    type: Numbers['type'],
    numberOf: (chain: ChainCount) => number | null,
  ): Numbers => ({
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
    byChain('reads_total', 'Times a chain was read.', 'counter', ({ reads }) => reads),
    failures(counts),
    byChain(
      'behind_total',
      'Answers of a node that had fallen back behind its own blocks.',
      'counter',
      ({ behind }) => behind,
    ),
    byChain(
      'unanswered_total',
      'Times a contract did not answer as its standard says.',
      'counter',
      ({ unanswered }) => unanswered,
    ),
    byChain('failing', 'Whether the last read of a chain failed.', 'gauge', ({ failing }) =>
      Number(failing),
    ),
    byChain('block', 'The highest block seen.', 'gauge', ({ highestBlock }) => highestBlock),
    {
      name: 'realmkeep_chain_balances_kept',
      help: 'Balances on chains that are kept in cache.',
      type: 'gauge',
      values: () => [{ labels: {}, value: counts().entries }],
    },
  ];
}

function failures(counts: MetricsServices['chainCounts']): Numbers {
  return {
    name: 'realmkeep_chain_failures_total',
    help: 'Reads of a chain that failed, by kind of failure.',
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
