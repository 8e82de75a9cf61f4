import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceForFile, serviceForTest } from '../support/service.ts';
import { community, until } from './community.ts';
import { refusal, tooMany } from './double/discord.ts';

const service = await serviceForFile();

test('each interaction delivered twice has one effect and one answer', async () => {
  const server = await community(service);
  server.deliveries = 2;
  const alice = server.user('Alice');
  const bob = server.user('Bob');
  const mona = server.manager();
  await mona.uses('award', { member: alice, amount: 100 });
  await alice.uses('give', { member: bob, amount: 30 });
  await server.offer('mug', { costs: { points: 40 }, delivery: 'manual' });
  await alice.uses('buy', { offer: 'mug' });
  await mona.uses('take', { member: bob, amount: 5 });
  await until(() => server.discord.requests(/\/callback$/).length === 8);
  assert.deepEqual([await server.balance(alice), await server.balance(bob)], [30, 25]);
  assert.equal((await server.movements()).length, 4);
  assert.deepEqual(server.logged('an interaction was not answered'), []);
});

test('a hundred members at once are answered, each once', async () => {
  const server = await community(service);
  const bank = await server.member('Bank');
  const users = Array.from({ length: 100 }, (_, index) => server.user(`User ${index}`));
  for (const user of users) {
    await server.realm.member(user.id, 10);
  }
  const shown = await Promise.all(
    users.map((user) => user.uses('give', { member: bank, amount: 7 })),
  );
  assert.ok(shown.every(({ text }) => /\*\*7 points\*\*/.test(text)));
  assert.equal(await server.balance(bank), 700);
});

test('a newcomer who uses everything at once becomes one member', async () => {
  const server = await community(service);
  const newcomer = server.user('Newcomer');
  const names = ['balance', 'history', 'inventory', 'shop', 'balance', 'history'];
  const shown = await Promise.all(names.map((name) => newcomer.uses(name)));
  assert.ok(shown.every(({ isPrivate }) => isPrivate));
  assert.match((await newcomer.uses('balance')).text, /\*\*0 points\*\*/);
});

/** A `fetch` that holds back calls of the service. */
function slow(ms: () => number): typeof fetch {
  return async (url, init) => {
    const isService = String(url).startsWith(service.url) && !String(url).includes('/events');
    if (isService) await new Promise((resolve) => setTimeout(resolve, ms()));
    return fetch(url, init);
  };
}

test('an answer that takes longer than 1.5 s is deferred, in its visibility', async () => {
  let ms = 0;
  const server = await community(service, { fetch: slow(() => ms) as never });
  const alice = await server.member('Alice', 50);
  const bob = await server.member('Bob');
  ms = 500;
  const [given, balance, refused] = await Promise.all([
    alice.uses('give', { member: bob, amount: 20 }),
    alice.uses('balance', { member: bob }),
    alice.uses('give', { member: bob, amount: 500 }),
  ]);
  assert.ok(given.wasDeferred && !given.isPrivate);
  assert.match(given.text, /\*\*20 points\*\*/);
  assert.ok(balance.isPrivate);
  // The public promise is withdrawn, and its caller alone is told why.
  assert.ok(refused.wasDeferred && refused.isPrivate);
  assert.match(refused.text, /this takes 500/);
});

test('a button that takes longer is deferred, too', async () => {
  let ms = 0;
  const server = await community(service, { fetch: slow(() => ms) as never });
  const alice = await server.member('Alice', 200);
  const bob = await server.member('Bob');
  const asked = await alice.uses('give', { member: bob, amount: 150 });
  ms = 600;
  const done = await alice.presses(asked, 'Give');
  assert.equal(done.first.type, 6);
  assert.match(done.text, /You gave/);
  await until(() => done.followUps.length === 1);
});

test('a service that is away: points are resting, said once in the log', async () => {
  const own = await serviceForTest();
  const server = await community(own);
  const alice = await server.member('Alice', 50);
  const bob = await server.member('Bob');
  await own.down();
  const shown = await Promise.all([
    alice.uses('balance'),
    alice.uses('give', { member: bob, amount: 1 }),
    bob.uses('shop'),
  ]);
  for (const one of shown) {
    assert.ok(one.isPrivate);
    assert.match(one.text, /Points are resting\. Try again in a minute\./);
  }
  assert.deepEqual(await alice.types('buy', 'offer', ''), []);
  assert.equal(server.logged('the service does not answer').length, 1);
});

test('limits of a route are kept to, and a 429 is waited out', async () => {
  const server = await community(service);
  const { discord, realm } = server;
  discord.limits = [{ match: /^POST \/channels/, limit: 2, windowMs: 400 }];
  for (let index = 0; index < 5; index += 1)
    await server.offer(`offer-${index}`, { gives: { points: 1 } });
  const channel = discord.channels.get(server.link.announceChannelId ?? '') ?? [];
  await until(() => channel.length === 5);
  assert.equal(discord.requests(/^POST \/channels/).length, 5, 'none was refused');
  discord.limits = [];
  let refused = 0;
  discord.intercept = ({ path }) =>
    path.startsWith('/channels') && refused++ === 0 ? tooMany(0.3, true) : undefined;
  await server.offer('offer-6', { gives: { points: 1 } });
  await until(() => channel.length === 6);
  const [first, second] = discord.requests(/^POST \/channels/).slice(-2);
  assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 290);
  assert.ok(realm.id);
});

test('a callback that Discord does not answer is sent again, without a second answer', async () => {
  const server = await community(service);
  let failures = 0;
  server.discord.intercept = ({ path }) =>
    path.endsWith('/callback') && failures++ === 0 ? refusal(502, 0, 'Bad Gateway') : undefined;
  const alice = await server.member('Alice', 9);
  assert.match((await alice.uses('balance')).text, /9 points/);
});

test('a server without a realm, or without the app, is told what to do', async () => {
  const server = await community(service, { isStarted: false });
  server.discord.guilds.delete(server.guildId);
  server.start();
  await until(() => /invite it/.test(server.status?.guilds[0]?.problem ?? ''));
  const stranger = server.user('Stranger');
  await until(() => server.status?.state === 'ready');
  const payload = { ...stranger.command('balance'), guild_id: '41771983423143999' };
  assert.match((await stranger.sends(payload)).text, /not linked to a realm yet/);
  const alone = { ...stranger.command('balance'), guild_id: undefined, member: undefined };
  assert.match((await stranger.sends(alone)).text, /Use this in a server/);
  server.discord.guilds.set(server.guildId, []);
  server.bot?.realmsChanged();
  await until(() => server.status?.guilds[0]?.problem === undefined);
});

test('a server that the app was removed from is told so, and gets its commands back', async (t) => {
  const server = await community(service);
  const { discord, guildId } = server;
  discord.guilds.delete(guildId);
  const { now } = performance;
  let later = 0;
  t.mock.method(performance, 'now', () => now.call(performance) + later);
  const look = async (isTrue: () => boolean) => {
    later += 5 * 60_000;
    server.bot?.realmsChanged();
    await until(isTrue);
  };
  await look(() => /not in this server/.test(server.status?.guilds[0]?.problem ?? ''));
  discord.guilds.set(guildId, []);
  await look(() => (discord.guilds.get(guildId)?.length ?? 0) > 0);
  await until(() => server.status?.guilds[0]?.problem === undefined);
});
