import { parentPort, workerData } from 'node:worker_threads';
import { startBot } from 'realmkeep-discord';
import type { BotCalls, BotData, ParentCalls } from './bot-thread.ts';
import { connect } from './calls.ts';

/** The entry of the thread that the bot runs in. */
const port = parentPort;
if (!port) throw new Error('this module is the entry of a worker thread');
const { hasLease, ...data } = workerData as BotData;

const calls: BotCalls = {
  handle: (interaction) => bot.handle(interaction as never),
  realmsChanged: () => bot.realmsChanged(),
  stop: () => bot.stop(),
};
const { remote } = connect<ParentCalls>(port, calls);

/** Nobody waits for it: while the database is away, a status is not stored, and the app goes on. */
const tell = (...told: Parameters<typeof remote>): void => void remote(...told).catch(() => {});

const bot = startBot({
  ...data,
  realms: () => remote('realms', null),
  ...(hasLease && { isLeader: () => remote('isLeader', null) }),
  lastSeq: {
    read: (realmId) => remote('announced', realmId),
    write: (realmId, seq) => remote('saveAnnounced', { realmId, seq }),
  },
  onStatus: (status) => tell('onStatus', status),
  log: (level, message, fields = {}) => tell('log', { level, message, fields }),
});
