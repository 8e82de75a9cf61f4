import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { APIInteraction } from 'discord-api-types/v10';
import { startBot } from '../../discord/src/index.ts';
import { serviceForFile } from '../support/service.ts';
import { community, until } from './community.ts';
import { DiscordInteraction } from './double/interaction.ts';

const service = await serviceForFile();

test('of two processes one is connected: the one with the lease', async () => {
  const server = await community(service, { isStarted: false });
  let leader = 'one';
  server.start({ isLeader: async () => leader === 'one' });
  await server.isReady();
  const states: string[] = [];
  const two = startBot({
    token: server.discord.token,
    apiUrl: server.discord.url,
    serviceUrl: service.url,
    realms: async () => [server.link],
    isLeader: async () => leader === 'two',
    lastSeq: {
      read: async (realmId) => server.seqs.get(realmId) ?? null,
      write: async (realmId, seq) => void server.seqs.set(realmId, seq),
    },
    onStatus: ({ state }) => states.push(state),
    log: () => {},
  });
  await until(() => states.at(-1) === 'waiting');
  assert.equal(server.discord.gateway.seen.identifies, 1);
  const started = performance.now();
  leader = 'two';
  await until(() => server.status?.state === 'waiting' && states.at(-1) === 'ready');
  assert.ok(performance.now() - started < 15_000);
  assert.ok(server.discord.gateway.seen.closes.includes(1000), 'who lost the lease has left');
  const alice = await server.member('Alice', 3);
  assert.match((await alice.uses('balance')).text, /3 points/);
  assert.equal(server.discord.requests(/^PUT/).length, 1);
  await two.stop();
});

test('restarted in the middle of a command, it has one effect', async () => {
  const server = await community(service);
  const alice = await server.member('Alice', 100);
  const bob = await server.member('Bob');
  const payload = alice.command('give', { member: bob, amount: 40 });
  // The process dies before Discord hears of it.
  server.discord.intercept = ({ path }) =>
    path.endsWith('/callback') ? { status: 502, delayMs: 50 } : undefined;
  const shown = alice.sends(payload);
  await until(() => server.discord.requests(/\/callback$/).length > 0);
  await server.bot?.stop();
  server.discord.intercept = () => undefined;
  server.start();
  await server.isReady();
  await until(() => server.discord.gateway.isConnected);
  server.discord.gateway.dispatch('INTERACTION_CREATE', payload);
  assert.match((await shown).text, /\*\*40 points\*\*/);
  assert.equal(await server.balance(bob), 40);
});

test('over HTTP the answers are the same, deferred ones included', async () => {
  let ms = 0;
  const delayed: typeof fetch = async (url, init) => {
    if (String(url).startsWith(service.url)) await new Promise((done) => setTimeout(done, ms));
    return fetch(url, init);
  };
  const server = await community(service, { isStarted: false });
  const bot = server.start({ overHttp: true, fetch: delayed as never });
  await server.isReady();
  assert.equal(server.discord.gateway.seen.connections, 0);
  assert.deepEqual(await bot.handle({ type: 1 } as APIInteraction), { type: 1 });
  const alice = await server.member('Alice', 7);
  const handled = async (payload: object) => {
    const { id, token } = payload as { id: string; token: string };
    const shown = new DiscordInteraction(id, token);
    server.discord.interactions.set(id, shown);
    shown.acknowledge(await bot.handle(payload as APIInteraction));
    await shown.settled;
    return shown;
  };
  const direct = await handled(alice.command('balance'));
  assert.deepEqual([direct.text, direct.isPrivate], ['Your points\n**7 points**', true]);
  const bob = await server.member('Bob');
  const give = alice.command('give', { member: bob, amount: 2 });
  await Promise.all([handled(give), handled(give)]);
  assert.equal(await server.balance(bob), 2);
  ms = 900;
  const late = await handled(alice.command('balance'));
  assert.ok(late.wasDeferred);
  assert.match(late.text, /5 points/);
});
