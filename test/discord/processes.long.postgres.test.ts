import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Cli } from '../cli/cli.ts';
import { eventually } from '../support/eventually.ts';
import type { Program } from '../support/program.ts';
import { ROOT_KEY, TestService } from '../support/service.ts';
import { areServed, linked, newDiscord, newServer } from './served.ts';

/** Several processes of a service are one app, and the app by itself is a program. */
const TAKEOVER_MS = 15_000;

/** Processes of `serve` on one database, and a service without a token to look at it. */
async function processes(t: TestContext) {
  const discord = await newDiscord();
  const cli = new Cli(t, {
    ROOT_KEY,
    SECRET_KEY: ROOT_KEY,
    RATE_LIMIT: 'off',
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.url,
  });
  const service = await TestService.start({}, {}, cli.database);
  t.after(() => service.stop());
  const serve = async (): Promise<Program> => {
    const program = cli.start(['serve', '--json']);
    assert.ok((await program.firstObject()).url, program.stderr);
    return program;
  };
  const acme = await linked(discord, service, 'acme');
  return { discord, cli, acme, serve };
}

test('if the process that is connected is killed, another one takes over', async (t) => {
  const { discord, acme, serve } = await processes(t);
  const first = await serve();
  await areServed(acme);
  const second = await serve();
  const [alice, bob] = [await acme.member('Alice', 100), await acme.member('Bob')];
  await alice.uses('give', { member: bob, amount: 10 });
  assert.equal(discord.gateway.seen.identifies, 1, 'one of the two is connected');
  first.kill();
  const killedAt = performance.now();
  await eventually(
    async () => discord.gateway.seen.identifies,
    (count) => count === 2,
  );
  const tookMs = performance.now() - killedAt;
  t.diagnostic(`took over after ${Math.round(tookMs)} ms`);
  assert.ok(tookMs < TAKEOVER_MS, `${tookMs} ms`);
  await eventually(async () => discord.gateway.isConnected, Boolean);
  await alice.uses('give', { member: bob, amount: 10 });
  assert.deepEqual([await acme.balance(alice), await acme.balance(bob)], [80, 20]);
  // One that stops makes room at once.
  const third = await serve();
  second.child.kill('SIGTERM');
  assert.equal((await second.ended).code, 0);
  await eventually(
    async () => discord.gateway.seen.identifies,
    (count) => count === 3,
  );
  await eventually(async () => discord.gateway.isConnected, Boolean);
  assert.ok((await bob.uses('balance')).original);
  third.child.kill('SIGTERM');
  assert.equal((await third.ended).code, 0);
});

test('the app by itself works with a key of the realm', async (t) => {
  const { discord, cli, acme } = await processes(t);
  const env = {
    REALMKEEP_URL: acme.service.url,
    REALMKEEP_KEY: await acme.realm.issueKey(['write']),
  };
  const start = () => cli.start(['discord'], env);
  let app = start();
  await app.says(/The Discord app works for acme at http/);
  await eventually(async () => discord.guilds.get(acme.guildId)?.length ?? 0, Boolean);
  const [alice, bob] = [await acme.member('Alice', 100), await acme.member('Bob')];
  await alice.uses('give', { member: bob, amount: 10 });
  assert.equal(await acme.balance(bob), 10);
  const channel = () => discord.channels.get(acme.link.announceChannelId ?? '') ?? [];
  const announced = (count: number) =>
    eventually(
      async () => channel().length,
      (n) => n >= count,
    );
  await acme.offer('hat', { costs: { points: 5 } });
  await announced(1);
  app.child.kill('SIGTERM');
  assert.equal((await app.ended).code, 0);
  await acme.offer('cap', { costs: { points: 5 } });
  app = start();
  await announced(2);
  assert.equal(channel().length, 2, 'what happened meanwhile is announced, and nothing twice');
  app.child.kill('SIGTERM');
  await app.ended;
  const reader = await acme.realm.issueKey(['read']);
  const wrong: [Record<string, string>, RegExp][] = [
    [{}, /Set REALMKEEP_URL and REALMKEEP_KEY\./],
    [{ ...env, DISCORD_TOKEN: '' }, /Set DISCORD_TOKEN\./],
    [{ ...env, REALMKEEP_KEY: `${env.REALMKEEP_KEY}x` }, /refuses REALMKEEP_KEY: The API key/],
    [{ ...env, REALMKEEP_KEY: reader }, /REALMKEEP_KEY needs the scope "write"/],
    [{ ...env, REALMKEEP_URL: 'http://127.0.0.1:1' }, /no answer from http:\/\/127\.0\.0\.1:1\./],
    [{ ...env, REALMKEEP_URL: discord.url }, /Check REALMKEEP_URL|refuses/],
    [{ ...env, DISCORD_TOKEN: 'a.token-that-was-reset' }, /Discord refuses the token\. Reset it/],
  ];
  for (const [changes, sentence] of wrong) {
    const ended = await cli.start(['discord'], changes).ended;
    assert.equal(ended.code, 1, ended.stdout);
    assert.match(ended.stderr, sentence);
  }
});

test('the command line links and unlinks, and refuses what another realm has', async (t) => {
  const { cli, acme, serve } = await processes(t);
  await acme.service.realm('other');
  const run = (...args: string[]) => cli.start(['discord', ...args]).ended;
  const taken = await run('link', 'other', acme.guildId);
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, /is linked to realm "acme"\. Unlink it there first\./);
  assert.match((await run('link', 'other', 'general')).stderr, /<server> must be an id of Discord/);
  await serve();
  await areServed(acme);
  const keys = async () => (await acme.realm.expect(200, 'GET', '/keys')).text;
  assert.match(await keys(), /"Discord"/);
  assert.match((await run('unlink', 'acme')).stdout, /Realm acme is linked to no server\./);
  assert.doesNotMatch(await keys(), /"Discord"/, 'revoked by whoever unlinks');
  const linkedAgain = await run('link', 'other', acme.guildId, '--role', '81384788765712999');
  assert.match(linkedAgain.stdout, /Linked realm other to the server \d+\.\n$/);
  const second = newServer(acme.discord);
  const withoutToken = await cli.start(['discord', 'link', 'other', second], { DISCORD_TOKEN: '' })
    .ended;
  assert.match(withoutToken.stdout, /It has 2 servers\.\nDISCORD_TOKEN is not set here\./);
  assert.match((await run('unlink', 'other')).stderr, /Name the servers to unlink\./);
  assert.match((await run('unlink', 'other', '7')).stderr, /not linked to server 7\./);
  const left = new RegExp(`Realm other is linked to ${second}\\.`);
  assert.match((await run('unlink', 'other', acme.guildId)).stdout, left);
});
