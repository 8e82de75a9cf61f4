import type { Logger } from 'pino';
import type { Status } from './http/services.ts';
import { reasonOf, type StorageEvents } from './storage.ts';
import type { CollectorEvents } from './telemetry/collector.ts';
import type { ChainEvents } from './web3/chain-watch.ts';

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
