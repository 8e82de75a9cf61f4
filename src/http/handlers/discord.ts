import { invitationOf } from '../../contract/operations/discord.ts';
import { type Handler, realmOf } from '../calls.ts';

export const getDiscordStatus: Handler<'getDiscordStatus'> = async (call) => {
  const { discord, discordStatus } = call.services;
  const [realm, status] = await Promise.all([realmOf(call), discordStatus()]);
  const guildId = realm.settings.discord?.guildId;
  const known = status?.guilds.find((guild) => guild.guildId === guildId);
  if (known?.problem) discord?.recheck();
  const applicationId = status?.applicationId ?? null;
  return {
    body: {
      state: status?.state ?? (discord ? 'connecting' : 'off'),
      detail: status?.detail ?? null,
      since: status?.since ?? null,
      applicationId,
      invitationUrl: applicationId && invitationOf(applicationId, guildId),
      interactions: discord?.publicKey ? 'http' : 'gateway',
      server:
        guildId === undefined
          ? null
          : { guildId, isServed: known !== undefined, problem: known?.problem ?? null },
    },
  };
};
