import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/config/config.ts';
import { generateRootKey } from '../../src/domain/key-format.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { startService } from '../../src/service.ts';
import { openLedger } from '../../src/storage/storage.ts';
import { REALM } from '../community.ts';
import { announce } from './announce.ts';

/** Creates the realms of a server; returns their keys by realm. */
type Prepare = (ledger: Ledger) => Promise<Record<string, string>>;

/** The path of the database, in the folder given as argument. */
export const database = join(process.argv[2] ?? '.', 'realmkeep.db');

/** Starts the service after its realms have been created. */
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
  const ledger = await openLedger(config.database);
  const keys = await prepare(ledger);
  await ledger.close();
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

/** The same with the root key, for too many realms to have their own keys. */
export async function serveWithRootKey(
  prepare: (ledger: Ledger) => Promise<void>,
  settings: { DATABASE_URL?: string } = {},
): Promise<void> {
  const rootKey = generateRootKey();
  await serve(
    async (ledger) => {
      await prepare(ledger);
      return { [REALM]: rootKey };
    },
    { ...settings, ROOT_KEY: rootKey },
  );
}

/** On standard error, which the benchmark shows. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
