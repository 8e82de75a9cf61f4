import assert from 'node:assert/strict';
import { after } from 'node:test';
import { type Bot, type BotOptions, type BotStatus, startBot } from '../../discord/src/index.ts';
import type { LinkedRealm } from '../../discord/src/options.ts';
import { eventually } from '../support/eventually.ts';
import type { TestRealm, TestService } from '../support/service.ts';
import { Discord } from './double/discord.ts';
import { DiscordInteraction } from './double/interaction.ts';

const MANAGE_GUILD = '32';

let nextUser = 80_351_110_224_678_000n;
let nextGuild = 41_771_983_423_143_000n;

/** Waits for what happens by itself; the test's timeout is the limit. */
export const until = (isTrue: () => boolean): Promise<boolean> =>
  eventually(async () => isTrue(), Boolean);

interface Log {
  level: string;
  message: string;
  fields: Record<string, unknown>;
}

/** Somebody in the server, who uses the app as Discord's program would. */
export class User {
  readonly #community: Pick<Community, 'discord' | 'guildId' | 'deliveries'>;
  readonly id: string;
  readonly name: string;
  permissions = '0';
  roles: string[] = [];
  locale = 'en-US';
  isBot = false;

  constructor(
    community: Pick<Community, 'discord' | 'guildId' | 'deliveries'>,
    id: string,
    name: string,
  ) {
    this.#community = community;
    this.id = id;
    this.name = name;
  }

  get user(): object {
    const name = this.name.toLowerCase();
    return {
      id: this.id,
      username: name,
      global_name: this.name,
      discriminator: '0',
      bot: this.isBot,
    };
  }

  /** What Discord sends: `data` is the command, or the button. */
  payload(type: number, data: object, more: object = {}): { id: string; token: string } {
    const { discord, guildId } = this.#community;
    const { permissions, roles } = this;
    const id = discord.newId();
    return {
      id,
      application_id: discord.applicationId,
      type,
      data,
      guild_id: guildId,
      guild: { id: guildId, locale: 'en-US', features: [] },
      channel_id: '1',
      member: { user: this.user, nick: null, roles, permissions, joined_at: '2026-01-01' },
      token: `token-${id}`,
      version: 1,
      app_permissions: '0',
      locale: this.locale,
      guild_locale: 'en-US',
      entitlements: [],
      authorizing_integration_owners: {},
      context: 0,
      attachment_size_limit: 0,
      ...more,
    } as { id: string; token: string };
  }

  command(name: string, options: Record<string, unknown> = {}, type = 2, focused = ''): object {
    const users = Object.values(options).filter((value) => value instanceof User);
    const data = {
      id: '1',
      type: 1,
      name,
      resolved: {
        users: Object.fromEntries(users.map((user) => [user.id, user.user])),
        members: Object.fromEntries(users.map(({ id }) => [id, { nick: null }])),
      },
      options: Object.entries(options).map(([option, value]) => ({
        name: option,
        type: value instanceof User ? 6 : typeof value === 'number' ? 4 : 3,
        value: value instanceof User ? value.id : value,
        ...(option === focused && { focused: true }),
      })),
    };
    return this.payload(type, data);
  }

  /** Uses a command, and waits for what it shows. */
  uses(name: string, options: Record<string, unknown> = {}): Promise<DiscordInteraction> {
    return this.sends(this.command(name, options));
  }

  /** The proposals while an option is being typed. */
  async types(
    name: string,
    option: string,
    typed: string,
  ): Promise<{ name: string; value: string }[]> {
    const { original } = await this.sends(this.command(name, { [option]: typed }, 4, option));
    return original.choices;
  }

  presses(shown: DiscordInteraction, label: string): Promise<DiscordInteraction> {
    return this.sends(this.press(shown, shown.button(label)));
  }

  press(shown: DiscordInteraction, custom_id: string): object {
    return this.payload(3, { component_type: 2, custom_id }, { message: shown.original });
  }

  /** Picks one of a list below a message. */
  picks(shown: DiscordInteraction, value: string): Promise<DiscordInteraction> {
    const { custom_id } = shown.list;
    const data = { component_type: 3, custom_id, values: [value] };
    return this.sends(this.payload(3, data, { message: shown.original }));
  }

  /** The menu of another member. */
  opens(name: string, target: User): Promise<DiscordInteraction> {
    const resolved = { users: { [target.id]: target.user }, members: { [target.id]: {} } };
    return this.sends(this.payload(2, { id: '1', type: 2, name, target_id: target.id, resolved }));
  }

  async sends(payload: object): Promise<DiscordInteraction> {
    const { discord, deliveries } = this.#community;
    const { id, token } = payload as { id: string; token: string };
    const interaction = new DiscordInteraction(id, token);
    discord.interactions.set(id, interaction);
    for (let time = 0; time < deliveries; time += 1) {
      discord.gateway.dispatch('INTERACTION_CREATE', payload);
    }
    await interaction.settled;
    return interaction;
  }
}

/** A server at the double, linked to a realm of a real service by a running bot. */
export class Community {
  readonly discord: Discord;
  readonly service: TestService;
  readonly realm: TestRealm;
  readonly guildId: string;
  readonly link: LinkedRealm;
  readonly logs: Log[] = [];
  readonly seqs = new Map<string, number>();
  status: BotStatus | undefined;
  readonly states: string[] = [];
  bot: Bot | undefined;
  /** How often each interaction is delivered. */
  deliveries = 1;

  constructor(discord: Discord, service: TestService, realm: TestRealm, link: LinkedRealm) {
    this.discord = discord;
    this.service = service;
    this.realm = realm;
    this.guildId = link.guildId;
    this.link = link;
  }

  start(changes: Partial<BotOptions> = {}): Bot {
    const bot = startBot({
      token: this.discord.token,
      apiUrl: this.discord.url,
      serviceUrl: this.service.url,
      realms: async () => [this.link],
      lastSeq: {
        read: async (realmId) => this.seqs.get(realmId) ?? null,
        write: async (realmId, seq) => void this.seqs.set(realmId, seq),
      },
      onStatus: (status) => {
        this.status = status;
        this.states.push(status.state);
      },
      log: (level, message, fields = {}) => this.logs.push({ level, message, fields }),
      ...changes,
    });
    this.bot = bot;
    return bot;
  }

  /** The bot is connected, the server has its commands, and events are followed. */
  async isReady(): Promise<void> {
    await until(() => this.status?.state === 'ready' && this.seqs.has(this.realm.id));
    await until(() => (this.discord.guilds.get(this.guildId)?.length ?? 0) > 0);
  }

  user(name: string, id?: string): User {
    nextUser += 1n;
    return new User(this, id ?? String(nextUser), name);
  }

  manager(name = 'Mona'): User {
    return Object.assign(this.user(name), { permissions: MANAGE_GUILD });
  }

  /** A user who is a member with points. */
  async member(name: string, tokens = 0): Promise<User> {
    const user = this.user(name);
    const account = { provider: 'discord', id: user.id };
    await this.realm.member(user.id, tokens, { displayName: name, accounts: [account] });
    return user;
  }

  async offer(id: string, terms: object): Promise<void> {
    const body = { id, name: id, ...terms };
    await this.realm.expect(201, 'POST', '/offers', { body });
  }

  balance(user: User): Promise<number> {
    return this.realm.balance(user.id);
  }

  /** The movements that the realm recorded. */
  async movements(): Promise<{ type: string; onBehalfOf?: string }[]> {
    return (await this.realm.expect(200, 'GET', '/transactions?limit=500')).json.items;
  }

  logged(message: string): Log[] {
    return this.logs.filter((log) => log.message === message);
  }
}

let realms = 0;

/** A server at a Discord of its own, and a realm for it; the bot is not started. */
export async function newCommunity(service: TestService, known?: TestRealm): Promise<Community> {
  const discord = await Discord.start();
  realms += 1;
  nextGuild += 1n;
  const realm = known ?? (await service.realm(`server-${realms}`));
  const link: LinkedRealm = {
    realmId: realm.id,
    key: await realm.issueKey(['write']),
    guildId: String(nextGuild),
    announceChannelId: String(nextGuild + 1_000_000n),
  };
  discord.guilds.set(link.guildId, []);
  discord.channels.set(link.announceChannelId ?? '', []);
  discord.channelServers.set(link.announceChannelId ?? '', link.guildId);
  return new Community(discord, service, realm, link);
}

/** A community whose bot is running, unless its options say otherwise. */
export async function community(
  service: TestService,
  { isStarted = true, ...options }: Partial<BotOptions> & { isStarted?: boolean } = {},
): Promise<Community> {
  const made = await newCommunity(service);
  after(async () => {
    await made.bot?.stop();
    await made.discord.close();
    assert.deepEqual(made.discord.faults, [], 'what Discord would refuse as malformed');
  });
  if (!isStarted) return made;
  made.start(options);
  await made.isReady();
  return made;
}
