import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Community, newCommunity, type User } from '../../test/discord/community.ts';
import type { DiscordInteraction } from '../../test/discord/double/interaction.ts';
import { sqliteFile } from '../../test/support/database.ts';
import { TestRealm, TestService } from '../../test/support/service.ts';
import type { Drawn } from './draw.ts';

/** A server that is linked to the demo's realm, and the pictures that were taken of it. */
export interface Stage {
  server: Community;
  service: TestService;
  /** The names of users by id. */
  names: Map<string, string>;
  shots: Map<string, Drawn>;
  /** What the app is answered by the service instead; undefined for what it says. */
  intercept: { answer: (() => Promise<Response>) | undefined };
  member(name: string, tokens?: number): Promise<User>;
  /** A member of the demo, as the user of that id. */
  demoMember(memberId: string): User;
  shoot(name: string, cause: string, shown: DiscordInteraction): DiscordInteraction;
  close(): Promise<void>;
}

const DEMO = 'demo';

export async function openStage(): Promise<Stage> {
  const folder = await demoFolder();
  const service = await TestService.start({}, {}, sqliteFile(folder));
  const realm = new TestRealm(service, DEMO);
  realm.key = await realm.issueKey(['admin']);
  const server = await newCommunity(service, realm);
  const intercept: Stage['intercept'] = { answer: undefined };
  server.start({ fetch: (url, init) => fetchFor(service, intercept, url, init) });
  await server.isReady();
  const { items } = (await realm.expect(200, 'GET', '/members?limit=500')).json;
  const names = new Map<string, string>(
    items.map(({ id, displayName }: Record<string, string>) => [id, displayName]),
  );
  const shots: Stage['shots'] = new Map();
  const demoMember = (id: string): User => server.user(names.get(id) ?? id, id);
  return {
    ...{ server, service, names, shots, intercept, demoMember },
    async member(name, tokens = 0) {
      const user = await server.member(name, tokens);
      names.set(user.id, name);
      return user;
    },
    shoot(name, cause, shown) {
      const { original: message, first } = shown;
      // What takes the place of a message is seen by whom that was.
      const isUpdate = first.type === 7 && !cause.endsWith('leaderboard');
      shots.set(name, { cause, message, isPrivate: shown.isPrivate || isUpdate });
      return shown;
    },
    async close() {
      await server.bot?.stop();
      await server.discord.close();
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const fetchFor = (
  { url: serviceUrl }: TestService,
  { answer }: Stage['intercept'],
  url: string,
  init: RequestInit,
): Promise<Response> =>
  answer && url.startsWith(serviceUrl) && !url.includes('/events') ? answer() : fetch(url, init);

/** Where the demo has left its database. */
async function demoFolder(): Promise<string> {
  const program = join(import.meta.dirname, '../../bin/realmkeep.mjs');
  const args = [program, DEMO, '--members', '300', '--keep'];
  const demo = spawn(process.execPath, args, {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: demo.stdout })) {
    const [, folder] = /; (\S+) is not removed/.exec(line) ?? [];
    if (!folder) continue;
    demo.kill();
    await once(demo, 'exit');
    return folder;
  }
  throw new Error('the demo did not start');
}
