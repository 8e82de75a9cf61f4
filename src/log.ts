import { isatty } from 'node:tty';
import { stripVTControlCharacters, styleText } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config/config.ts';
import type { Status } from './http/services.ts';
import { reasonOf, type StorageEvents } from './storage/storage.ts';
import type { CollectorEvents } from './telemetry/telemetry.ts';
import type { ChainEvents } from './web3/chain-watch.ts';

/** Standard error, since standard output has the lines that people and programs wait for. */
const STDERR = 2;

/** One JSON object per line; on a terminal, or with LOG_FORMAT=text, lines for people. */
export function openLog(
  { logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>,
  logTo?: DestinationStream,
): Logger {
  const format = logFormat ?? (isatty(STDERR) ? 'text' : 'json');
  const destination = logTo ?? (format === 'text' ? textLog() : pino.destination(STDERR));
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  );
}

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/** Without colours where standard error is not a terminal, and with NO_COLOR. */
const paintForStderr: Paint = (style, text) => styleText(style, text, { stream: process.stderr });

const textLog = (): DestinationStream => ({
  write: (line) => process.stderr.write(`${textLine(line, paintForStderr)}\n`),
});

const LEVELS: Record<string, Style> = {
  fatal: ['bold', 'red'],
  error: 'red',
  warn: 'yellow',
  info: 'green',
  debug: 'cyan',
  trace: 'gray',
};

interface Line {
  level: string;
  time: string;
  msg?: string;
  err?: { stack?: string };
  [field: string]: unknown;
}

/** A line of JSON in the form for people: time, level, message, and the other fields. */
export function textLine(json: string, paint: Paint): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Line;
  const isRequest = msg === 'request';
  const head = isRequest ? requestText(fields, paint) : printable(msg);
  const rest = Object.entries(fields).filter(([name]) => !isRequest || !IN_HEAD.has(name));
  const details = rest.map(([name, value]) => paint('dim', `${name}=`) + valueText(value));
  const name = paint(LEVELS[level] ?? 'reset', level.toUpperCase().padEnd(5));
  const line = [paint('dim', time), name, head, ...details].join(' ');
  return err === undefined ? line : `${line}\n${printable(err.stack ?? JSON.stringify(err))}`;
}

const IN_HEAD = new Set(['method', 'route', 'status', 'ms']);

function requestText({ method, route, status, ms }: Record<string, unknown>, paint: Paint): string {
  const code = Number(status);
  const style = code < 300 ? 'green' : code < 400 ? 'cyan' : code < 500 ? 'yellow' : 'red';
  return `${method} ${route ?? '(no route)'} ${paint(style, String(status))} ${ms} ms`;
}

/** Quoted unless it is one plain word. */
function valueText(value: unknown): string {
  const isWord = typeof value === 'string' && /^[\x21\x23-\x7e]+$/.test(value);
  return isWord ? value : printable(JSON.stringify(value));
}

/** What others have written must not control the terminal. */
const printable = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n]/gu, '\u{fffd}');

const DAMAGED =
  'the database file is damaged: it is read, but accepts no writes; stop the service and restore ' +
  'a backup with "npx realmkeep restore <backup> --force"';

const FULL = 'the disk of the database is full; writes are answered with 503 until there is space';

const UNAVAILABLE = 'database unavailable; requests that need it are answered with 503';

const COLLECTOR_FAILING =
  'the OpenTelemetry collector does not take what is sent; requests are served all the same';

/** Keeps the status up to date, too. */
export function storageEvents(
  status: Status,
  logger: Logger,
  onDeath: (error: Error) => void,
): StorageEvents {
  return {
    onDeath: (error) => {
      logger.fatal({ err: error }, 'storage thread failed');
      onDeath(error);
    },
    onDamage: (reason) => {
      status.damage = reason;
      logger.error({ reason }, DAMAGED);
    },
    onUnavailable: (cause) => {
      status.outage = cause;
      const line = { reason: reasonOf(cause.cause ?? cause) };
      logger.warn(line, cause.reason === 'storage-full' ? FULL : UNAVAILABLE);
    },
    onAvailable: () => {
      status.outage = null;
      logger.info('database available again');
    },
    onRefused: (reason) => {
      const line = { reason: reasonOf(reason) };
      logger.warn(line, 'database refuses further connections; some requests get 503');
    },
    onServer: (server, reason) => {
      if (reason === null) logger.info({ server }, 'server of the cluster is back');
      else logger.warn({ server, reason }, 'server of the cluster is away; its realms get 503');
    },
  };
}

/** Logs a chain by its name and never by its URL, which may contain an API key. */
export function chainEvents(logger: Logger): ChainEvents {
  return {
    failing: (chain, failure) => logger.warn({ chain, failure }, 'chain cannot be read'),
    working: (chain) => logger.info({ chain }, 'chain can be read again'),
    behind: (chain, block, highest) =>
      logger.warn({ chain, block, highest }, 'node is behind a block it has already served'),
    unanswered: (chain, contract) =>
      logger.warn({ chain, contract }, 'contract does not answer as its standard requires'),
  };
}

export function collectorEvents(logger: Logger): CollectorEvents {
  return {
    onFailing: (signal, reason) => logger.warn({ signal, reason }, COLLECTOR_FAILING),
    onWorking: (signal) => logger.info({ signal }, 'the OpenTelemetry collector works again'),
  };
}
