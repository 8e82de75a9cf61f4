import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream, Logger } from 'pino';
import manifest from '../package.json' with { type: 'json' };
import {
  type Config,
  lacksPublicUrl,
  ownUrl,
  pageUrl,
  publicUrl,
  refusesPasskeys,
  serviceUrl,
} from './config/config.ts';
import { createConsoleLink, openRootKey, openSecretKey, type RootKey } from './config/keys.ts';
import { OperatorError } from './config/operator-error.ts';
import type { LogLine } from './discord/bot-thread.ts';
import { Discord, discordStatus } from './discord/discord.ts';
import { buildApp } from './http/app.ts';
import { EventStreams } from './http/event-streams.ts';
import { KeyRing } from './http/key-ring.ts';
import { Passkeys } from './http/passkeys.ts';
import { ClientNetworks, WrongKeys } from './http/rate-limits.ts';
import type { Status } from './http/services.ts';
import { SessionCookie } from './http/session-cookie.ts';
import { Sessions } from './http/sessions.ts';
import { WalletLinks } from './http/wallet-links.ts';
import { causeOf, failureLog, startJobs } from './jobs.ts';
import { JournalWatch } from './ledger/feeds/journal-watch.ts';
import { Feeds } from './ledger/feeds/realm-feed.ts';
import type { Ledger } from './ledger/ledger.ts';
import { priorUse } from './ledger/prior-use.ts';
import { Erasures, KindEnrolments, RealmRemovals } from './ledger/realm-work.ts';
import { chainEvents, collectorEvents, openLog, storageEvents } from './log.ts';
import { scheduleBackups } from './storage/backups.ts';
import { openStorage, toOperatorError } from './storage/storage.ts';
import { Telemetry } from './telemetry/telemetry.ts';
import { parseAddress, walletKey } from './web3/address.ts';
import { hasHashes } from './web3/hashes.ts';
import { ChainHoldings, type HoldingsOptions } from './web3/holdings.ts';
import { proofChecker } from './web3/proofs.ts';
import { type WebhookOptions, Webhooks } from './webhooks/webhooks.ts';

const SWEEP_MS = 50;
/** How long a stop waits for callers to finish the requests they have started to send. */
const GRACE_MS = 9_000;

const NO_PUBLIC_URL =
  'PUBLIC_URL is not set: invitations name the address of this machine, and wallets will warn ' +
  'their owners before they sign, unless the realm has a siteUrl';

const NO_PASSKEYS =
  'people cannot add passkeys: browsers allow them only where PUBLIC_URL is https with a name, ' +
  'or http://localhost';

const EXPOSED =
  'every user of this machine may read this key; let only the owner read its file (chmod 600)';

const WAS_COPIED = 'this database was copied: the copy will not contain what is written here now';

export interface Service {
  url: string;
  rootKey: RootKey;
  hasRealms: boolean;
  hasOwners: boolean;
  /** Where the console is for people. */
  console: string;
  /** Creates a link that signs in to the console once; null if there is no console. */
  createConsoleLink: ((path?: string) => Promise<string>) | null;
  /** Answers accepted requests, cuts remaining connections, then closes the storage. */
  stop(graceMs?: number): Promise<void>;
}

export interface ServiceOptions {
  logTo?: DestinationStream;
  /** Overrides for the timeouts and limits of reading chains. */
  web3?: HoldingsOptions;
  /** Overrides for the pauses and deadlines of webhooks. */
  webhooks?: WebhookOptions;
  /** Called when the storage has failed for good: the process has to end. */
  onDeath: (error: Error) => void;
}

const NO_HASHES =
  'This Node lacks keccak-256 or ripemd160, which addresses need: its OpenSSL is older than 3.2, ' +
  'or allows only FIPS algorithms. Use the Node that npm installs, or one from nodejs.org.';

/** The composition root: the only place that knows all parts. */
export async function startService(config: Config, options: ServiceOptions): Promise<Service> {
  if (!hasHashes()) throw new OperatorError('node-unusable', NO_HASHES);
  const logger = openLog(config, options.logTo);
  const status: Status = {
    outage: null,
    isStopping: false,
    damage: null,
    checksFiles: config.database.kind === 'sqlite',
    checkedAt: null,
    faults: new Map(),
    backup: null,
  };
  const telemetry =
    config.telemetry && new Telemetry(config.telemetry, manifest.version, collectorEvents(logger));
  const events = {
    ...storageEvents(status, logger, options.onDeath),
    onTimed: telemetry?.tracer?.addBatch,
  };
  const ledger = await openStorage(config.database, events);
  const holdings = new ChainHoldings(config.rpcUrls, chainEvents(logger), options.web3);
  const parts = { config, logger, status, ledger, holdings, telemetry };
  return serve(parts, options.webhooks).catch(async (error) => {
    holdings.close();
    await ledger.close();
    throw error instanceof OperatorError ? error : toOperatorError(config.database, error);
  });
}

interface Parts {
  config: Config;
  logger: Logger;
  status: Status;
  ledger: Ledger;
  holdings: ChainHoldings;
  telemetry: Telemetry | null;
}

async function serve(parts: Parts, webhookOptions?: WebhookOptions): Promise<Service> {
  const { config, logger, ledger, holdings, status, telemetry } = parts;
  const rootKey = await openRootKey(ledger, config);
  const found = await priorUse(ledger);
  const callers = callersOf(config, ledger, rootKey);
  const { keyRing, sessions } = callers;
  const watch = new JournalWatch(ledger);
  const streams = new EventStreams(new Feeds(ledger, watch), keyRing, sessions);
  const secretKey = secretKeyOf(parts);
  const webhooks = openWebhooks(parts, watch, secretKey, webhookOptions);
  const discord = openDiscord(parts, secretKey);
  const services = {
    ledger,
    ...callers,
    ...realmWorkOn(ledger),
    streams,
    addresses,
    holdings,
    proofs: proofChecker((chain) => holdings.proofClientFor(chain)),
    publicUrl: config.publicUrl ?? '',
    webhooks,
    discord,
    discordStatus: () => discordStatus(ledger),
    telemetry,
    metricsToken: config.metricsToken,
    status,
  };
  const app = await buildApp(services, config, logger);
  const url = await listen(app, config);
  const port = Number(new URL(url).port || 80);
  services.publicUrl = publicUrl(config, port);
  await warn(parts, rootKey);
  const backups = scheduleBackups(config, status, logger);
  const { idempotencyDays } = config;
  const stopJobs = startJobs({ ...services, logger, backups, idempotencyDays });
  webhooks.start();
  discord?.start(ownUrl(config, port));
  telemetry?.start(() => app.readMetrics());
  const running = { ...parts, app, keyRing, sessions, streams, watch, webhooks, discord, stopJobs };
  logger.info({ url }, 'listening');
  const linkTo = (path = '/') =>
    createConsoleLink(ledger, rootKey.hash, pageUrl(config, port, path));
  return {
    url,
    rootKey,
    ...found,
    console: pageUrl(config, port, '/'),
    createConsoleLink: config.console === 'off' ? null : linkTo,
    stop: (graceMs = GRACE_MS) => stop(running, graceMs),
  };
}

async function warn({ config, logger, ledger }: Parts, rootKey: RootKey): Promise<void> {
  const copiedTo = await ledger.query('note', { name: 'copied_to' });
  if (copiedTo !== null) logger.warn({ copiedTo }, WAS_COPIED);
  for (const warning of config.warnings) logger.warn(warning);
  if (lacksPublicUrl(config)) logger.warn(NO_PUBLIC_URL);
  if (config.console !== 'off' && refusesPasskeys(config)) logger.warn(NO_PASSKEYS);
  if (rootKey.isExposed) logger.warn({ path: rootKey.from }, EXPOSED);
}

function callersOf(config: Config, ledger: Ledger, rootKey: RootKey) {
  const { rateLimit, trustedProxies, console } = config;
  const networks = new ClientNetworks(trustedProxies);
  const limits = rateLimit && { perKey: rateLimit, wrongKeys: new WrongKeys(networks) };
  const keyRing = new KeyRing(ledger, rootKey.hash, limits);
  const cookie = new SessionCookie(networks, console === 'https');
  const wrongKeys = limits?.wrongKeys ?? null;
  const sessions = new Sessions({ ledger, keyRing, cookie, wrongKeys });
  const passkeys = new Passkeys(ledger, rootKey.hash);
  return { keyRing, sessions, passkeys, walletLinks: new WalletLinks(ledger, sessions) };
}

const realmWorkOn = (ledger: Ledger) => ({
  removals: new RealmRemovals(ledger),
  erasures: new Erasures(ledger),
  enrolments: new KindEnrolments(ledger),
});

function secretKeyOf({ config, logger }: Parts): string {
  const { key, isExposed } = openSecretKey(config);
  if (isExposed) logger.warn({ path: config.secretKeyPath }, EXPOSED);
  return key;
}

function openWebhooks(
  { ledger, config, status, logger }: Parts,
  watch: JournalWatch,
  secretKey: string,
  options?: WebhookOptions,
): Webhooks {
  const onFailure = failureLog('sending to webhooks', status, logger);
  const { webhookAllowPrivate: allowPrivate } = config;
  return new Webhooks({ ledger, watch, secretKey, allowPrivate, onFailure }, options);
}

/** Null if no token is set: then nothing of it is loaded. */
function openDiscord({ ledger, config, logger }: Parts, secretKey: string) {
  const { token } = config.discord;
  const log = ({ level, message, fields }: LogLine) => logger[level](fields, message);
  return token === null ? null : new Discord({ ...config.discord, ledger, secretKey, token, log });
}

export const addresses = { parse: parseAddress, keyOf: walletKey };

/** With a full queue, the kernel lets a new caller try again after a second or more. */
const BACKLOG = 4_096;

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    // For the name "localhost" Fastify opens a second server, which close() does not wait for. An
    // address gets one server.
    const { address } = await lookup(host);
    await app.listen({ host: address, port, backlog: BACKLOG });
    return serviceUrl({ host: address, port: (app.server.address() as AddressInfo).port });
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      const sentence = `Port ${port} on ${host} is in use. Stop the other program, or set PORT.`;
      throw new OperatorError('port-taken', sentence);
    }
    const sentence = `Cannot listen on port ${port} of ${host} (${code}). Check HOST and PORT.`;
    throw code ? new OperatorError('cannot-listen', sentence) : error;
  }
}

interface Running extends Parts {
  app: FastifyInstance;
  keyRing: KeyRing;
  sessions: Sessions;
  streams: EventStreams;
  watch: JournalWatch;
  webhooks: Webhooks;
  discord: Discord | null;
  stopJobs(): Promise<void>;
}

async function stop(running: Running, graceMs: number): Promise<void> {
  const { app, keyRing, sessions, ledger, logger, status, stopJobs, holdings } = running;
  const { streams, watch, webhooks, telemetry } = running;
  status.isStopping = true;
  // Requests that wait for a chain are answered at once from the cache.
  holdings.close();
  const cut = setTimeout(() => {
    logger.warn('closing connections whose requests did not finish in time');
    app.server.closeAllConnections();
  }, graceMs);
  // Before the server: what it is about to answer calls the service.
  await running.discord?.stop();
  // A connection that is busy now becomes idle once it has its answer.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  const closed = app.close().finally(() => {
    clearInterval(sweep);
    clearTimeout(cut);
  });
  // The server stops listening at once, not only after a job that is running has ended.
  const following = [streams.stop(), webhooks.stop(), watch.stop()];
  await Promise.all([closed, stopJobs(), ...following]);
  await Promise.all([keyRing.saveUses(), sessions.saveUses()]).catch((error) => {
    if (status.outage === null) logger.warn(causeOf(error), 'saving the last use of keys failed');
  });
  await Promise.all([ledger.close(), telemetry?.stop()]);
  logger.info('stopped');
}
