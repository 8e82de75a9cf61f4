import { type EventType, isProblem, type RealmEvent, type Realmkeep } from '@realmkeep/client';
import { ANNOUNCED, announcementOf } from './announcements.ts';
import { roleOf } from './commands/claims.ts';
import { discordIdOf } from './members.ts';
import type { BotOptions, LinkedRealm } from './options.ts';
import { isAway } from './refusal.ts';
import { bodyOf } from './reply.ts';
import {
  DiscordError,
  MISSING_PERMISSIONS,
  pause,
  type Rest,
  UNKNOWN_MEMBER,
  UNKNOWN_ROLE,
} from './rest.ts';
import { type Call, carryOut } from './steps.ts';

export interface FollowerOptions {
  realmId: string;
  client: Realmkeep;
  /** The servers of the realm, as they are linked now. */
  servers(): LinkedRealm[];
  rest: Rest;
  send(call: Call): Promise<unknown>;
  lastSeq: BotOptions['lastSeq'];
  /** Says what somebody has to do about a server; undefined when it is done. */
  onProblem(guildId: string, topic: Topic, problem: string | undefined): void;
  log: BotOptions['log'];
}

export type Topic = 'channel' | 'roles';

const FOLLOWED = [...ANNOUNCED, 'offer.claimed', 'claim.rejected'] as const;
type Followed = (typeof FOLLOWED)[number];

const RETRY_MS = 5_000;
/** How many events that changed nothing at Discord are read again at most after a restart. */
const WRITE_EVERY = 100;

/**
 * Follows the events of a realm, in order: announces them, and gives and takes back roles. How far
 * it came is kept, so that nothing is left out while it is away.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #stopping = new AbortController();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        if (signal.aborted) return;
        const { realmId, log } = this.#options;
        log('warn', 'the events of a realm cannot be followed', { realmId, why: String(error) });
      }
      await pause(RETRY_MS, signal).catch(() => {});
    }
  }

  async #follow(): Promise<void> {
    const { realmId, client, lastSeq } = this.#options;
    const { signal } = this.#stopping;
    const realm = client.realm(realmId);
    let after = await lastSeq.read(realmId);
    if (after === null) {
      // What happened before the server was linked is no news.
      const { items } = await realm.events({ before: 10 ** 12, limit: 1 });
      after = items[0]?.seq ?? 0;
      await lastSeq.write(realmId, after);
    }
    let unwritten = 0;
    for await (const event of realm.stream<Followed>({ after, types: FOLLOWED, signal })) {
      const hasActed = await this.#act(event).catch((error) => this.#skip(event.seq, error));
      unwritten += 1;
      if (!hasActed && unwritten < WRITE_EVERY) continue;
      await lastSeq.write(realmId, event.seq);
      unwritten = 0;
    }
  }

  /** What the service refuses, it would refuse again: the next event must not wait for that. */
  #skip(seq: number, error: unknown): boolean {
    if (!isProblem(error) || isAway(error)) throw error;
    const { realmId, log } = this.#options;
    log('warn', 'an event is not announced', { realmId, seq, why: error.message });
    return true;
  }

  /** Whether it made a request at Discord. */
  async #act(event: RealmEvent<Followed>): Promise<boolean> {
    if (event.type === 'offer.claimed' || event.type === 'claim.rejected') {
      return this.#changeRole(event.data, event.type === 'offer.claimed' ? 'PUT' : 'DELETE');
    }
    const targets = this.#options.servers().filter(({ announceChannelId }) => announceChannelId);
    if (targets.length === 0) return false;
    const message = await carryOut(announcementOf(event as RealmEvent<EventType>), (call) =>
      this.#options.send(call),
    );
    if (!message) return false;
    for (const server of targets) await this.#announce(server, event.seq, bodyOf(message));
    return true;
  }

  async #announce(server: LinkedRealm, seq: number, body: object): Promise<void> {
    const { guildId, announceChannelId } = server;
    // Sent again after a restart, Discord recognises it.
    const nonce = `${BigInt(guildId).toString(36)}-${seq.toString(36)}`;
    const path = `/channels/${announceChannelId}/messages`;
    const failure = await this.#insist('POST', path, { ...body, nonce, enforce_nonce: true });
    const problem =
      failure && `The app cannot write to the channel for announcements: ${failure.message}`;
    this.#options.onProblem(guildId, 'channel', problem);
  }

  async #changeRole(
    { memberId, offerId }: { memberId: string; offerId: string },
    method: 'PUT' | 'DELETE',
  ): Promise<boolean> {
    const realm = this.#options.client.realm(this.#options.realmId);
    const roleId = roleOf(await realm.offer(offerId).get());
    if (roleId === undefined || !/^\d{15,20}$/.test(roleId)) return false;
    const { items } = await realm.members({ ids: [memberId] });
    const userId = items[0] && discordIdOf(items[0]);
    if (!userId) return false;
    for (const { guildId } of this.#options.servers()) {
      const path = `/guilds/${guildId}/members/${userId}/roles/${roleId}`;
      const failure = await this.#insist(method, path);
      // A role is of one server, and a member may have left it.
      if (failure && [UNKNOWN_ROLE, UNKNOWN_MEMBER].includes(failure.code)) continue;
      this.#options.onProblem(guildId, 'roles', failure && roleProblem(failure, roleId));
    }
    return true;
  }

  /** Until Discord accepts or refuses it, however long it is away. */
  async #insist(method: string, path: string, body?: object): Promise<DiscordError | undefined> {
    const { signal } = this.#stopping;
    for (;;) {
      try {
        await this.#options.rest.request(method, path, { signal, ...(body && { body }) });
        return undefined;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof DiscordError && error.isFinal && error.status !== 401) {
          this.#options.log('warn', 'Discord refuses', { path, why: error.message });
          return error;
        }
        await pause(RETRY_MS, signal);
      }
    }
  }
}

const roleProblem = ({ code, message }: DiscordError, roleId: string): string =>
  code === MISSING_PERMISSIONS
    ? `The app may not give the role ${roleId}. Allow it to manage roles, and drag its own role ` +
      'above that one, under Server Settings, Roles.'
    : `The role ${roleId} could not be given: ${message}`;
