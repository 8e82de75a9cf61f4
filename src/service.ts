import type { FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import type { Keeper } from './domain/keeper.ts';
import { generateRootKey, hashSecret } from './domain/key-text.ts';
import { LocalKeeper } from './domain/local-keeper.ts';
import { buildApp } from './http/app.ts';
import { KeyRing } from './http/key-ring.ts';
import { openSqliteStore } from './store/sqlite/store.ts';
import { RemoteKeeper } from './store/thread/remote-keeper.ts';
import { parseAddress, walletKey } from './web3/address.ts';

const NOTE_USES_MS = 15_000;
const FORGET_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A running service. */
export interface Service {
  url: string;
  /** The root key, if this start made it: to be shown once. */
  newRootKey: string | null;
  /** Answers everything accepted, then closes the storage. */
  stop(): Promise<void>;
}

/** Puts everything together; nothing else knows everything. */
export async function startService(
  config: Config,
  { logTo, onDeath }: { logTo?: DestinationStream; onDeath: (error: Error) => void },
): Promise<Service> {
  const logger = pino({ level: config.logLevel, base: null }, logTo ?? pino.destination(1));
  const keeper = await RemoteKeeper.open(config.databasePath, onDeath);
  const root = await settleRootKey(keeper, config.rootKey);
  const keyRing = new KeyRing(keeper, root.hash);
  const addresses = { parse: parseAddress, keyOf: walletKey };
  const app = await buildApp({ keeper, keyRing, addresses }, config, logger);
  const url = await app.listen({ host: config.host, port: config.port });
  const chores = startChores(keeper, keyRing, config, logger);
  logger.info({ url }, 'listening');
  return {
    url,
    newRootKey: root.fresh,
    stop: () => stop(app, keeper, keyRing, chores, logger),
  };
}

/** A keeper in this thread, for the command line: no server, no second thread. */
export function openKeeper(config: Config, clock?: () => number): Keeper {
  return new LocalKeeper(openSqliteStore(config.databasePath), clock);
}

/** ROOT_KEY as given; else the one kept from the first start; else a new one. */
async function settleRootKey(
  keeper: Keeper,
  given: string | null,
): Promise<{ hash: string | null; fresh: string | null }> {
  if (given !== null) return { hash: hashSecret(given), fresh: null };
  const kept = await keeper.ask('rootKeyHash', null);
  if (kept !== null) return { hash: kept, fresh: null };
  const fresh = generateRootKey();
  const wasKept = await keeper.housekeeping.keepRootKeyHash(hashSecret(fresh));
  // Another process was faster: its key is the one that counts.
  if (!wasKept) return { hash: await keeper.ask('rootKeyHash', null), fresh: null };
  return { hash: hashSecret(fresh), fresh };
}

function startChores(
  keeper: Keeper,
  keyRing: KeyRing,
  config: Config,
  logger: Logger,
): NodeJS.Timeout[] {
  const chore = (name: string, every: number, work: () => Promise<unknown>) =>
    setInterval(() => {
      work().catch((error) =>
        logger.warn({ err: error }, `${name} failed; it will be tried again`),
      );
    }, every).unref();
  const forget = async () => {
    const before = Date.now() - config.idempotencyDays * DAY_MS;
    while ((await keeper.housekeeping.forgetAnswers(before)) > 0);
  };
  return [
    chore('noting the last use of keys', NOTE_USES_MS, () => keyRing.noteUses()),
    chore('forgetting old answers', FORGET_MS, forget),
  ];
}

async function stop(
  app: FastifyInstance,
  keeper: Keeper,
  keyRing: KeyRing,
  chores: NodeJS.Timeout[],
  logger: Logger,
): Promise<void> {
  for (const chore of chores) clearInterval(chore);
  await app.close();
  await keyRing.noteUses();
  await keeper.close();
  logger.info('stopped');
}
