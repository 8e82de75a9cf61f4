import { isProblem, type RealmEvent, type Realmkeep } from '@realmkeep/client';
import { ANNOUNCED, announcementOf } from './announcements.ts';
import { roleOf } from './commands/offers.ts';
import { discordIdOf } from './members.ts';
import type { BotOptions, LinkedRealm } from './options.ts';
import { bodyOf } from './reply.ts';
import { CODES, DiscordError, pause, type Rest } from './rest.ts';
import { type Call, carryOut, isAway } from './steps.ts';

interface FollowerOptions {
  realmId: string;
  client: Realmkeep;
  servers(): LinkedRealm[];
  rest: Rest;
  send(call: Call): Promise<unknown>;
  lastSeq: BotOptions['lastSeq'];
  /** Says what somebody has to do about a server; undefined when it is done. */
  onProblem(guildId: string, topic: Topic, problem: string | undefined): void;
  log: BotOptions['log'];
}

export type Topic = 'commands' | 'channel' | `role ${string}`;

const FOLLOWED = [...ANNOUNCED, 'offer.claimed', 'claim.rejected'] as const;
type Followed = RealmEvent<(typeof FOLLOWED)[number]>;

type Outcome<T> = { answer?: T; refusal?: DiscordError };

/** A role is of one server, and a member may have left it. */
const IGNORED = new Set<number>([CODES.unknownRole, CODES.unknownMember]);
const RETRY_MS = 5_000;
/** How many events that changed nothing at Discord are read again at most after a restart. */
const WRITE_EVERY = 100;
const END = 10 ** 12;

/**
 * Follows the events of a realm, in order: announces them, and gives and takes back roles. How far
 * it came is kept, so that nothing is left out while it is away.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #stopping = new AbortController();
  /** The servers of channels, as far as they are known. */
  readonly #channels = new Map<string, string>();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#follow().catch((error) => this.#logFailure(error, {}));
      await pause(RETRY_MS, signal).catch(() => {});
    }
  }

  #logFailure(error: unknown, fields: object): void {
    if (this.#stopping.signal.aborted) return;
    const { realmId, log } = this.#options;
    log('warn', 'events were not announced', { realmId, ...fields, why: String(error) });
  }

  async #follow(): Promise<void> {
    const { realmId, client, lastSeq } = this.#options;
    const realm = client.realm(realmId);
    let after = await lastSeq.read(realmId);
    if (after === null) {
      // What happened before the server was linked is no news.
      after = (await realm.events({ before: END, limit: 1 })).items[0]?.seq ?? 0;
      await lastSeq.write(realmId, after);
    }
    let unwritten = 0;
    const { signal } = this.#stopping;
    for await (const event of realm.stream({ after, types: FOLLOWED, signal })) {
      const hasActed = await this.#act(event).catch((error) => {
        // What the service refuses, it would refuse again: the next event must not wait for that.
        // A key that was revoked is replaced, and its successor starts here.
        if (!isProblem(error) || isAway(error) || error.status === 401) throw error;
        this.#logFailure(error, { seq: event.seq });
        return true;
      });
      unwritten += 1;
      if (!hasActed && unwritten < WRITE_EVERY) continue;
      await lastSeq.write(realmId, event.seq);
      unwritten = 0;
    }
  }

  /** Whether it made a request at Discord. */
  async #act(event: Followed): Promise<boolean> {
    if (event.type === 'offer.claimed') return this.#changeRole(event.data, 'PUT');
    if (event.type === 'claim.rejected') return this.#changeRole(event.data, 'DELETE');
    const { servers, send, onProblem } = this.#options;
    const message = await carryOut(announcementOf(event), send);
    for (const { guildId, announceChannelId } of message ? servers() : []) {
      if (!announceChannelId) continue;
      // Sent again after a restart, Discord recognises it.
      const nonce = `${BigInt(guildId).toString(36)}-${event.seq.toString(36)}`;
      const body = { ...bodyOf(message ?? {}), nonce, enforce_nonce: true };
      const refusal =
        (await this.#foreign(guildId, announceChannelId)) ??
        (await this.#insist('POST', `/channels/${announceChannelId}/messages`, body)).refusal;
      const why = `The app cannot write to the channel for announcements: ${refusal?.message}`;
      onProblem(guildId, 'channel', refusal && why);
    }
    return message !== null;
  }

  /** Why a channel is none of the server: the app may be in servers of other communities, too. */
  async #foreign(guildId: string, channelId: string): Promise<DiscordError | undefined> {
    if (this.#channels.get(channelId) === guildId) return undefined;
    const path = `/channels/${channelId}`;
    const { refusal, answer } = await this.#insist<{ guild_id?: string }>('GET', path);
    if (refusal) return refusal;
    if (answer?.guild_id !== guildId) return new DiscordError(403, 0, 'it is in another server');
    this.#channels.set(channelId, guildId);
    return undefined;
  }

  async #changeRole(
    { memberId, offerId }: { memberId: string; offerId: string },
    method: 'PUT' | 'DELETE',
  ): Promise<boolean> {
    const { client, realmId, servers, onProblem } = this.#options;
    const realm = client.realm(realmId);
    const roleId = roleOf(await realm.offer(offerId).get());
    if (roleId === undefined || !/^\d{15,20}$/.test(roleId)) return false;
    const [member] = (await realm.members({ ids: [memberId] })).items;
    const userId = member && discordIdOf(member);
    if (!userId) return false;
    if (method === 'DELETE') {
      const { items } = await realm.claims({ offerId, memberId, limit: 500 });
      // Who has claimed it again keeps the role.
      if (items.some(({ status }) => status !== 'rejected')) return false;
    }
    const refusals = new Map<string, DiscordError | undefined>();
    for (const { guildId } of servers()) {
      const path = `/guilds/${guildId}/members/${userId}/roles/${roleId}`;
      refusals.set(guildId, (await this.#insist(method, path)).refusal);
    }
    // Where one server has it, what the others say of it is no problem.
    const isDone = [...refusals.values()].includes(undefined);
    for (const [guildId, refusal] of refusals) {
      if (!isDone && refusal && IGNORED.has(refusal.code)) continue;
      const problem = isDone || !refusal ? undefined : roleProblem(refusal, roleId);
      onProblem(guildId, `role ${roleId}`, problem);
    }
    return true;
  }

  /** Until Discord accepts or refuses it, however long it is away. */
  async #insist<T>(method: string, path: string, body?: object): Promise<Outcome<T>> {
    const { signal } = this.#stopping;
    for (;;) {
      try {
        return { answer: await this.#options.rest.request<T>(method, path, { signal, body }) };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof DiscordError && error.isFinal && error.status !== 401)
          return { refusal: error };
        await pause(RETRY_MS, signal);
      }
    }
  }
}

const roleProblem = ({ code, message }: DiscordError, roleId: string): string =>
  code === CODES.missingPermissions
    ? `The app may not give the role ${roleId}. Allow it to manage roles, and drag its own role ` +
      'above that one, under Server Settings, Roles.'
    : `The role ${roleId} could not be given: ${message}`;
