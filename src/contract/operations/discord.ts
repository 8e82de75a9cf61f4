import { defineFor, ok } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';

const define = defineFor('Realms');

const EXAMPLE_ID = '1099511627776123456';

/** To see channels and write to them, with embeds; and to give roles that offers grant. */
const PERMISSIONS = (1n << 10n) | (1n << 11n) | (1n << 14n) | (1n << 28n);

/** Where an application is added to a server. */
export const invitationOf = (applicationId: string, guildId?: string): string =>
  'https://discord.com/oauth2/authorize?' +
  new URLSearchParams({
    client_id: applicationId,
    scope: 'bot applications.commands',
    permissions: String(PERMISSIONS),
    ...(guildId && { guild_id: guildId }),
  });

export const getDiscordStatus = define({
  summary: 'Get the state of the Discord app',
  description:
    'Whether the service is connected to Discord, and what is wrong with the servers of the realm.',
  answer: ok(
    Type.Object({
      state: s.choiceOf(['off', 'connecting', 'ready', 'waiting', 'refused', 'stopped'], {
        description:
          '`off`: `DISCORD_TOKEN` is not set. `ready`: members can use its commands. `refused`: ' +
          'Discord refuses the token or the application; the operator has to correct that. ' +
          '`waiting`: for another process that has stopped.',
        examples: ['ready'],
      }),
      detail: s.nullable(s.text('Why, in words.')),
      since: s.InstantOrNull,
      applicationId: s.nullable(s.text('The application, once Discord has told it.', EXAMPLE_ID)),
      invitationUrl: s.nullable(
        s.text(
          'Where the app is added to a server: to the first that has a problem, or to any.',
          invitationOf(EXAMPLE_ID),
        ),
      ),
      interactions: s.choiceOf(['gateway', 'http'], {
        description: 'How members’ commands arrive.',
        examples: ['gateway'],
      }),
      servers: Type.Array(
        Type.Object({
          guildId: s.text('Its id.', '81384788765712384'),
          isServed: s.flag('Whether the app is connected, and knows it.', true),
          problem: s.nullable(s.text('What somebody has to do about it.')),
        }),
        { description: 'The servers that the realm is linked to.' },
      ),
    }),
    { detail: null },
  ),
});
