import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Config,
  type DatabaseAddress,
  keyPaths,
  readConfig,
  sqliteUrl,
} from '../../config/config.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { ProblemError } from '../../contract/problems.ts';
import type { Command } from '../../domain/commands.ts';
import { generateKey } from '../../domain/key-format.ts';
import type { Scope } from '../../domain/model.ts';
import type { Claim } from '../../domain/offer.ts';
import { DAY_MS } from '../../domain/rules/time.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type Service, startService } from '../../service.ts';
import { openLedger } from '../../storage/storage.ts';
import type { Result } from '../command.ts';
import { abortOf, stopSignal } from '../signals.ts';
import { counted, grouped, Progress } from '../terminal.ts';
import { asCli, execute } from '../with-ledger.ts';
import { BY_BOT, inventHistory, inventOffers, type Moment, type Movement } from './history.ts';
import { inventPeople, Random } from './people.ts';

const DEMO_REALM = 'demo';
const SEED = 2026;

type DemoRealm = NonNullable<Awaited<ReturnType<typeof createDemoRealm>>>;

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
  await abortOf(signal);
  await service.stop();
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
  const amounts = `${grouped(members)} members, ${grouped(movements)}`;
  const end = folder === null ? 'then everything is removed' : `${folder} is not removed`;
  const text = `
Realmkeep listens on ${url}
${consoleLink ? `Console (link works once, for 10 minutes):\n\n  ${consoleLink}\n` : ''}
The realm "${DEMO_REALM}" has ${amounts} movements of points and this key (scope admin):

  ${key}

Try it:

${calls.map(({ title, curl }) => `# ${title}\n${curl}`).join('\n\n')}

For the programs in examples/ (docs/client.md says what they need):

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

/** Writes a month of history through the real ledger; null if interrupted. */
async function createDemoRealm(database: DatabaseAddress, members: number, signal: AbortSignal) {
  const random = new Random(SEED);
  const people = inventPeople(members, random);
  const end = Date.now();
  const offers = inventOffers(members, end);
  const moments = inventHistory(people, [...offers.keys()], end, random);
  // Among the first to join, who are the most active.
  const [giver, taker] = people.filter(({ wallets }) => wallets[0]?.chain === 'eip155');
  if (!giver || !taker) throw new Error('the demo has fewer than two members with wallets');
  // Each moment is written as if it were now.
  let now = moments[0]?.at ?? end;
  const ledger = await openLedger(database, () => now);
  using progress = new Progress();
  try {
    const created = { type: 'realm.create' as const, name: 'Demo', settings: {} };
    await execute(ledger, { ...asCli(DEMO_REALM), ...created });
    const { key } = await issueKey(ledger, 'demo', ['admin']);
    const bot = await issueKey(ledger, 'quest bot', ['write']);
    const shop = await issueKey(ledger, 'shop', ['write']);
    for (const [offerId, terms] of offers) {
      await execute(ledger, { ...asCli(DEMO_REALM), type: 'offer.create', offerId, terms });
    }
    const waiting: Claim[] = [];
    const movements = moments.reduce((sum, moment) => sum + moment.attempts.length, 0);
    let written = 0;
    for (const moment of moments) {
      now = moment.at;
      for (const some of commandsOf(moment, bot.actor, shop.actor)) {
        if (signal.aborted) return null;
        const answers = await Promise.all(some.map((commands) => firstOf(ledger, commands)));
        waiting.push(...answers.filter(isWaiting));
        written += some.length;
        const percent = Math.floor((100 * written) / (members + movements));
        progress.show(`Writing a month of history for ${counted(members, 'member')}: ${percent}%`);
      }
      await settle(ledger, waiting, now, shop.actor);
    }
    return { key, members, movements, giver, taker };
  } finally {
    await ledger.close();
  }
}

/** Executes a command, or what is done instead if it is refused. */
const firstOf = (ledger: Ledger, [command, otherwise]: Alternatives): Promise<object | null> =>
  execute(ledger, command).catch((error) => {
    if (otherwise && error instanceof ProblemError) return execute(ledger, otherwise);
    throw error;
  });

type Alternatives = [command: Command, otherwise?: Command];

const isWaiting = (answer: object | null): answer is Claim =>
  answer !== null && 'claimId' in answer && 'status' in answer && answer.status === 'pending';

/** Every tenth order is rejected: the points that it cost can always go back. */
const REJECTED = 10;

/** Once a day somebody delivers what has waited for one. */
async function settle(ledger: Ledger, waiting: Claim[], now: number, actor: string) {
  if ((waiting[0]?.at ?? now) > now - 2 * DAY_MS) return;
  const due = waiting.findIndex(({ at }) => at > now - DAY_MS);
  const settled = waiting.splice(0, due < 0 ? waiting.length : due);
  const commands = settled.map(({ claimId, cost }): Command => {
    const isRejected = Object.keys(cost).length > 0 && claimId % REJECTED === 0;
    const type = isRejected ? 'claim.reject' : 'claim.deliver';
    return { ...asCli(DEMO_REALM), actor, type, claimId };
  });
  await Promise.all(commands.map((command) => execute(ledger, command)));
}

async function issueKey(ledger: Ledger, name: string, scopes: Scope[]) {
  const { key, newKey } = generateKey();
  const fields = { newKey, name, scopes, expiresAt: null };
  await execute(ledger, { ...asCli(DEMO_REALM), type: 'key.create', ...fields });
  return { key, actor: `key:${newKey.id}` };
}

const isOfShop = (movement: Movement): boolean =>
  movement.type === 'offer.claim' ? !BY_BOT.includes(movement.offerId) : movement.tokens < 0;

/** So that a million enrolments do not wait at once. */
const AT_ONCE = 2_000;

/** In groups that are sent together, so that a moment takes few commits. */
function* commandsOf({ joins, attempts }: Moment, bot: string, shop: string) {
  const by = (actor: string) => ({ ...asCli(DEMO_REALM), actor });
  const commands: Alternatives[] = [
    ...joins.map((person): Alternatives => [{ ...by(bot), type: 'member.create', ...person }]),
    ...attempts.map(
      ({ movement, otherwise }): Alternatives => [
        { ...by(isOfShop(movement) ? shop : bot), ...movement },
        { ...by(bot), ...otherwise },
      ],
    ),
  ];
  for (let at = 0; at < commands.length; at += AT_ONCE) yield commands.slice(at, at + AT_ONCE);
}
