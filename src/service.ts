import { lookup } from 'node:dns/promises';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type Config, lacksPublicUrl } from './config.ts';
import { generateRootKey, hashSecret } from './domain/key-format.ts';
import type { Ledger } from './engine/ledger.ts';
import { buildApp } from './http/app.ts';
import { KeyRing } from './http/key-ring.ts';
import { causeOf, type Jobs, startJobs } from './jobs.ts';
import { StartError } from './start-error.ts';
import { databaseUnusable, openStorage, reasonOf } from './storage.ts';
import { parseAddress, walletKey } from './web3/address.ts';
import type { ChainEvents } from './web3/chain-watch.ts';
import { proofChecker } from './web3/proofs.ts';
import { openWeb3, type Web3, type Web3Options } from './web3/web3.ts';

export { StartError } from './start-error.ts';
export {
  copyBooks,
  databaseExists,
  distributeDatabase,
  migrateDatabase,
  openLedger,
} from './storage.ts';

const SWEEP_MS = 50;
/** How long a stop waits for callers who do not finish what they began to send. */
const GRACE_MS = 9_000;

const NO_PUBLIC_URL =
  'PUBLIC_URL is not set: wallets will warn who signs for them, unless the realm has a siteUrl';

const WERE_COPIED = 'these books were copied: what is written here from now on is not in the copy';

/** A running service. */
export interface Service {
  url: string;
  /** The root key, if this start made it: to be shown once. */
  newRootKey: string | null;
  /** Answers everything accepted, then closes the storage. Connections left over are cut. */
  stop(graceMs?: number): Promise<void>;
}

export interface ServiceOptions {
  logTo?: DestinationStream;
  /** Times and bounds of reading chains, where they should not be the usual ones. */
  web3?: Web3Options;
  /** Called when the storage failed: the service cannot go on. */
  onDeath: (error: Error) => void;
}

/** Puts everything together; nothing else knows everything. */
export async function startService(config: Config, options: ServiceOptions): Promise<Service> {
  // V8 would shrink the heap of a process that was idle for a while, and drop its machine code:
  // the next burst of calls would run at two thirds of its rate until that is made again.
  setFlagsFromString('--memory-reducer-gc-count=0');
  // Logs go to stderr: stdout is for the one thing that people or programs wait for, the address.
  const logTo = options.logTo ?? pino.destination(2);
  const logger = pino({ level: config.logLevel, base: null }, logTo);
  const storage = { isUp: true };
  const ledger = await openStorage(config, {
    onDeath: (error) => {
      logger.fatal({ err: error }, 'a storage thread failed');
      options.onDeath(error);
    },
    onUnavailable: (reason) => {
      storage.isUp = false;
      const line = { reason: reasonOf(reason) };
      logger.warn(line, 'the database is away; until it is back callers get 503');
    },
    onAvailable: () => {
      storage.isUp = true;
      logger.info('the database is back');
    },
    onRefused: (reason) => {
      const line = { reason: reasonOf(reason) };
      logger.warn(line, 'the database takes no more connections; some callers get 503');
    },
  });
  const web3 = await openWeb3(config.rpcUrls, chainEvents(logger), options.web3);
  const parts = { ledger, web3, isDatabaseUp: () => storage.isUp };
  const service = await serve(parts, config, logger).catch(async (error) => {
    web3.close();
    await ledger.close();
    throw error instanceof StartError ? error : databaseUnusable(config.database, error);
  });
  return service ?? startService(config, options);
}

interface Parts {
  ledger: Ledger;
  web3: Web3;
  isDatabaseUp: () => boolean;
}

/** Answers null if another process made the root key at the same moment: then begin again. */
async function serve(
  { ledger, web3, isDatabaseUp }: Parts,
  config: Config,
  logger: Logger,
): Promise<Service | null> {
  const root = await settleRootKey(ledger, config.rootKey);
  const copiedTo = await ledger.query('note', { name: 'copied_to' });
  const keyRing = new KeyRing(ledger, root.hash);
  let stopping = false;
  const services = {
    ledger,
    keyRing,
    addresses,
    holdings: web3.holdings,
    proofs: proofChecker(web3.proofClientFor),
    publicUrl: config.publicUrl ?? '',
    chainCounts: () => web3.counts(),
    isDatabaseUp,
    metricsToken: config.metricsToken,
    isStopping: () => stopping,
  };
  const app = await buildApp(services, config, logger);
  const url = await listen(app, config);
  services.publicUrl = config.publicUrl ?? `http://localhost:${new URL(url).port || 80}`;
  if (lacksPublicUrl(config)) logger.warn(NO_PUBLIC_URL);
  if (copiedTo !== null) logger.warn({ copiedTo }, WERE_COPIED);
  const jobs = startJobs(ledger, keyRing, config.idempotencyDays, logger);
  const end = (graceMs: number) => {
    stopping = true;
    // Callers who wait for a chain get what is known at once.
    web3.close();
    return stop(app, ledger, keyRing, jobs, logger, graceMs);
  };
  // Kept only now: had the port been taken, the key would have been lost before it was shown.
  const kept = root.fresh === null || (await keepRootKey(ledger, root.hash, () => end(0)));
  if (!kept) return null;
  logger.info({ url }, 'listening');
  const stopIt = async (graceMs = GRACE_MS): Promise<void> => {
    await end(graceMs);
    logger.info('stopped');
  };
  return { url, newRootKey: root.fresh, stop: stopIt };
}

/** Whether this start's root key is the one; if not, or if it failed, what was begun is ended. */
async function keepRootKey(
  ledger: Ledger,
  hash: string,
  undo: () => Promise<void>,
): Promise<boolean> {
  let kept = false;
  try {
    kept = await ledger.housekeeping.keepRootKeyHash(hash);
  } finally {
    if (!kept) await undo();
  }
  return kept;
}

/** What operators hear of chains: their names and a word, never the URL of a node. */
function chainEvents(logger: Logger): ChainEvents {
  return {
    failing: (chain, failure) => logger.warn({ chain, failure }, 'a chain cannot be read'),
    working: (chain) => logger.info({ chain }, 'a chain can be read again'),
    behind: (chain, block, highest) =>
      logger.warn({ chain, block, highest }, 'the node of a chain fell back behind its own blocks'),
    unanswered: (chain, contract) =>
      logger.warn({ chain, contract }, 'a contract does not answer as its standard says'),
  };
}

/** What the service knows about wallet addresses. */
export const addresses = { parse: parseAddress, keyOf: walletKey };

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    // For the name "localhost" Fastify opens a second server, which its close() does not wait for;
    // an address makes one.
    const { address } = await lookup(host);
    return await app.listen({ host: address, port });
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      const sentence = `Port ${port} of ${host} is taken. Stop what uses it, or set PORT.`;
      throw new StartError('port-taken', sentence);
    }
    const sentence = `Cannot listen on port ${port} of ${host} (${code}). Set HOST or PORT.`;
    throw code ? new StartError('cannot-listen', sentence) : error;
  }
}

/** ROOT_KEY as given; else the one of the first start; else a new one, kept once we listen. */
async function settleRootKey(
  ledger: Ledger,
  given: string | null,
): Promise<{ hash: string; fresh: string | null }> {
  if (given !== null) return { hash: hashSecret(given), fresh: null };
  const kept = await ledger.query('note', { name: 'root_key_hash' });
  if (kept !== null) return { hash: kept, fresh: null };
  const fresh = generateRootKey();
  return { hash: hashSecret(fresh), fresh };
}

async function stop(
  app: FastifyInstance,
  ledger: Ledger,
  keyRing: KeyRing,
  jobs: Jobs,
  logger: Logger,
  graceMs: number,
): Promise<void> {
  await jobs.stop();
  const cut = setTimeout(() => {
    logger.warn('cutting the connections of callers who did not finish their requests');
    app.server.closeAllConnections();
  }, graceMs);
  // A connection that was busy when the stop began is idle once it has its answer.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  await app.close();
  clearInterval(sweep);
  clearTimeout(cut);
  await keyRing.saveUses().catch((error) => {
    logger.warn(causeOf(error), 'noting the last use of keys failed');
  });
  await ledger.close();
}
