import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceForFile } from '../support/service.ts';
import { community, until } from './community.ts';

const service = await serviceForFile();

test('heartbeats go on, also when Discord asks for one', async () => {
  const { discord } = await community(service);
  const { seen } = discord.gateway;
  await until(() => seen.heartbeats >= 3);
  discord.gateway.heartbeatMs = 60_000;
  discord.gateway.askToReconnect();
  await until(() => seen.resumes >= 1 && discord.gateway.isConnected);
  const before = seen.heartbeats;
  discord.gateway.askForHeartbeat();
  await until(() => seen.heartbeats > before);
  assert.equal(seen.identifies, 1);
});

test('frames that arrive in pieces are put together', async () => {
  const server = await community(service);
  server.discord.gateway.isFragmenting = true;
  const alice = await server.member('Алиса 🦊', 5);
  assert.match((await alice.uses('balance')).text, /5 points/);
});

test('a lost connection is resumed, and what happened meanwhile is answered', async () => {
  const server = await community(service);
  const { gateway } = server.discord;
  const alice = await server.member('Alice', 50);
  const bob = await server.member('Bob');
  gateway.drop();
  const shown = await alice.uses('give', { member: bob, amount: 20 });
  // Nobody knew whether it was still waited for: that was asked first.
  assert.ok(shown.wasDeferred);
  assert.match(shown.text, /\*\*20 points\*\*/);
  assert.equal(gateway.seen.identifies, 1);
  assert.ok(gateway.seen.resumes > 0);
  assert.equal(await server.balance(bob), 20);
});

test('what nobody waits for any more is not carried out: its member has tried again', async () => {
  const server = await community(service);
  const alice = await server.member('Alice', 50);
  const bob = await server.member('Bob');
  server.discord.gateway.drop();
  const late = alice.sends(alice.command('give', { member: bob, amount: 20 }));
  for (const interaction of server.discord.interactions.values()) interaction.deadlineMs = -1;
  await until(() => server.discord.requests(/\/callback$/).length > 0);
  await alice.uses('give', { member: bob, amount: 20 });
  assert.equal(await server.balance(bob), 20);
  assert.equal(server.logged('an interaction was not answered').length, 1);
  late.catch(() => {});
});

test('an invalid session is resumed if it can be, and otherwise a new one begins', async () => {
  const server = await community(service);
  const { gateway } = server.discord;
  const lasts = async () => {
    const before = gateway.seen.heartbeats;
    await until(() => gateway.seen.heartbeats > before + 1);
  };
  await lasts();
  gateway.invalidate(true);
  await until(() => gateway.seen.resumes >= 1 && gateway.isConnected);
  await lasts();
  gateway.invalidate(false);
  await until(() => gateway.seen.identifies === 2);
  await lasts();
  gateway.drop(4009);
  await until(() => gateway.seen.identifies === 3 && gateway.isConnected);
  assert.equal(gateway.seen.resumes, 1);
  const alice = await server.member('Alice', 3);
  assert.match((await alice.uses('balance')).text, /3 points/);
});

test('a connection without acknowledgements is given up, and its session resumed', async () => {
  const server = await community(service);
  const { gateway } = server.discord;
  gateway.acknowledges = false;
  await until(() => gateway.seen.resumes >= 1);
  gateway.acknowledges = true;
  // Neither 1000 nor 1001, which would have ended the session.
  assert.ok(gateway.seen.closes.every((code) => code !== 1000 && code !== 1001));
  const alice = await server.member('Alice', 3);
  assert.match((await alice.uses('balance')).text, /3 points/);
  assert.equal(gateway.seen.identifies, 1);
});

for (const code of [4004, 4014]) {
  test(`closed with ${code}, the app does not try again, and says so`, async () => {
    const server = await community(service, { isStarted: false });
    server.discord.gateway.refusesWith = code;
    server.start();
    await until(() => server.status?.state === 'refused');
    assert.match(server.status?.detail ?? '', /Discord refuses/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(server.discord.gateway.seen.connections, 1);
    assert.equal(server.logs.filter(({ level }) => level === 'error').length, 1);
  });
}

test('a token that REST refuses is sent once', async () => {
  const server = await community(service, { isStarted: false });
  server.start({ token: 'wrong' });
  await until(() => server.status?.state === 'refused');
  server.bot?.realmsChanged();
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(server.discord.sent.length, 1);
  assert.match(server.status?.detail ?? '', /refuses the token/);
  await server.bot?.stop();
  assert.equal(server.status?.state, 'refused');
});

test('a day without new sessions is waited for, not fought', async () => {
  const server = await community(service, { isStarted: false });
  server.discord.sessionsLeft = 0;
  server.start();
  await until(() => server.logged('no new sessions are left for today').length === 1);
  assert.equal(server.discord.gateway.seen.connections, 0);
});

test('a stop says goodbye, and answers what was asked before', async () => {
  let calls = 0;
  const counting: typeof fetch = (url, init) => {
    calls += String(url).includes('/members') ? 1 : 0;
    return fetch(url, init);
  };
  const server = await community(service, { fetch: counting as never });
  const alice = await server.member('Alice', 3);
  const shown = alice.uses('balance');
  await until(() => calls > 0);
  await server.bot?.stop();
  await until(() => server.discord.gateway.seen.closes.length === 1);
  assert.deepEqual(server.discord.gateway.seen.closes, [1000]);
  assert.equal(server.status?.state, 'stopped');
  assert.match((await shown).text, /3 points/);
});
