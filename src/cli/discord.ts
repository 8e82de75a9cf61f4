import { readConfig } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { realmBody } from '../contract/operations/realms.ts';
import { operations } from '../contract/operations.ts';
import { ProblemError } from '../contract/problems.ts';
import type { DiscordLink } from '../domain/model.ts';
import { ServerTaken, withServer } from '../ledger/discord-servers.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { define } from './command.ts';
import { abortOf, stopSignal } from './signals.ts';
import { asCli, checkArguments, execute, requireRealm, withLedger } from './with-ledger.ts';

/** Links a realm to a server of Discord, or with null unlinks it. */
async function setServer(ledger: Ledger, realmId: string, discord: DiscordLink | null) {
  const realm = await requireRealm(ledger, realmId);
  const command = { ...asCli(realmId), type: 'realm.update' as const, settings: { discord } };
  try {
    return await withServer(ledger, realm, discord, () => execute(ledger, command));
  } catch (error) {
    if (!(error instanceof ServerTaken)) throw error;
    const { guildId, holder } = error;
    throw new ProblemError('discord-server-taken', { guildId, of: `realm "${holder}"` });
  }
}

export const linkDiscord = define({
  summary: 'Links a realm to a server of Discord.',
  notes:
    'The id of the server: in Discord, Settings, Advanced, Developer Mode; then right-click the\n' +
    'server, Copy Server ID. A running service notices within a minute.',
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
    const linked = await withLedger((ledger) => setServer(ledger, realm, link));
    print({ text: `Linked realm ${realm} to the server ${server}.`, json: realmBody(linked) });
  },
});

const FIELDS = {
  '/settings/discord/guildId': '<server>',
  '/settings/discord/announceChannelId': '--channel',
  '/settings/discord/managerRoleId': '--role',
};

export const unlinkDiscord = define({
  summary: 'Unlinks a realm from its server of Discord.',
  args: ['realm'],
  example: 'npx realmkeep discord unlink acme',
  async run({ args: { realm }, print }) {
    checkArguments(operations.getRealm, { params: { realmID: realm } });
    const unlinked = await withLedger((ledger) => setServer(ledger, realm, null));
    print({ text: `Realm ${realm} is linked to no server.`, json: realmBody(unlinked) });
  },
});

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
    await abortOf(signal);
    await app.stop();
  },
});
