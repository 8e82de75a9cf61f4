import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Realmkeep } from '../client/src/index.ts';
import { User } from '../test/discord/community.ts';
import { Discord } from '../test/discord/double/discord.ts';

/**
 * `node bench/discord.ts`: how long members wait for the app while a program transfers points 500
 * times a second, in the same realm. The service runs as `serve` does, with the app in its thread;
 * Discord is a double on the same machine.
 */
const SECONDS = 20;
const TRANSFERS_A_SECOND = 500;
const INTERACTIONS_A_SECOND = 20;
const MEMBERS = 100;
/** Discord has stopped waiting by then. */
const LONGEST_MS = 4_000;
const ROOT_KEY = 'bench-root-key-0123456789-0123456789-abcdef';
const guildId = '41771983423143001';

const discord = await Discord.start();
discord.guilds.set(guildId, []);
// As Discord's own gateway asks for.
discord.gateway.heartbeatMs = 41_250;
const folder = mkdtempSync(join(tmpdir(), 'realmkeep-discord-'));
const main = join(import.meta.dirname, '../bin/realmkeep.mjs');
const service = spawn(process.execPath, [main, 'serve'], {
  cwd: folder,
  env: {
    ...process.env,
    PORT: '0',
    ROOT_KEY,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'info',
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.url,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});

try {
  const client = new Realmkeep({ url: await urlOf(), key: ROOT_KEY });
  await client.createRealm({ id: 'acme', name: 'Acme' });
  const realm = client.realm('acme');
  await realm.update({ settings: { discord: { guildId } } });
  const users = Array.from({ length: MEMBERS }, (_, index) => {
    const id = String(80_351_110_224_678_000n + BigInt(index));
    return new User({ discord, guildId, deliveries: 1 }, id, `User ${index}`);
  });
  const accountOf = (id: string) => [{ provider: 'discord', id }];
  await realm.createMembers(
    users.map(({ id }) => ({ id, accounts: accountOf(id), balances: { points: 1_000_000 } })),
  );
  while (!discord.gateway.isConnected) await sleep(50);
  await round(realm, users, 5);
  const { waits, transfers } = await round(realm, users, SECONDS);
  waits.sort((a, b) => a - b);
  const at = (share: number): string => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(1);
  console.log(
    `${waits.length} interactions beside ${Math.round(transfers / SECONDS)} transfers a second: ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(0.9999)} ms`,
  );
} finally {
  service.kill();
  await once(service, 'exit');
  await discord.close();
  rmSync(folder, { recursive: true });
}

async function round(realm: ReturnType<Realmkeep['realm']>, users: User[], seconds: number) {
  const waits: number[] = [];
  const started: Promise<unknown>[] = [];
  let transfers = 0;
  const member = (): User => users[Math.floor(Math.random() * MEMBERS)] as User;
  const transfer = async (): Promise<void> => {
    const [from, to] = [member().id, member().id];
    if (from === to) return;
    await realm.member(from).transfer(to, 1);
    transfers += 1;
  };
  const uses = [
    () => member().uses('balance'),
    () => member().uses('give', { member: member(), amount: 1 }),
    () => member().uses('history'),
    () => member().uses('leaderboard'),
  ];
  const interact = async (index: number): Promise<void> => {
    const shown = await Promise.race([uses[index % uses.length]?.(), sleep(LONGEST_MS)]);
    waits.push(shown?.answeredAfterMs ?? LONGEST_MS);
  };
  const begin = performance.now();
  const due = (rate: number): number => ((performance.now() - begin) / 1_000) * rate;
  for (let sent = 0, asked = 0; performance.now() - begin < seconds * 1_000; await sleep(5)) {
    for (; sent < due(TRANSFERS_A_SECOND); sent += 1) started.push(transfer());
    for (; asked < due(INTERACTIONS_A_SECOND); asked += 1) started.push(interact(asked));
  }
  await Promise.all(started);
  return { waits, transfers };
}

/** The log goes on being read, lest the service waits for that. */
function urlOf(): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: service.stdout }).on('line', (line) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (url) resolve(url);
    });
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
