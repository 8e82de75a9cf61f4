import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LinkedRealm } from '../../discord/src/options.ts';
import { serviceForFile } from '../support/service.ts';
import { type Community, community, until } from './community.ts';
import { newServer } from './served.ts';

const service = await serviceForFile();

/** A community whose links can be changed, and another server beside its first one. */
async function twoServers() {
  const server = await community(service, { isStarted: false });
  const other = newServer(server.discord);
  const links: LinkedRealm[] = [
    server.link,
    { ...server.link, guildId: other, announceChannelId: null },
  ];
  let asked = 0;
  server.start({
    realms: async () => {
      asked += 1;
      return structuredClone(links);
    },
  });
  await server.isReady();
  await until(() => server.status?.guilds.length === 2);
  const link = async (...changed: LinkedRealm[]): Promise<void> => {
    const before = asked;
    links.splice(1, 1, ...changed);
    server.bot?.realmsChanged();
    await until(() => asked > before);
  };
  return { server, other, link };
}

const problemOf = ({ status }: Community, guildId: string): string | undefined =>
  status?.guilds.find((guild) => guild.guildId === guildId)?.problem;

const vip = async (server: Community, roleId: string): Promise<void> => {
  await server.offer(`r${roleId}`, { gives: { points: 1 }, metadata: { discordRoleId: roleId } });
  await (await server.member('Alice')).uses('claim', { offer: `r${roleId}` });
};

test('a role is given in the server that has it, and is no problem of another', async () => {
  const { server, other } = await twoServers();
  const { discord, guildId } = server;
  const [own, mod] = ['900000000000000081', '900000000000000082'];
  discord.roleServers.set(own, guildId).set(mod, guildId);
  discord.protectedRoles.add(mod);
  // The app may manage no roles in the other one, which Discord says first.
  discord.intercept = ({ path }) =>
    path.startsWith(`/guilds/${other}/members`)
      ? { status: 403, body: { code: 50013, message: 'Missing Permissions' } }
      : undefined;
  await vip(server, mod);
  await until(() => /may not give the role/.test(problemOf(server, guildId) ?? ''));
  await vip(server, own);
  await until(() => [...discord.roles].some((name) => name.endsWith(own)));
  assert.match(
    problemOf(server, guildId) ?? '',
    new RegExp(mod),
    'what is wrong with another stays',
  );
  assert.doesNotMatch(problemOf(server, other) ?? '', new RegExp(own));
  discord.protectedRoles.clear();
  await (await server.member('Bob')).uses('claim', { offer: `r${mod}` });
  await until(() => server.status?.guilds.every(({ problem }) => !problem) ?? false);
});

test('what was wrong with a server is told no more once it is linked differently', async () => {
  const { server, other, link } = await twoServers();
  const wrong = { ...server.link, guildId: other };
  const right = { ...wrong, announceChannelId: null };
  const isTold = () => /in another server/.test(problemOf(server, other) ?? '');
  await link(wrong);
  await server.offer('one', { gives: { points: 1 } });
  await until(isTold);
  await link(right);
  await until(() => !isTold());
  await link(wrong);
  await server.offer('two', { gives: { points: 1 } });
  await until(isTold);
  await link();
  await until(() => server.status?.guilds.length === 1);
  await link(right);
  await until(() => server.status?.guilds.length === 2);
  assert.equal(problemOf(server, other), undefined);
});
