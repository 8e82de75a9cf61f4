import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BotThread, type ParentCalls } from '../../src/discord/bot-thread.ts';
import { RemoteDiscord } from '../../src/discord/remote.ts';
import { eventually } from '../support/eventually.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { until } from './community.ts';
import { linkTo, newDiscord, newServer } from './served.ts';

const service = await serviceForFile();

test('a status that cannot be stored does not end the thread', async (t) => {
  const discord = await newDiscord();
  const states: string[] = [];
  const failures: string[] = [];
  const parent: ParentCalls = {
    realms: async () => [],
    isLeader: async () => true,
    announced: async () => null,
    saveAnnounced: async () => {},
    onStatus: ({ state }) => {
      states.push(state);
      throw new Error('the database is away');
    },
    log: ({ level, message }) => {
      if (level === 'error') failures.push(message);
    },
  };
  const { token, url: apiUrl } = discord;
  const data = { token, apiUrl, serviceUrl: service.url, overHttp: false, hasLease: false };
  const thread = new BotThread(data, parent);
  thread.start();
  t.after(() => thread.stop());
  await until(() => states.includes('ready'));
  assert.deepEqual(await thread.handle({ type: 1 }), { type: 1 });
  assert.deepEqual(failures, []);
});

test('by itself, the app notes for every realm how far it came', async (t) => {
  const discord = await newDiscord();
  const folder = await mkdtemp(join(tmpdir(), 'realmkeep-'));
  t.after(() => rm(folder, { recursive: true }));
  const stateFile = join(folder, 'state.json');
  const ids = ['one', 'two', 'three', 'four', 'five', 'six'];
  for (const id of ids) {
    const servers = [{ guildId: newServer(discord) }, { guildId: newServer(discord) }];
    await linkTo(await service.realm(id), servers);
  }
  const failures: string[] = [];
  const app = new RemoteDiscord({
    ...{ token: discord.token, apiUrl: discord.url, stateFile },
    ...{ serviceUrl: service.url, key: ROOT_KEY },
    log: ({ level, message }) => void (level === 'warn' && failures.push(message)),
  });
  t.after(() => app.stop());
  assert.deepEqual((await app.start()).toSorted(), ids.toSorted(), 'each once');
  const noted = async () => JSON.parse(await readFile(stateFile, 'utf8').catch(() => '{}'));
  await eventually(noted, (state) => Object.keys(state).length === ids.length);
  assert.deepEqual(failures, []);
});
