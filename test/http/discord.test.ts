import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';

/** Which server of Discord is which realm. What the app does is in test/discord/. */
const service = await serviceForFile();

const link = (realm: TestRealm, discord: unknown, key = realm.key) =>
  realm.send('PATCH', '', { key, body: { settings: { discord } } });

const serverOf = async (realm: TestRealm): Promise<string | undefined> =>
  (await realm.expect(200, 'GET', '')).json.settings.discord?.guildId;

const eventsOf = async (realm: TestRealm) =>
  (await realm.expect(200, 'GET', '/events?limit=500')).json.items;

let last = 81384788765712384n;
const newServer = (): string => String(last++);

test('a realm is linked to a server, differently, and not any more', async () => {
  const realm = await service.realm('linked');
  const guildId = newServer();
  const settings = (await link(realm, { guildId })).json.settings;
  assert.deepEqual(settings.discord, { guildId, announceChannelId: null, managerRoleId: null });
  const [record] = (await eventsOf(realm)).slice(-1);
  assert.deepEqual(record.data.changed, ['discord']);
  const whole = { guildId, announceChannelId: newServer(), managerRoleId: newServer() };
  assert.deepEqual((await link(realm, whole)).json.settings.discord, whole);
  assert.equal((await link(realm, null)).json.settings.discord, null);
});

test('what is no link is refused', async () => {
  const realm = await service.realm('faulty');
  const key = await realm.issueKey(['write']);
  await changesNothing(realm, async () => {
    for (const guildId of [
      '',
      'acme',
      '0123456789012345',
      81384788765712384,
      '1'.repeat(21),
      null,
    ]) {
      assertFaults(await link(realm, { guildId }), '/settings/discord/guildId');
    }
    const other = { guildId: newServer(), announceChannelId: '#general' };
    assertFaults(await link(realm, other), '/settings/discord/announceChannelId');
    assertFaults(await link(realm, {}), '/settings/discord/guildId');
    for (const fault of [7, 'acme', true]) {
      assertFaults(await link(realm, fault), '/settings/discord');
    }
    const guildId = newServer();
    const wrong = [{ guildId }, {}, { guildId }, 'acme'];
    const places = ['1/guildId', '2/guildId', '3'].map((place) => `/settings/discord/${place}`);
    assertFaults(await link(realm, wrong), ...places);
    const many = Array.from({ length: 21 }, () => ({ guildId: newServer() }));
    assertFaults(await link(realm, many), '/settings/discord');
    assertProblem(await link(realm, null, key), 'insufficient-scope');
  });
  const body = { id: 'new', name: 'New', settings: { discord: { guildId: newServer() } } };
  assertFaults(await service.send('POST', '/api/v4/realms', { body }), '/settings/discord');
});

test('a server has one realm, and is free once it is unlinked', async () => {
  const [one, two] = [await service.realm('one'), await service.realm('two')];
  const [guildId, other] = [newServer(), newServer()];
  assert.equal((await link(one, { guildId })).status, 200);
  const refused = await changesNothing(two, () => link(two, { guildId }));
  assertProblem(refused, 'discord-server-taken', { guildId });
  assert.ok(!refused.text.includes('"one"'), 'an admin learns nothing of other realms');
  const told = { of: 'realm "one"' };
  assertProblem(await link(two, { guildId }, ROOT_KEY), 'discord-server-taken', told);
  await link(one, { guildId: other });
  assert.equal((await link(two, { guildId })).status, 200, 'it was moved to another server');
  await link(two, null);
  assert.equal((await link(one, { guildId })).status, 200);
  await service.expect(204, 'DELETE', '/api/v4/realms/one?confirm=one');
  assert.equal((await link(two, { guildId })).status, 200, 'its realm was deleted');
});

test('a realm has several servers: one is an object, more are a list', async () => {
  const [realm, other] = [await service.realm('wide'), await service.realm('narrow')];
  const servers = Array.from({ length: 20 }, () => ({
    guildId: newServer(),
    announceChannelId: newServer(),
    managerRoleId: null,
  }));
  const set = async (discord: unknown) => (await link(realm, discord)).json.settings.discord;
  assert.deepEqual(await set(servers), servers);
  const [first, second, third] = servers;
  const kept = [third, first];
  assert.deepEqual(await set(kept), kept);
  assert.equal((await link(other, second)).status, 200, 'it is free again');
  const asked = { guildId: newServer() };
  const refused = await changesNothing(realm, () => link(realm, [asked, third, second]));
  assertProblem(refused, 'discord-server-taken', { guildId: second?.guildId });
  assert.equal((await link(other, [second, asked])).status, 200, 'none was kept of what failed');
  const { json } = await realm.expect(200, 'GET', '/discord');
  assert.deepEqual(
    json.servers.map((one: { guildId: string }) => one.guildId),
    kept.map((one) => one?.guildId),
  );
  assert.deepEqual(await set([first]), first);
  assert.equal(await set([]), null);
});

test('a server that is linked and unlinked at once is held by no other realm', async () => {
  const [realm, other] = [await service.realm('hasty'), await service.realm('patient')];
  const guildId = newServer();
  for (let round = 0; round < 20; round += 1) {
    const changes = [null, { guildId }, [], { guildId }, null];
    await Promise.all(changes.map((discord) => link(realm, discord)));
    const isLinked = (await serverOf(realm)) === guildId;
    const { status } = await link(other, { guildId });
    assert.equal(status, isLinked ? 409 : 200, `round ${round}`);
    await link(other, null);
  }
});

test('of a hundred realms that link a server at once, one has it', async () => {
  const realms = await Promise.all(
    Array.from({ length: 100 }, (_, index) => service.realm(`race-${index}`)),
  );
  const guildId = newServer();
  const replies = await Promise.all(realms.map((realm) => link(realm, { guildId })));
  const taken = replies.filter(({ status }) => status === 409);
  assert.equal(taken.length, 99);
  const servers = await Promise.all(realms.map(serverOf));
  assert.equal(servers.filter((server) => server === guildId).length, 1);
});

test('a refused link leaves the server to others, and a retry changes nothing', async () => {
  const [archived, other] = [await service.realm('closed'), await service.realm('open')];
  const guildId = newServer();
  await service.expect(200, 'POST', archived.path('/archive'));
  assertProblem(await link(archived, { guildId }), 'realm-archived');
  assert.equal((await link(other, { guildId })).status, 200);
  // A retry of what was done before is answered, and does nothing.
  const headers = { 'idempotency-key': 'unlink' };
  const unlink = () =>
    other.expect(200, 'PATCH', '', { headers, body: { settings: { discord: null } } });
  await unlink();
  await link(other, { guildId });
  await unlink();
  assert.equal(await serverOf(other), guildId);
  assertProblem(await link(await service.realm('third'), { guildId }), 'discord-server-taken');
});

test('without a token there is no app, and the status says so', async () => {
  const realm = await service.realm('quiet');
  const guildId = newServer();
  await link(realm, { guildId });
  const { json } = await realm.expect(200, 'GET', '/discord');
  assert.deepEqual(json, {
    state: 'off',
    detail: null,
    since: null,
    applicationId: null,
    invitationUrl: null,
    interactions: 'gateway',
    servers: [{ guildId, isServed: false, problem: null }],
  });
  const { keys } = { keys: (await realm.expect(200, 'GET', '/keys')).json.items };
  assert.ok(keys.every(({ name }: { name: string }) => name !== 'Discord'));
  assertProblem(await service.send('POST', '/discord/interactions', { body: {} }), 'not-found');
});
