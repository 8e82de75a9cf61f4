import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, keyPaths, readConfig, sqliteUrl } from '../../config/config.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { type Service, startService } from '../../service.ts';
import type { Result } from '../command.ts';
import { serveUntil, stopSignal } from '../signals.ts';
import { createDemoRealm, DEMO_REALM, type DemoRealm } from './realm.ts';

export async function runDemo(
  count: number,
  keep: boolean,
  print: (result: Result) => void,
): Promise<void> {
  // A log line per request would bury the demo's own output.
  const settings = readConfig(undefined, { LOG_LEVEL: 'warn' });
  const signal = stopSignal();
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-demo-'));
  // However the process ends, unless it is killed.
  if (!keep) process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const database = sqliteUrl(`sqlite:${join(folder, 'realmkeep.db')}`, 'TMPDIR');
  const realm = await createDemoRealm(database, count, signal);
  if (realm === null) return;
  const config = { ...settings, database, ...keyPaths(database) };
  const service = await startOnSomePort(config);
  const link = (await service.createConsoleLink?.(`/realms/${DEMO_REALM}`)) ?? null;
  print(introduction(service.url, link, realm, keep ? folder : null));
  await serveUntil(signal, service);
}

async function startOnSomePort(config: Config): Promise<Service> {
  const options = { onDeath: () => process.exit(1) };
  try {
    return await startService(config, options);
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'port-taken') throw error;
    process.stderr.write(`Port ${config.port} is in use; the demo picks a free one.\n`);
    return startService({ ...config, port: 0 }, options);
  }
}

function introduction(
  url: string,
  consoleLink: string | null,
  realm: DemoRealm,
  folder: string | null,
): Result {
  const calls = demoCalls(url, realm);
  const { key, members, movements } = realm;
  const amounts = `${members.toLocaleString('en')} members, ${movements.toLocaleString('en')}`;
  const end = folder === null ? 'then everything is removed' : `${folder} is not removed`;
  const text = `
Realmkeep listens on ${url}
${consoleLink ? `Open the console (signs in once, within 10 minutes):\n\n  ${consoleLink}\n` : ''}
The realm "${DEMO_REALM}" has ${amounts} movements of points and this key (scope admin):

  ${key}

Try it:

${calls.map(({ title, curl }) => `# ${title}\n${curl}`).join('\n\n')}

For the programs in examples/:

  export REALMKEEP_URL=${url} REALMKEEP_REALM=${DEMO_REALM} REALMKEEP_KEY=${key}

The API reference is at ${url}/docs. Press Ctrl-C to stop; ${end}.`;
  const json = { url, consoleLink, realm: DEMO_REALM, key, members, movements, calls, folder };
  return { text, json };
}

/**
 * One call of each of the five core endpoints, with members that exist in the demo, as a line to
 * paste into a shell.
 */
function demoCalls(url: string, { key, giver, taker }: DemoRealm) {
  const realm = `${url}/api/v4/realms/${DEMO_REALM}`;
  const call = (title: string, method: string, path: string, body?: object) => {
    // Answers do not end with a line break: without -w the prompt would follow them directly.
    const words = ['curl', '-sS', '-w', "'\\n'", '-X', method, `'${realm}${path}'`];
    words.push('-H', `'Authorization: Bearer ${key}'`);
    if (body)
      words.push('-H', "'Content-Type: application/json'", '-d', `'${JSON.stringify(body)}'`);
    return { title, curl: words.join(' ') };
  };
  const wallets = [giver, taker].map((member) => member.wallets[0]?.address ?? '');
  const thanks = { recipientId: taker.memberId, tokens: 25, description: 'Thanks for the help' };
  return [
    call('Read a member', 'GET', `/members/${giver.memberId}`),
    call('Read its web3 data', 'GET', `/web3/members/${giver.memberId}`),
    call('Check wallets', 'GET', '/members/includes', { wallets: [...wallets, 'not-a-wallet'] }),
    call('Add points', 'PATCH', `/members/${giver.memberId}/tokenBalance`, {
      tokens: 100,
      description: 'Quest reward',
    }),
    call('Transfer points', 'PATCH', `/members/${giver.memberId}/transfer`, thanks),
  ];
}
