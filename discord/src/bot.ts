import type {
  APIInteraction,
  APIInteractionResponse,
  RESTPutAPIApplicationGuildCommandsJSONBody,
} from 'discord-api-types/v10';
import { definitionsFor } from './commands/index.ts';
import { Follower, type Topic } from './follower.ts';
import { Gateway, type GatewayInfo } from './gateway.ts';
import { Interactions } from './interactions.ts';
import type { Bot, BotOptions, BotStatus, LinkedRealm } from './options.ts';
import { Realms } from './realms.ts';
import { Responder } from './responder.ts';
import { DiscordError, pause, Rest } from './rest.ts';
import { sameCommands } from './same-commands.ts';

const DISCORD = 'https://discord.com/api/v10';
const LEASE_MS = 2_000;
const REFRESH_MS = 60_000;
const REFUSED = 'Discord refuses the token. Copy it again from the page Bot of the application.';
const NOT_INVITED = 'The app is not in this server: invite it, and allow it to add commands.';

/** Everything that runs between Discord and the service. */
export class DiscordBot implements Bot {
  readonly #options: BotOptions;
  readonly #rest: Rest;
  readonly #realms: Realms;
  readonly #interactions: Interactions;
  readonly #followers = new Map<string, Follower>();
  readonly #problems = new Map<string, Map<Topic | 'commands', string>>();
  /** The commands that each server has, as far as this process knows. */
  readonly #commands = new Map<string, string>();
  readonly #stopping = new AbortController();
  #gateway: Gateway | null = null;
  #applicationId: string | undefined;
  #leads = false;
  #refreshing: Promise<void> | null = null;
  #status: BotStatus = { state: 'connecting', guilds: [], since: new Date().toISOString() };

  constructor(options: BotOptions) {
    const { token, apiUrl = DISCORD, fetch = globalThis.fetch } = options;
    this.#options = options;
    const onRefused = (): void => this.#refuse(REFUSED);
    this.#rest = new Rest({ apiUrl: apiUrl.replace(/\/$/, ''), token, fetch, onRefused });
    this.#realms = new Realms(options);
    const responder = new Responder(this.#rest, options.log);
    const unlinked = (): void => this.realmsChanged();
    this.#interactions = new Interactions(this.#realms, responder, options.log, unlinked);
  }

  start(): void {
    this.#report({});
    void this.#every(REFRESH_MS, () => this.#refresh());
    void this.#every(LEASE_MS, () => this.#checkLease());
  }

  handle(interaction: APIInteraction): Promise<APIInteractionResponse> {
    return this.#interactions.handle(interaction);
  }

  realmsChanged(): void {
    void this.#refresh().catch((error) => this.#logFailure(error));
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#end();
    await this.#interactions.stop();
    if (this.#status.state !== 'refused') this.#report({ state: 'stopped' });
  }

  /** Now, and then again and again, whatever becomes of it. */
  async #every(ms: number, run: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await run().catch((error) => this.#logFailure(error));
      await pause(ms, signal).catch(() => {});
    }
  }

  #logFailure(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#options.log('warn', 'the Discord app will try again', { why: String(error) });
  }

  async #checkLease(): Promise<void> {
    // Without an answer nobody else can have taken it.
    const leads = (await this.#options.isLeader?.()) ?? true;
    if (this.#stopping.signal.aborted || this.#status.state === 'refused') return;
    if (leads && !this.#leads) {
      this.#leads = true;
      this.#options.log('info', 'the Discord app starts here');
      void this.#lead();
    }
    if (!leads && this.#leads) this.#options.log('info', 'another process has the Discord app');
    if (!leads) {
      this.#end();
      this.#report({ state: this.#options.overHttp ? 'ready' : 'waiting' });
    }
  }

  async #lead(): Promise<void> {
    this.#report({ state: 'connecting' });
    while (!this.#applicationId && this.#leads && !this.#stopping.signal.aborted) {
      try {
        const { id } = await this.#rest.request<{ id: string }>('GET', '/applications/@me');
        this.#applicationId = id;
      } catch (error) {
        if (this.#status.state === 'refused') return;
        this.#report({ state: 'connecting', detail: `Discord cannot be reached: ${error}` });
        await pause(LEASE_MS, this.#stopping.signal).catch(() => {});
      }
    }
    if (!this.#leads || this.#stopping.signal.aborted) return;
    if (this.#options.overHttp) this.#report({ state: 'ready' });
    else this.#connect();
    await this.#refresh().catch((error) => this.#logFailure(error));
  }

  #connect(): void {
    this.#gateway?.stop();
    const gateway = new Gateway({
      token: this.#options.token,
      info: () => this.#rest.request<GatewayInfo>('GET', '/gateway/bot'),
      onInteraction: (interaction, isReplayed) =>
        this.#interactions.receive(interaction, isReplayed),
      onState: (state) => this.#report({ state }),
      onRefused: (why) => this.#refuse(why),
      log: this.#options.log,
    });
    this.#gateway = gateway;
    void gateway.run();
  }

  /** Stops what only one process may do. */
  #end(): void {
    this.#leads = false;
    this.#gateway?.stop();
    this.#gateway = null;
    for (const follower of this.#followers.values()) follower.stop();
    this.#followers.clear();
  }

  #refuse(detail: string): void {
    this.#end();
    this.#options.log('error', detail);
    this.#report({ state: 'refused', detail });
  }

  /** One at a time: who asks meanwhile gets the result of the next. */
  async #refresh(): Promise<void> {
    const previous = this.#refreshing ?? Promise.resolve();
    const next = previous.catch(() => {}).then(() => this.#refreshNow());
    this.#refreshing = next;
    await next;
  }

  async #refreshNow(): Promise<void> {
    await this.#realms.refresh();
    const linked = this.#realms.all;
    const guildIds = new Set(linked.map(({ guildId }) => guildId));
    for (const guildId of this.#problems.keys()) {
      if (!guildIds.has(guildId)) this.#problems.delete(guildId);
    }
    this.#report({});
    if (!this.#leads || !this.#applicationId) return;
    this.#follow();
    for (const realm of linked) await this.#bringCommands(realm, this.#applicationId);
  }

  async #bringCommands(realm: LinkedRealm, applicationId: string): Promise<void> {
    const { guildId } = realm;
    const wanted = definitionsFor(realm);
    if (this.#commands.get(guildId) === JSON.stringify(wanted)) return;
    const path = `/applications/${applicationId}/guilds/${guildId}/commands`;
    try {
      const present = await this.#rest.request<unknown>('GET', path);
      if (!sameCommands(present, wanted)) {
        const body: RESTPutAPIApplicationGuildCommandsJSONBody = wanted;
        await this.#rest.request('PUT', path, { body });
        this.#options.log('info', 'the commands of a server are new', { guildId });
      }
      this.#commands.set(guildId, JSON.stringify(wanted));
      this.#setProblem(guildId, 'commands', undefined);
    } catch (error) {
      const isRefusal = error instanceof DiscordError && [403, 404].includes(error.status);
      const problem = isRefusal ? NOT_INVITED : `Its commands could not be set: ${error}`;
      this.#setProblem(guildId, 'commands', problem);
    }
  }

  /** A follower for each realm, whatever number of servers it has. */
  #follow(): void {
    const linked = new Map(this.#realms.all.map((realm) => [realm.realmId, realm]));
    for (const [realmId, follower] of this.#followers) {
      if (linked.has(realmId)) continue;
      follower.stop();
      this.#followers.delete(realmId);
    }
    for (const [realmId, realm] of linked) {
      if (this.#followers.has(realmId)) continue;
      const follower = new Follower({
        realmId,
        client: this.#realms.clientOf(realm),
        servers: () => this.#realms.serversOf(realmId),
        rest: this.#rest,
        send: (call) => this.#realms.send(realm, call),
        lastSeq: this.#options.lastSeq,
        onProblem: (...problem) => this.#setProblem(...problem),
        log: this.#options.log,
      });
      this.#followers.set(realmId, follower);
      void follower.run();
    }
  }

  #setProblem(guildId: string, topic: Topic | 'commands', problem: string | undefined): void {
    const topics = this.#problems.get(guildId) ?? new Map();
    if (topics.get(topic) === problem) return;
    if (problem === undefined) topics.delete(topic);
    else {
      topics.set(topic, problem);
      this.#options.log('warn', problem, { guildId });
    }
    this.#problems.set(guildId, topics);
    this.#report({});
  }

  /** Tells the status if it has changed. */
  #report({ state = this.#status.state, detail }: Partial<BotStatus>): void {
    if (this.#status.state === 'refused' && state !== 'refused') return;
    const isSame = state === this.#status.state;
    const guilds = this.#realms.all.map(({ guildId }) => {
      const problems = [...(this.#problems.get(guildId)?.values() ?? [])];
      return { guildId, ...(problems.length > 0 && { problem: problems.join(' ') }) };
    });
    const next: BotStatus = {
      state,
      detail: detail ?? (isSame ? this.#status.detail : undefined),
      applicationId: this.#applicationId,
      guilds,
      since: isSame ? this.#status.since : new Date().toISOString(),
    };
    if (JSON.stringify(next) === JSON.stringify(this.#status)) return;
    this.#status = next;
    this.#options.onStatus?.(next);
  }
}
