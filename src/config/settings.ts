import type { Parser } from './parsers.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Setting {
  help: string;
  default?: string;
  /** A secret can also be read from the file that NAME_FILE names. */
  isSecret?: true;
}

/** Every setting. No other variable can be read, so that the help cannot miss one. */
export const settings = {
  HOST: { help: 'Address to listen on.', default: '127.0.0.1' },
  PORT: { help: 'Port to listen on; 0 picks a free one.', default: '8080' },
  DATABASE_URL: {
    help: 'sqlite:<path> or postgres://<host>/<db>.',
    default: 'sqlite:data/realmkeep.db',
    isSecret: true,
  },
  ROOT_KEY: { help: 'Root key. By default the one in the file root.key.', isSecret: true },
  SECRET_KEY: {
    help: 'Seals secrets of webhooks. By default the one in secret.key.',
    isSecret: true,
  },
  WEBHOOK_ALLOW_PRIVATE: {
    help: 'Webhooks to private addresses: true or false.',
    default: 'false',
  },
  METRICS_TOKEN: { help: 'Token that grants access to /metrics only.', isSecret: true },
  PUBLIC_URL: { help: 'Where people reach the service. By default http://localhost:<port>.' },
  CONSOLE: { help: 'Console at /: on, off, or https if only reached so.', default: 'on' },
  DISCORD_TOKEN: { help: 'Token of a bot of Discord, which the service then is.', isSecret: true },
  DISCORD_PUBLIC_KEY: { help: 'Of its application, if Discord sends interactions over HTTP.' },
  DISCORD_API_URL: { help: 'Where the API of Discord is reached, if by a proxy.' },
  DISCORD_CDN_URL: { help: 'Where pictures of Discord are, if behind a proxy.' },
  REALMKEEP_URL: { help: 'Of the command discord: the service that it works with.' },
  REALMKEEP_KEY: { help: 'Of the command discord: a key of that service.', isSecret: true },
  RPC_URLS: { help: 'RPC nodes of EVM chains: eip155:<chain id>=<URL>,…', isSecret: true },
  BACKUP_DIR: { help: 'Folder for backups of the SQLite database. By default there are none.' },
  BACKUP_EVERY: { help: 'Time between backups: <n>m, <n>h or <n>d.', default: '1d' },
  BACKUP_KEEP: { help: 'How many backups are kept in BACKUP_DIR.', default: '7' },
  LOG_LEVEL: { help: `One of ${LOG_LEVELS.join(', ')}.`, default: 'info' },
  LOG_FORMAT: { help: 'json or text. By default text on a terminal, otherwise json.' },
  ACCESS_LOG: { help: 'A log line for each request: on or off.', default: 'on' },
  BODY_LIMIT: { help: 'Largest request body in bytes.', default: '524288' },
  RATE_LIMIT: { help: 'Requests of each key: <per second>:<burst>, or off.', default: '100:200' },
  CORS_ORIGINS: { help: 'Origins whose pages may call the API, separated by commas, or *.' },
  TRUSTED_PROXIES: { help: 'Addresses or networks of proxies whose X-Forwarded-For counts.' },
  IDEMPOTENCY_DAYS: { help: 'How long idempotency keys are stored, in days.', default: '30' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { help: 'Collector for traces and metrics: http(s)://<host>:4318.' },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { help: 'That for traces alone, with its whole path.' },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: { help: 'That for metrics alone, with its whole path.' },
  OTEL_EXPORTER_OTLP_HEADERS: { help: 'Headers to send: <name>=<value>,…', isSecret: true },
  OTEL_EXPORTER_OTLP_PROTOCOL: { help: 'What is sent.', default: 'http/json' },
  OTEL_EXPORTER_OTLP_TIMEOUT: { help: 'Milliseconds for one export.', default: '10000' },
  OTEL_TRACES_EXPORTER: { help: 'otlp or none.', default: 'otlp' },
  OTEL_METRICS_EXPORTER: { help: 'otlp, prometheus or none.', default: 'otlp' },
  OTEL_SERVICE_NAME: { help: 'The name of this service. By default realmkeep.' },
  OTEL_RESOURCE_ATTRIBUTES: { help: 'What else is sent of it: <name>=<value>,…' },
  OTEL_TRACES_SAMPLER: { help: 'Which requests are traced.', default: 'parentbased_always_on' },
  OTEL_TRACES_SAMPLER_ARG: { help: 'The share that traceidratio traces.', default: '1' },
  OTEL_BSP_SCHEDULE_DELAY: { help: 'Milliseconds between exports of traces.', default: '5000' },
  OTEL_METRIC_EXPORT_INTERVAL: { help: 'Milliseconds between those of metrics.', default: '60000' },
  OTEL_SDK_DISABLED: { help: 'Turns all of this off: true or false.', default: 'false' },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export type Read = <N extends SettingName, T>(name: N, parse: Parser<T>) => T | Unset<N>;

/** What is read if a setting has neither a value nor a default. */
export type Unset<Name extends SettingName> = (typeof settings)[Name] extends { default: string }
  ? never
  : null;
