import { integer, oneOf, type Parser, parser } from './parsers.ts';
import type { Read } from './settings.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type TelemetrySettings = NonNullable<ReturnType<typeof readTelemetry>['settings']>;

/** The variables of OpenTelemetry, as far as they are supported. */
export function readTelemetry(read: Read) {
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT', collectorUrl);
  const traces = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', collectorUrl);
  const metrics = read('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', collectorUrl);
  const sendsTraces = read('OTEL_TRACES_EXPORTER', oneOf('otlp', 'none')) === 'otlp';
  // Prometheus can always fetch the metrics.
  const sendsMetrics =
    read('OTEL_METRICS_EXPORTER', oneOf('otlp', 'prometheus', 'none')) === 'otlp';
  const protocol = read('OTEL_EXPORTER_OTLP_PROTOCOL', oneOf('http/json', 'http/protobuf', 'grpc'));
  const isDisabled = read('OTEL_SDK_DISABLED', oneOf('true', 'false')) === 'true';
  const attributes = read('OTEL_RESOURCE_ATTRIBUTES', pairsOf(isAnything));
  const named = read('OTEL_SERVICE_NAME', (name) => ({ 'service.name': name }));
  const settings = {
    /** Where spans are sent to; null if nothing is traced. */
    tracesUrl: sendsTraces ? (traces ?? below(base, '/v1/traces')) : null,
    /** Where metrics are sent to; null if they are not sent. */
    metricsUrl: sendsMetrics ? (metrics ?? below(base, '/v1/metrics')) : null,
    headers: read('OTEL_EXPORTER_OTLP_HEADERS', pairsOf(isHeader)) ?? {},
    timeoutMs: read('OTEL_EXPORTER_OTLP_TIMEOUT', milliseconds),
    /** What is sent of the process with everything. */
    attributes: { 'service.name': 'realmkeep', ...attributes, ...named },
    sampler: read('OTEL_TRACES_SAMPLER', oneOf(...SAMPLERS)),
    /** The share of requests that the samplers by trace id take. */
    ratio: read('OTEL_TRACES_SAMPLER_ARG', share),
    tracesEveryMs: read('OTEL_BSP_SCHEDULE_DELAY', milliseconds),
    metricsEveryMs: read('OTEL_METRIC_EXPORT_INTERVAL', milliseconds),
  };
  const { tracesUrl, metricsUrl } = settings;
  if (isDisabled || (tracesUrl ?? metricsUrl) === null) return { settings: null, warnings: [] };
  return { settings, warnings: protocol === 'http/json' ? [] : [otherProtocol(protocol)] };
}

/** Before the query, if the endpoint has one. */
function below(base: string | null, path: string): string | null {
  if (base === null) return null;
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  return url.href;
}

/** Others set this variable for all programs of a machine, so it is no reason not to start. */
const otherProtocol = (protocol: string): string =>
  `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, but traces and metrics are sent as http/json; the ` +
  'endpoint must take that, as port 4318 of a collector does';

const collectorUrl: Parser<string> = parser(
  'must be an http or https URL such as http://localhost:4318, without a user or password; ' +
    'those belong in OTEL_EXPORTER_OTLP_HEADERS',
  (text) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
    return url.username || url.password || url.hash ? undefined : text;
  },
);

/** `fetch` would refuse others. */
const isHeader = (name: string, value: string): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value);

const isAnything = (): boolean => true;

const pairsOf = (isValid: typeof isHeader): Parser<Record<string, string>> =>
  parser(
    'must be <name>=<value> pairs separated by commas, with special characters as %xx',
    (text) => {
      const pairs: Record<string, string> = {};
      for (const entry of text.split(',').filter((each) => each.trim() !== '')) {
        const [, name, encoded = ''] = /^([^=\s]+)\s*=(.*)$/.exec(entry.trim()) ?? [];
        const value = decoded(encoded.trim());
        if (name === undefined || value === null || !isValid(name, value)) return undefined;
        pairs[name] = value;
      }
      return pairs;
    },
  );

/** Null if it is not percent-encoded. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const share: Parser<number> = parser('must be a number from 0 to 1', (text) => {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  return value <= 1 ? value : undefined;
});

const milliseconds: Parser<number> = integer(1, 86_400_000, 'a number of milliseconds');
