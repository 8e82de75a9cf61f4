import { readConfig } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { realmBody } from '../contract/operations/realms.ts';
import { operations } from '../contract/operations.ts';
import { ProblemError } from '../contract/problems.ts';
import type { DiscordLink, Realm } from '../domain/model.ts';
import { linksOf, MAX_SERVERS, settingOf } from '../domain/rules/discord-links.ts';
import { ServerTaken, withServers } from '../ledger/discord-notes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { define, UsageError } from './command.ts';
import { abortOf, stopSignal } from './signals.ts';
import { asCli, checkArguments, execute, requireRealm, withLedger } from './with-ledger.ts';

type Change = (links: DiscordLink[]) => DiscordLink[];

/** Changes which servers of Discord a realm has. */
async function changeServers(ledger: Ledger, realmId: string, change: Change) {
  const realm = await requireRealm(ledger, realmId);
  const links = change(linksOf(realm.settings.discord));
  const settings = { discord: settingOf(links) };
  const command = { ...asCli(realmId), type: 'realm.update' as const, settings };
  try {
    return await withServers(ledger, realm, links, () => execute(ledger, command));
  } catch (error) {
    if (!(error instanceof ServerTaken)) throw error;
    const { guildId, holder } = error;
    throw new ProblemError('discord-server-taken', { guildId, of: `realm "${holder}"` });
  }
}

const serversOf = ({ settings }: Realm): string[] =>
  linksOf(settings.discord).map(({ guildId }) => guildId);

const NO_TOKEN =
  '\nDISCORD_TOKEN is not set here. Where the service runs, set it to the token of your bot,\n' +
  'and start the service again: docs/discord.md says how in ten steps.';

export const linkDiscord = define({
  summary: 'Links a realm to one more server of Discord.',
  notes:
    'The id of the server: in Discord, Settings, Advanced, Developer Mode; then right-click the\n' +
    'server, Copy Server ID. A running service notices within a minute. To change channel and\n' +
    'role, link the server again.',
  args: ['realm', 'server'],
  options: {
    channel: { value: '<id>', help: 'Where gifts, draws and new offers are announced.' },
    role: { value: '<id>', help: 'Whose bearers manage points, as who may manage the server.' },
  },
  example: 'npx realmkeep discord link acme 81384788765712384',
  async run({ args: { realm, server }, values: { channel, role }, print }) {
    const link = {
      guildId: server,
      announceChannelId: channel ?? null,
      managerRoleId: role ?? null,
    };
    const body = { settings: { discord: link } };
    checkArguments(operations.updateRealm, { params: { realmID: realm }, body }, FIELDS);
    const linked = await withLedger((ledger) =>
      changeServers(ledger, realm, (links) => withLink(links, link)),
    );
    const { length } = serversOf(linked);
    const all = length > 1 ? ` It has ${length} servers.` : '';
    const next = readConfig().discord.token === null ? NO_TOKEN : '';
    const text = `Linked realm ${realm} to the server ${server}.${all}${next}`;
    print({ text, json: realmBody(linked) });
  },
});

const FIELDS = {
  '/settings/discord/guildId': '<server>',
  '/settings/discord/announceChannelId': '--channel',
  '/settings/discord/managerRoleId': '--role',
};

/** In place of what the server was linked by before. */
function withLink(links: DiscordLink[], link: DiscordLink): DiscordLink[] {
  const index = links.findIndex(({ guildId }) => guildId === link.guildId);
  if (index >= 0) return links.with(index, link);
  if (links.length < MAX_SERVERS) return [...links, link];
  throw new UsageError(`A realm has at most ${MAX_SERVERS} servers. Unlink another one first.`);
}

export const unlinkDiscord = define({
  summary: 'Unlinks a realm from one or more servers of Discord.',
  args: ['realm'],
  rest: 'server',
  example: 'npx realmkeep discord unlink acme 81384788765712384',
  async run({ args: { realm }, rest, print }) {
    checkArguments(operations.getRealm, { params: { realmID: realm } });
    const unlinked = await withLedger((ledger) =>
      changeServers(ledger, realm, (links) => withoutLinks(links, rest)),
    );
    const left = serversOf(unlinked).join(', ') || 'no server';
    print({ text: `Realm ${realm} is linked to ${left}.`, json: realmBody(unlinked) });
  },
});

function withoutLinks(links: DiscordLink[], servers: string[]): DiscordLink[] {
  const ids = links.map(({ guildId }) => guildId);
  if (servers.length === 0 && links.length > 1) {
    throw new UsageError(`Name the servers to unlink. The realm has ${ids.join(', ')}.`);
  }
  const other = servers.find((server) => !ids.includes(server));
  if (other !== undefined) throw new UsageError(`The realm is not linked to server ${other}.`);
  return servers.length === 0 ? [] : links.filter(({ guildId }) => !servers.includes(guildId));
}

export const runDiscord = define({
  summary: 'Runs the Discord app by itself, for a service elsewhere.',
  notes:
    'A service with DISCORD_TOKEN is the app already. This needs DISCORD_TOKEN, REALMKEEP_URL\n' +
    'and REALMKEEP_KEY: a key with the scope write of one realm, or the root key for all. Run\n' +
    'one of it. Logs go to stderr. SIGTERM or Ctrl-C stops it.',
  options: {
    state: { value: '<file>', help: 'Notes what was announced. Default: discord-state.json.' },
  },
  example: 'REALMKEEP_URL=https://points.example.com npx realmkeep discord',
  async run({ values: { state = 'discord-state.json' }, print }) {
    const { token, apiUrl, serviceUrl, serviceKey } = readConfig().discord;
    const needed = { DISCORD_TOKEN: token, REALMKEEP_URL: serviceUrl, REALMKEEP_KEY: serviceKey };
    const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
    if (!token || !serviceUrl || !serviceKey) {
      throw new OperatorError('settings-missing', `Set ${missing.join(' and ')}.`);
    }
    const { NotUsable, RemoteDiscord } = await import('../discord/remote.ts');
    const signal = stopSignal();
    const log = ({ level, message, fields }: { level: string; message: string; fields: object }) =>
      process.stderr.write(
        `${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg: message })}\n`,
      );
    const parts = { token, apiUrl, serviceUrl, key: serviceKey, stateFile: state, log };
    const app = new RemoteDiscord(parts);
    const realms = await app.start().catch((error) => {
      throw error instanceof NotUsable
        ? new OperatorError('service-unusable', error.message)
        : error;
    });
    const text =
      realms.length === 0
        ? 'No realm is linked to a server yet: docs/discord.md says how.'
        : `The Discord app works for ${realms.join(', ')} at ${serviceUrl}.`;
    print({ text, json: { realms } });
    const refused = await Promise.race([abortOf(signal), app.refused]);
    await app.stop();
    if (refused) throw new OperatorError('key-unusable', refused);
  },
});
