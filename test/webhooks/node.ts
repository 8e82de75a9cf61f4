import { readConfig } from '../../src/config/config.ts';
import { startService } from '../../src/service.ts';
import { QUICKLY } from './quickly.ts';

/** A process of the service with short pauses, which says its URL and is then killed. */
const settings = {
  DATABASE_URL: process.argv[2],
  ROOT_KEY: process.argv[3],
  SECRET_KEY: process.argv[3],
  PORT: '0',
  LOG_LEVEL: 'warn',
  RATE_LIMIT: 'off',
  WEBHOOK_ALLOW_PRIVATE: 'true',
};
/** Soon enough for a test that waits for each process that dies and each receiver that hangs. */
const times = { ...QUICKLY.times, leaseMs: 1_500 };
const { url } = await startService(readConfig(settings), {
  webhooks: { ...QUICKLY, deadlineMs: 500, times },
  onDeath: (error) => {
    throw error;
  },
});
process.stdout.write(`${url}\n`);
