import { definitionsFor } from './commands/index.ts';
import { Follower, type Topic } from './follower.ts';
import { Gateway, type GatewayInfo, REFUSED } from './gateway.ts';
import { Interactions, Realms } from './interactions.ts';
import type { Bot, BotOptions, BotStatus, LinkedRealm } from './options.ts';
import { Responder } from './responder.ts';
import { DiscordError, pause, Rest } from './rest.ts';
import { sameCommands } from './same-commands.ts';

const DISCORD = 'https://discord.com/api/v10';
const LEASE_MS = 2_000;
const REFRESH_MS = 60_000;
const NOT_INVITED = 'The app is not in this server: invite it, and allow it to add commands.';

export class DiscordBot implements Bot {
  readonly #options: BotOptions;
  readonly #rest: Rest;
  readonly #realms: Realms;
  readonly #interactions: Interactions;
  readonly #followers = new Map<string, Follower>();
  readonly #problems = new Map<string, { [Of in Topic]?: string | undefined }>();
  readonly #stopping = new AbortController();
  readonly handle: Bot['handle'];
  #gateway: Gateway | null = null;
  #applicationId: string | undefined;
  #leads = false;
  #refreshing: Promise<void> = Promise.resolve();
  #status: BotStatus = { state: 'connecting', guilds: [], since: new Date().toISOString() };

  constructor(options: BotOptions) {
    const { token, apiUrl = DISCORD, fetch = globalThis.fetch, log } = options;
    this.#options = options;
    const onRefused = (): void => this.#refuse(REFUSED);
    this.#rest = new Rest({ apiUrl: apiUrl.replace(/\/$/, ''), token, fetch, onRefused });
    this.#realms = new Realms(options);
    this.#interactions = new Interactions(this.#realms, new Responder(this.#rest, log), log);
    this.handle = (interaction) => this.#interactions.handle(interaction);
    options.onStatus?.(this.#status);
    void this.#every(REFRESH_MS, () => this.#refresh());
    void this.#every(LEASE_MS, () => this.#checkLease());
  }

  realmsChanged(): void {
    void this.#refresh().catch((error) => this.#logFailure(error));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#end();
    await this.#interactions.stop();
    this.#report('stopped');
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

  /** Also tries to start again where that failed. */
  async #checkLease(): Promise<void> {
    const { isLeader, overHttp, log } = this.#options;
    // Without an answer nobody else can have taken it.
    const leads = (await isLeader?.()) ?? true;
    if (this.#stopping.signal.aborted || this.#status.state === 'refused') return;
    if (leads !== this.#leads) log('info', `the Discord app ${leads ? 'starts' : 'ends'} here`);
    this.#leads = leads;
    if (!leads) {
      this.#end();
      this.#report(overHttp ? 'ready' : 'waiting');
    } else if (!this.#applicationId || (!overHttp && !this.#gateway)) await this.#lead();
  }

  async #lead(): Promise<void> {
    try {
      const { id } = await this.#rest.request<{ id: string }>('GET', '/applications/@me');
      this.#applicationId = id;
    } catch (error) {
      return this.#report('connecting', `Discord cannot be reached: ${error}`);
    }
    if (!this.#leads || this.#stopping.signal.aborted) return;
    if (this.#options.overHttp) this.#report('ready');
    else this.#connect();
    await this.#refresh();
  }

  #connect(): void {
    this.#gateway = new Gateway({
      token: this.#options.token,
      info: () => this.#rest.request<GatewayInfo>('GET', '/gateway/bot'),
      onInteraction: (...received) => this.#interactions.receive(...received),
      onState: (state) => this.#report(state),
      onRefused: (why) => this.#refuse(why),
      log: this.#options.log,
    });
    void this.#gateway.run();
  }

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
    this.#report('refused', detail);
  }

  #refresh(): Promise<void> {
    this.#refreshing = this.#refreshing.catch(() => {}).then(() => this.#refreshNow());
    return this.#refreshing;
  }

  async #refreshNow(): Promise<void> {
    const before = this.#realms.all;
    await this.#realms.refresh();
    // What was wrong with a link is nothing of another one.
    for (const old of before)
      if (JSON.stringify(old) !== JSON.stringify(this.#realms.of(old.guildId)))
        this.#problems.delete(old.guildId);
    this.#report();
    if (!this.#leads || !this.#applicationId) return;
    this.#follow();
    for (const realm of this.#realms.all) await this.#bringCommands(realm);
  }

  async #bringCommands(realm: LinkedRealm): Promise<void> {
    const { guildId } = realm;
    const wanted = definitionsFor(realm);
    const path = `/applications/${this.#applicationId}/guilds/${guildId}/commands`;
    try {
      const present = await this.#rest.request<unknown>('GET', path);
      if (!sameCommands(present, wanted)) await this.#rest.request('PUT', path, { body: wanted });
      this.#setProblem(guildId, 'commands', undefined);
    } catch (error) {
      const isRefusal = error instanceof DiscordError && [403, 404].includes(error.status);
      const problem = isRefusal ? NOT_INVITED : `Its commands could not be set: ${error}`;
      this.#setProblem(guildId, 'commands', problem);
    }
  }

  /** A follower for each realm, whatever number of servers it has, by its key of today. */
  #follow(): void {
    const linked = new Map(this.#realms.all.map((one) => [`${one.realmId} ${one.key}`, one]));
    for (const [id, follower] of this.#followers) {
      if (linked.has(id)) continue;
      follower.stop();
      this.#followers.delete(id);
    }
    for (const [id, realm] of linked) {
      if (this.#followers.has(id)) continue;
      const { realmId } = realm;
      const follower = new Follower({
        realmId,
        client: this.#realms.clientOf(realm),
        servers: () => this.#realms.all.filter((one) => one.realmId === realmId),
        rest: this.#rest,
        send: (call) => this.#realms.send(realm, call),
        lastSeq: this.#options.lastSeq,
        onProblem: (...problem) => this.#setProblem(...problem),
        log: this.#options.log,
      });
      this.#followers.set(id, follower);
      void follower.run();
    }
  }

  #setProblem(guildId: string, topic: Topic, problem: string | undefined): void {
    const known = this.#problems.get(guildId);
    if (known?.[topic] === problem) return;
    this.#problems.set(guildId, { ...known, [topic]: problem });
    if (problem) this.#options.log('warn', problem, { guildId });
    this.#report();
  }

  /** Tells the status if it has changed. What is refused stays so. */
  #report(wanted = this.#status.state, detail?: string): void {
    const { state: before, since, detail: known } = this.#status;
    const state = before === 'refused' ? before : wanted;
    const guilds = this.#realms.all.map(({ guildId }) => {
      const found = Object.values(this.#problems.get(guildId) ?? {});
      const problem = found.filter(Boolean).join(' ');
      return { guildId, ...(problem && { problem }) };
    });
    const next: BotStatus = {
      state,
      detail: before === 'refused' ? known : (detail ?? (state === before ? known : undefined)),
      applicationId: this.#applicationId,
      guilds,
      since: state === before ? since : new Date().toISOString(),
    };
    if (JSON.stringify(next) === JSON.stringify(this.#status)) return;
    this.#status = next;
    this.#options.onStatus?.(next);
  }
}
