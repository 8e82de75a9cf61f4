import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceForFile } from '../support/service.ts';
import { type Community, community, until } from './community.ts';
import { refusal } from './double/discord.ts';
import { DiscordInteraction } from './double/interaction.ts';

const service = await serviceForFile();

const channelOf = ({ discord, link }: Community) =>
  discord.channels.get(link.announceChannelId ?? '') ?? [];
const textsIn = (server: Community): string[] =>
  channelOf(server).map(({ body }) => DiscordInteraction.textOf(body));

test('new offers, big gifts and draws are announced in order, and ping nobody', async () => {
  const server = await community(service);
  const alice = await server.member('Alice', 2_500);
  const bob = await server.member('Bob');
  await server.offer('cap', {
    name: 'Cap',
    emoji: '🧢',
    costs: { points: 5 },
    description: 'Warm',
    stock: 9,
  });
  await server.offer('hidden', { costs: { points: 5 }, isListed: false });
  const transfer = { recipientId: bob.id, tokens: 999 };
  await server.realm.expect(200, 'PATCH', `/members/${alice.id}/transfer`, { body: transfer });
  const big = { recipientId: bob.id, tokens: 1_000, description: 'Rent' };
  await server.realm.expect(200, 'PATCH', `/members/${alice.id}/transfer`, { body: big });
  const closesAt = new Date(Date.now() + 1_500).toISOString();
  await server.offer('raffle', { name: 'Raffle', costs: { points: 1 }, closesAt });
  const body = { memberId: bob.id };
  await server.realm.expect(201, 'POST', '/offers/raffle/claims', { body });
  await new Promise((resolve) => setTimeout(resolve, Date.parse(closesAt) - Date.now() + 10));
  const draw = { winners: 1, seed: 'a-public-value' };
  await server.realm.expect(201, 'POST', '/offers/raffle/draw', { body: draw });
  await until(() => channelOf(server).length === 4);
  const [cap, gift, , drawn] = textsIn(server);
  assert.match(cap ?? '', /New: 🧢 \*\*Cap\*\* · 5 points · 9 left\nWarm\n-# Get it with `\/shop`/);
  assert.match(gift ?? '', /<@\d+> gave <@\d+> \*\*1,000 points\*\*\.\n> Rent/);
  assert.match(
    drawn ?? '',
    /The draw of Raffle\n🎉 Winner: <@\d+>\n1 ticket · seed a-public-value/,
  );
  for (const { body: sent } of channelOf(server)) {
    assert.deepEqual(sent.allowed_mentions, { parse: [], users: [] });
  }
});

test('killed between sending and noting it, the app announces nothing twice', async () => {
  const server = await community(service);
  const lost = { read: async () => 0, write: () => new Promise<void>(() => {}) };
  await server.bot?.stop();
  server.start({ lastSeq: lost });
  await server.offer('one', { gives: { points: 1 } });
  await until(() => channelOf(server).length === 1);
  await server.bot?.stop();
  await server.offer('two', { gives: { points: 1 } });
  server.start({ lastSeq: { ...lost, write: async () => {} } });
  await until(() => channelOf(server).length === 2);
  assert.match(textsIn(server)[1] ?? '', /two/);
  const sent = server.discord.requests(/^POST \/channels/);
  assert.equal(sent.length, 3, 'the first was sent again, and recognised');
});

test('what happened while the app was away is announced; what was before, never', async () => {
  const server = await community(service, { isStarted: false });
  await server.offer('old', { gives: { points: 1 } });
  server.start();
  await server.isReady();
  await server.bot?.stop();
  await server.offer('meanwhile', { gives: { points: 1 } });
  server.start();
  await until(() => channelOf(server).length === 1);
  assert.match(textsIn(server)[0] ?? '', /meanwhile/);
});

test('Discord away: announcements wait; a channel that refuses delays nothing', async () => {
  const server = await community(service);
  let isAway = true;
  server.discord.intercept = ({ path }) =>
    isAway && path.startsWith('/channels') ? refusal(503, 0, 'unavailable') : undefined;
  await server.offer('waiting', { gives: { points: 1 } });
  await until(() => server.discord.requests(/ \/channels/).length >= 2);
  isAway = false;
  await until(() => channelOf(server).length === 1);
  server.discord.channels.delete(server.link.announceChannelId ?? '');
  await server.offer('unseen', { gives: { points: 1 } });
  await until(() => /cannot write to the channel/.test(server.status?.guilds[0]?.problem ?? ''));
  server.discord.channels.set(server.link.announceChannelId ?? '', []);
  await server.offer('seen', { gives: { points: 1 } });
  await until(() => channelOf(server).length === 1);
  assert.match(textsIn(server)[0] ?? '', /\*\*seen\*\*/);
  await until(() => server.status?.guilds[0]?.problem === undefined);
});

test('nothing is announced in a channel of another server', async () => {
  const server = await community(service);
  const { discord, link } = server;
  discord.channelServers.set(link.announceChannelId ?? '', '81384788765712384');
  await server.offer('secret', { gives: { points: 1 } });
  await until(() => /in another server/.test(server.status?.guilds[0]?.problem ?? ''));
  assert.deepEqual(discord.channels.get(link.announceChannelId ?? ''), []);
});

test('an event waits for a key, if the one before was revoked just now', async () => {
  let isRevoked = false;
  const refusing: typeof fetch = async (url, init) => {
    if (!isRevoked || String(url).includes('/events')) return fetch(url, init);
    isRevoked = false;
    return fetch(url, { ...init, headers: { authorization: 'Bearer rk_revoked' } });
  };
  const server = await community(service, { fetch: refusing as never });
  isRevoked = true;
  await server.offer('patient', { gives: { points: 1 } });
  await until(() => channelOf(server).length === 1);
  assert.match(textsIn(server)[0] ?? '', /patient/);
  assert.equal(server.logged('events were not announced').length, 1);
});
