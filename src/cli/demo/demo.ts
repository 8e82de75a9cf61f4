import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig, sqliteAddress } from '../../config.ts';
import { openLedger, type Service, StartError, startService } from '../../service.ts';
import { define, type Said, UsageError } from '../command.ts';
import { serveUntil, stopSignal } from '../stopping.ts';
import { type DemoCall, demoCalls } from './calls.ts';
import { DEMO_REALM, type DemoRealm, fillDemoRealm } from './realm.ts';

const DEFAULT_MEMBERS = 1_000;
const MIN_MEMBERS = 10;
const MAX_MEMBERS = 10_000;

export const demo = define({
  summary: 'Starts the service with a throwaway realm full of invented members.',
  notes:
    'The realm has a month of history. It lives in a temporary folder, which is removed at the\n' +
    'end. If the port is taken, a free one is used.',
  args: [],
  options: {
    members: {
      type: 'string',
      value: '<n>',
      help: `How many members, ${MIN_MEMBERS} to ${MAX_MEMBERS}. Default: ${DEFAULT_MEMBERS}.`,
    },
    keep: { type: 'boolean', help: 'Leave the folder at the end.' },
  },
  example: 'realmkeep demo',
  async run({ values, say }) {
    const count = memberCount(values.members);
    // The log of every request would hide what the demo has to say.
    const settings = readConfig(undefined, { LOG_LEVEL: 'warn' });
    const signal = stopSignal();
    const folder = mkdtempSync(join(tmpdir(), 'realmkeep-demo-'));
    // However the process ends, short of being killed.
    if (!values.keep) process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    const config = { ...settings, database: sqliteAddress(join(folder, 'realmkeep.db')) };
    const realm = await prepare(config, count, signal);
    if (realm === null) return;
    const service = await startOnSomePort(config);
    say(told(service.url, realm, values.keep ? folder : null));
    await serveUntil(signal, service);
  },
});

function memberCount(typed = String(DEFAULT_MEMBERS)): number {
  const count = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
  if (count >= MIN_MEMBERS && count <= MAX_MEMBERS) return count;
  throw new UsageError(`--members must be an integer from ${MIN_MEMBERS} to ${MAX_MEMBERS}.`);
}

async function prepare(config: Config, count: number, signal: AbortSignal) {
  let now = 0;
  const ledger = await openLedger(config, () => now);
  const setClock = (at: number): void => {
    now = at;
  };
  try {
    return await fillDemoRealm(ledger, { count, setClock, onProgress: progress(count), signal });
  } finally {
    await ledger.close();
  }
}

/** On stderr, so that stdout has only the result: a moving number, or one line in a log. */
function progress(count: number): (share: number) => void {
  const text = `Writing a month in the life of ${count.toLocaleString('en')} members`;
  const { stderr } = process;
  if (!stderr.isTTY) {
    stderr.write(`${text} …\n`);
    return () => undefined;
  }
  let shown = -1;
  return (share) => {
    const percent = Math.floor(share * 100);
    if (percent === shown) return;
    shown = percent;
    stderr.write(`\r${text} … ${percent}%${share === 1 ? '\n' : ''}`);
  };
}

async function startOnSomePort(config: Config): Promise<Service> {
  const options = { onDeath: () => process.exit(1) };
  try {
    return await startService(config, options);
  } catch (error) {
    if (!(error instanceof StartError) || error.code !== 'port-taken') throw error;
    process.stderr.write(`Port ${config.port} is taken; the demo uses a free one.\n`);
    return startService({ ...config, port: 0 }, options);
  }
}

function told(url: string, realm: DemoRealm, keptFolder: string | null): Said {
  const calls = demoCalls(url, realm);
  const { key, members, movements } = realm;
  const amounts = `${members.toLocaleString('en')} members, ${movements.toLocaleString('en')}`;
  const end = keptFolder === null ? 'everything is removed then' : `${keptFolder} stays`;
  const text = `
Realmkeep listens on ${url}
The realm "${DEMO_REALM}" has ${amounts} movements of points, and this key (scope admin):

  ${key}

Try it:

${calls.map(line).join('\n\n')}

The reference is at ${url}/docs. Stop with Ctrl-C; ${end}.`;
  const json = { url, realm: DEMO_REALM, key, members, movements, calls, folder: keptFolder };
  return { text, json };
}

const line = ({ title, curl }: DemoCall): string => `# ${title}\n${curl}`;
