import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import type { Keeper } from '../../src/domain/keeper.ts';
import { generateRootKey } from '../../src/domain/key-text.ts';
import { openKeeper, startService } from '../../src/service.ts';
import { REALM } from '../community.ts';
import { announce } from './announce.ts';

/** Makes the communities that a server should have; answers a key for each, by its realm. */
export type Prepare = (keeper: Keeper) => Promise<Record<string, string>>;

/** The path of the database, in the folder that the command line names. */
export const database = join(process.argv[2] ?? '.', 'realmkeep.db');

/** The service itself, on communities that are ready before it starts. */
export async function serve(
  prepare: Prepare,
  settings: { DATABASE_URL?: string; ROOT_KEY?: string } = {},
): Promise<void> {
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: `sqlite:${database}`,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    ...settings,
  });
  const keeper = await openKeeper(config);
  const keys = await prepare(keeper);
  await keeper.close();
  const service = await startService(config, {
    // Standard output belongs to the announcement.
    logTo: pino.destination(2),
    onDeath: (error) => {
      console.error(error);
      process.exit(1);
    },
  });
  announce({ url: service.url, keys, database }, () => service.stop());
}

/** The same where there are too many realms for keys of their own. */
export async function serveWithRootKey(
  prepare: (keeper: Keeper) => Promise<void>,
  settings: { DATABASE_URL?: string } = {},
): Promise<void> {
  const rootKey = generateRootKey();
  await serve(
    async (keeper) => {
      await prepare(keeper);
      return { [REALM]: rootKey };
    },
    { ...settings, ROOT_KEY: rootKey },
  );
}

/** On standard error, which the benchmark shows. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
