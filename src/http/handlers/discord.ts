import { invitationOf } from '../../contract/operations/summaries.ts';
import { linksOf } from '../../domain/rules/discord-links.ts';
import { type Handler, realmOf } from '../calls.ts';

export const getDiscordStatus: Handler<'getDiscordStatus'> = async (call) => {
  const { discord, discordStatus } = call.services;
  const [realm, status] = await Promise.all([realmOf(call), discordStatus()]);
  const servers = linksOf(realm.settings.discord).map(({ guildId }) => {
    const known = status?.guilds.find((guild) => guild.guildId === guildId);
    const isServed = status?.state === 'ready' && known !== undefined;
    return { guildId, isServed, problem: known?.problem ?? null };
  });
  const troubled = servers.find(({ problem }) => problem !== null);
  if (troubled) discord?.recheck();
  const applicationId = status?.applicationId ?? null;
  return {
    body: {
      state: status?.state ?? (discord ? 'connecting' : 'off'),
      detail: status?.detail ?? null,
      since: status?.since ?? null,
      applicationId,
      invitationUrl: applicationId && invitationOf(applicationId, troubled?.guildId),
      interactions: discord?.publicKey ? 'http' : 'gateway',
      servers,
    },
  };
};
