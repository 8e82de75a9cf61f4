import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { test } from 'node:test';
import type { LinkedRealm } from '../../discord/src/options.ts';
import { assertProblem } from '../support/checks.ts';
import { eventually } from '../support/eventually.ts';
import type { TestRealm, TestService } from '../support/service.ts';
import { Community } from './community.ts';
import {
  areServed,
  linked,
  linkTo,
  newDiscord,
  newLink,
  newServer,
  serviceAt,
  statusOf,
} from './served.ts';

/** The service as the app: what its thread, its keys and its settings do. */
interface Key {
  id: string;
  name: string;
  scopes: string[];
}

const appKeysOf = async (realm: TestRealm): Promise<Key[]> =>
  (await realm.expect(200, 'GET', '/keys')).json.items.filter(
    ({ name }: Key) => name === 'Discord',
  );

const channelOf = ({ discord, link }: Community) =>
  discord.channels.get(link.announceChannelId ?? '') ?? [];

test('a linked server has its commands, by a key that the realm can see', async () => {
  const discord = await newDiscord();
  const service = await serviceAt(discord);
  const acme = await linked(discord, service, 'acme');
  await areServed(acme);
  const [key, ...others] = await appKeysOf(acme.realm);
  assert.deepEqual([key?.scopes, others], [['write'], []]);
  const status = await statusOf(acme.realm);
  assert.deepEqual([status.state, status.interactions], ['ready', 'gateway']);
  assert.equal(status.applicationId, discord.applicationId);
  assert.match(status.invitationUrl, new RegExp(`client_id=${discord.applicationId}`));
  const [alice, bob] = [await acme.member('Alice', 100), await acme.member('Bob')];
  const shown = await alice.uses('give', { member: bob, amount: 30 });
  assert.equal(shown.isPrivate, false);
  assert.deepEqual([await acme.balance(alice), await acme.balance(bob)], [70, 30]);
  const [movement] = (await acme.realm.expect(200, 'GET', '/transactions?limit=1')).json.items;
  assert.deepEqual(
    [movement.actor, movement.onBehalfOf],
    [`key:${key?.id}`, `discord:${alice.id}`],
  );
  assert.deepEqual(service.errors(), []);
  assert.ok(!service.logs.some((line) => line.includes(discord.token)), 'the token is in no log');
});

test('what is linked differently is served differently, and a key follows its link', async () => {
  const discord = await newDiscord();
  const service = await serviceAt(discord);
  const acme = await linked(discord, service, 'acme');
  await areServed(acme);
  const [first] = await appKeysOf(acme.realm);
  await acme.realm.expect(204, 'DELETE', `/keys/${first?.id}`);
  const guildId = newServer(discord);
  await linkTo(acme.realm, { guildId });
  const ofNew = Object.assign(Object.create(acme), { guildId });
  await areServed(ofNew);
  const [second] = await appKeysOf(acme.realm);
  assert.notEqual(second?.id, first?.id, 'one that was revoked is replaced');
  await linkTo(acme.realm, null);
  assert.deepEqual(await appKeysOf(acme.realm), [], 'its key is revoked with the last server');
  assert.deepEqual((await statusOf(acme.realm)).servers, []);
  await linkTo(acme.realm, { guildId });
  await areServed(ofNew);
  assert.equal((await appKeysOf(acme.realm)).length, 1);
});

/** Until the app knows that a server was unlinked, which the status of the realm says at once. */
const isForgotten = ({ service, guildId }: Community) =>
  eventually(
    () => service.database.rows(`SELECT value FROM service WHERE name = 'discord_status'`),
    (rows) => !JSON.stringify(rows).includes(guildId),
  );

test('each of several servers has its own channel and managers', async () => {
  const discord = await newDiscord();
  const service = await serviceAt(discord);
  const here = await linked(discord, service, 'acme');
  const { realm } = here;
  const managerRoleId = '81384788765712999';
  const second = { ...newLink(discord), managerRoleId };
  const first = { guildId: here.guildId, announceChannelId: here.link.announceChannelId };
  await linkTo(realm, [first, second]);
  await areServed(here);
  const link: LinkedRealm = { realmId: realm.id, key: '', ...second };
  const there = new Community(discord, service, realm, link);
  const [alice, bob] = [await here.member('Alice', 50), there.user('Bob')];
  await there.manager().uses('award', { member: bob, amount: 5 });
  await alice.uses('give', { member: bob, amount: 20 });
  assert.equal(await here.balance(bob), 25, 'one realm, whichever server it is');
  for (const [server, sentence] of [
    [here, /Only managers/],
    [there, /was awarded/],
  ] as const) {
    const helper = Object.assign(server.user('Helper'), { roles: [managerRoleId] });
    assert.match((await helper.uses('award', { member: bob, amount: 1 })).text, sentence);
  }
  await here.offer('hat', { costs: { points: 5 } });
  for (const server of [here, there]) {
    await eventually(async () => channelOf(server).length, Boolean);
  }
  const keys = await appKeysOf(realm);
  assert.equal(keys.length, 1);
  await linkTo(realm, [second]);
  assert.deepEqual((await realm.expect(200, 'GET', '')).json.settings.discord, second);
  await areServed(there);
  await isForgotten(here);
  assert.deepEqual(await appKeysOf(realm), keys, 'one server is left');
  await here.offer('cap', { costs: { points: 5 } });
  await eventually(
    async () => channelOf(there).length,
    (count) => count === 2,
  );
  assert.equal(channelOf(here).length, 1, 'the other one hears no more');
});

test('a restart makes no key, connects again, and announces nothing twice', async () => {
  const discord = await newDiscord();
  const service = await serviceAt(discord);
  const acme = await linked(discord, service, 'acme');
  await areServed(acme);
  const announced = (count: number) =>
    eventually(
      async () => channelOf(acme).length,
      (n) => n >= count,
    );
  await acme.offer('hat', { costs: { points: 5 } });
  await announced(1);
  await acme.offer('cap', { costs: { points: 5 } });
  await announced(2);
  const ids = async () => (await appKeysOf(acme.realm)).map(({ id }) => id);
  const keys = await ids();
  await service.down();
  await service.up();
  await areServed(acme);
  await acme.offer('scarf', { costs: { points: 5 } });
  await announced(3);
  const texts = channelOf(acme).map(({ body }) => JSON.stringify(body));
  for (const name of ['hat', 'cap', 'scarf']) {
    assert.equal(texts.filter((text) => text.includes(name)).length, 1, name);
  }
  assert.deepEqual(await ids(), keys);
});

test('a token that Discord refuses is said once, and all else goes on', async () => {
  const discord = await newDiscord();
  const service = await serviceAt(discord, null, 'a.token-that-was-reset');
  const acme = await linked(discord, service, 'acme');
  const status = await eventually(
    () => statusOf(acme.realm),
    ({ state }) => state === 'refused',
  );
  assert.match(status.detail, /refuses the token/);
  assert.deepEqual(status.servers, [{ guildId: acme.guildId, isServed: false, problem: null }]);
  const asked = discord.sent.length;
  await acme.realm.member('42', 100);
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  assert.equal(discord.sent.length, asked, 'it does not ask again');
  assert.equal(service.errors().length, 1);
  await acme.realm.expect(200, 'GET', '/members/42');
});

/** Keys of an application, and a way to send what Discord would sign by them. */
function application(service: () => TestService) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const hex = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
  const now = () => String(Math.floor(Date.now() / 1_000));
  const send = (body: object | string, timestamp = now(), key: KeyObject = privateKey) => {
    const raw = typeof body === 'string' ? body : JSON.stringify(body);
    const signature = sign(null, Buffer.from(timestamp + raw), key).toString('hex');
    return post(raw, timestamp, signature);
  };
  const post = (raw: string, timestamp: string, signature: string) =>
    service().send('POST', '/discord/interactions', {
      key: null,
      raw,
      headers: { 'x-signature-timestamp': timestamp, 'x-signature-ed25519': signature },
    });
  return { hex, now, send, post };
}

test('over HTTP, only what Discord has signed just now is answered', async () => {
  const discord = await newDiscord();
  let service: TestService | undefined;
  const app = application(() => service ?? assert.fail());
  service = await serviceAt(discord, app.hex);
  const pong = await app.send({ type: 1 });
  assert.deepEqual([pong.status, pong.json], [200, { type: 1 }]);
  const { privateKey: other } = generateKeyPairSync('ed25519');
  const seconds = Number(app.now());
  const refused = [
    await app.send({ type: 1 }, app.now(), other),
    await app.send({ type: 1 }, String(seconds - 400)),
    await app.send({ type: 1 }, String(seconds + 400)),
    await app.send({ type: 1 }, 'now'),
    await app.post('{"type":1}', app.now(), ''),
    await app.post('{"type":1}', app.now(), 'ab'.repeat(64)),
    await service.send('POST', '/discord/interactions', { raw: '{"type":1}' }),
  ];
  for (const reply of refused) assertProblem(reply, 'unauthorized');
  assertProblem(await app.send('x'.repeat(300_000)), 'body-too-large');
  for (const text of ['"x"', 'null', '[]', '7', '{', '']) {
    assertProblem(await app.send(text), 'malformed-json');
  }
  assertProblem(await service.send('GET', '/discord/interactions'), 'method-not-allowed');
});

test('over HTTP, a command is answered, and a replay has no second effect', async () => {
  const discord = await newDiscord();
  let service: TestService | undefined;
  const app = application(() => service ?? assert.fail());
  service = await serviceAt(discord, app.hex);
  const acme = await linked(discord, service, 'acme');
  await areServed(acme);
  assert.equal((await statusOf(acme.realm)).interactions, 'http');
  const [alice, bob] = [await acme.member('Alice', 100), await acme.member('Bob')];
  const gift = alice.command('give', { member: bob, amount: 30 });
  const replies = [];
  for (let time = 0; time < 3; time++) replies.push(await app.send(gift));
  for (const { status, json } of replies) assert.deepEqual([status, json.type], [200, 4]);
  assert.deepEqual([await acme.balance(alice), await acme.balance(bob)], [70, 30]);
  const unlinkedServer = { ...gift, id: discord.newId(), guild_id: newServer(discord) };
  assert.equal((await app.send(unlinkedServer)).status, 200, 'told that it is not linked');
});
