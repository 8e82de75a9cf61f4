import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { LinkedRealm } from '../../discord/src/options.ts';
import { eventually } from '../support/eventually.ts';
import { type TestRealm, TestService } from '../support/service.ts';
import { Community } from './community.ts';
import { Discord } from './double/discord.ts';

const settingsFor = (discord: Discord, publicKey: string | null, token: string) => ({
  token,
  publicKey,
  apiUrl: discord.url,
  cdnUrl: null,
  serviceUrl: null,
  serviceKey: null,
});

export async function newDiscord(): Promise<Discord> {
  const discord = await Discord.start();
  after(async () => {
    await discord.close();
    assert.deepEqual(discord.faults, [], 'what Discord would refuse as malformed');
  });
  return discord;
}

/** A service that is the app. */
export async function serviceAt(
  discord: Discord,
  publicKey: string | null = null,
  token = discord.token,
): Promise<TestService> {
  const settings = settingsFor(discord, publicKey, token);
  const service = await TestService.start({ discord: settings });
  after(() => service.stop());
  return service;
}

let lastServer = 81_384_788_765_712_384n;

export function newServer(discord: Discord): string {
  lastServer += 1n;
  discord.guilds.set(String(lastServer), []);
  return String(lastServer);
}

/** A new server with a channel for announcements. */
export function newLink(discord: Discord): { guildId: string; announceChannelId: string } {
  const guildId = newServer(discord);
  const announceChannelId = `${guildId.slice(0, -6)}${guildId.slice(-3)}000`;
  discord.channels.set(announceChannelId, []);
  discord.channelServers.set(announceChannelId, guildId);
  return { guildId, announceChannelId };
}

export const linkTo = (realm: TestRealm, link: object | null) =>
  realm.expect(200, 'PATCH', '', { body: { settings: { discord: link } } });

/** The members of a server that is linked to a realm by its setting. */
export async function linked(
  discord: Discord,
  service: TestService,
  id: string,
): Promise<Community> {
  const realm = await service.realm(id);
  const { guildId, announceChannelId } = newLink(discord);
  await linkTo(realm, { guildId, announceChannelId });
  const link: LinkedRealm = { realmId: id, key: '', guildId, announceChannelId };
  return new Community(discord, service, realm, link);
}

export const statusOf = async (realm: TestRealm) =>
  (await realm.expect(200, 'GET', '/discord')).json;

interface Found {
  isServed: boolean;
  problem: string | null;
}

/** Until members can use the commands, and what happens from now on is announced. */
export async function areServed({ discord, service, realm, guildId }: Community): Promise<void> {
  await eventually(
    () => statusOf(realm),
    ({ state, servers }) =>
      state === 'ready' &&
      servers.length > 0 &&
      servers.every(({ isServed, problem }: Found) => isServed && problem === null),
  );
  await eventually(async () => discord.guilds.get(guildId)?.length ?? 0, Boolean);
  const note = `SELECT value FROM service WHERE name = 'discord_app:${realm.id}'`;
  await eventually(
    () => service.database.rows(note),
    (rows) => /"announced":\d/.test(JSON.stringify(rows).replaceAll('\\', '')),
  );
}
