import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { openKeeper, startService } from '../../src/service.ts';
import { enrol } from '../community.ts';
import { announce } from './announce.ts';

/** The service itself, on a fresh SQLite file in the folder that the command line names. */
const [folder = '.'] = process.argv.slice(2);
const config = readConfig({
  HOST: '127.0.0.1',
  PORT: '0',
  DATABASE_URL: `sqlite:${join(folder, 'realmkeep.db')}`,
  LOG_LEVEL: 'warn',
  RATE_LIMIT: 'off',
});

const keeper = openKeeper(config);
const key = await enrol(keeper);
await keeper.close();

const service = await startService(config, {
  // Standard output belongs to the announcement.
  logTo: pino.destination(2),
  onDeath: (error) => {
    console.error(error);
    process.exit(1);
  },
});
announce({ url: service.url, key }, () => service.stop());
