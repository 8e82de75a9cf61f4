import { Realmkeep } from '@realmkeep/client';
import type { APIInteraction, APIInteractionResponse } from 'discord-api-types/v10';
import { answer, refusalOf, shownTo } from './answer.ts';
import { type Asked, askedBy, localeOf } from './asked.ts';
import type { BotOptions, LinkedRealm } from './options.ts';
import type { Reply } from './reply.ts';
import type { Responder, Send } from './responder.ts';
import { within } from './rest.ts';
import { type Call, carryOut, isAway, Refusal } from './steps.ts';
import { textsFor } from './text/texts.ts';

/** How long a call may take: a deferred answer leaves time for it. */
const CALL_MS = 10_000;
const RETRIES = 3;

export class Realms {
  readonly #options: BotOptions;
  readonly #clients = new Map<string, Realmkeep>();
  all: readonly LinkedRealm[] = [];
  /** Before the first answer nobody can say that a server is not linked. */
  areKnown = false;
  #isAway = false;

  constructor(options: BotOptions) {
    this.#options = options;
  }

  of(guildId: string | undefined): LinkedRealm | undefined {
    return this.all.find((realm) => realm.guildId === guildId);
  }

  /** Asks for the links again; without an answer, those that are known stay. */
  async refresh(): Promise<void> {
    this.all = await this.#options.realms();
    this.areKnown = true;
  }

  clientOf({ key }: LinkedRealm): Realmkeep {
    const { serviceUrl: url, fetch } = this.#options;
    const client =
      this.#clients.get(key) ??
      new Realmkeep({ url, key, timeoutMs: CALL_MS, retries: RETRIES, fetch });
    this.#clients.set(key, client);
    return client;
  }

  async send(realm: LinkedRealm, { operation, path, fields }: Call): Promise<unknown> {
    const client = this.clientOf(realm);
    const call = client.call.bind(client) as (...sent: unknown[]) => Promise<unknown>;
    try {
      const answer = await call(operation, { ...path, realmID: realm.realmId }, fields);
      this.#note(false);
      return answer;
    } catch (error) {
      if (isAway(error)) this.#note(true, error);
      throw error;
    }
  }

  /** Said once, however many members notice. */
  #note(isAway: boolean, error?: unknown): void {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    if (isAway) this.#options.log('warn', 'the service does not answer', { why: String(error) });
    else this.#options.log('info', 'the service answers again');
  }
}

const STOP_MS = 2_000;

export class Interactions {
  readonly #realms: Realms;
  readonly #responder: Responder;
  readonly #log: BotOptions['log'];
  readonly #running = new Set<Promise<void>>();

  constructor(realms: Realms, responder: Responder, log: BotOptions['log']) {
    this.#realms = realms;
    this.#responder = responder;
    this.#log = log;
  }

  /** From the gateway, which may deliver it again, or late. */
  receive(interaction: APIInteraction, isReplayed: boolean): void {
    this.#start(interaction, this.#responder.byCallback(interaction), isReplayed);
  }

  /** Over HTTP, where the first response is the answer. */
  handle(interaction: APIInteraction): Promise<APIInteractionResponse> {
    if (interaction.type === 1) return Promise.resolve({ type: 1 });
    const { promise, resolve } = Promise.withResolvers<APIInteractionResponse>();
    this.#start(interaction, async (response) => {
      resolve(response);
      return true;
    });
    return promise;
  }

  async stop(): Promise<void> {
    await within(Promise.all(this.#running), STOP_MS);
  }

  #start(interaction: APIInteraction, send: Send, isReplayed = false): void {
    const realm = this.#realms.of(interaction.guild_id);
    const asked = realm ? askedBy(interaction, realm) : null;
    const find = (): Promise<Reply> =>
      realm && asked
        ? carryOut(answer(asked), (call) => this.#realms.send(realm, call)).catch((error) =>
            this.#refusal(asked, error),
          )
        : Promise.resolve(stranger(interaction, this.#realms.areKnown));
    const done = this.#responder
      .respond(interaction, asked ? shownTo(asked) : 'one', send, find, isReplayed)
      .catch((error) => this.#log('error', 'an interaction failed', { why: String(error) }))
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  /** Refusals of the service are told to the member: only the others are news for operators. */
  #refusal(asked: Asked, error: unknown): Reply {
    const { status = 500, code } = Object(error) as { status?: number; code?: string };
    const isOrdinary =
      error instanceof Refusal || isAway(error) || [404, 409, 422].includes(status);
    const fields = { interaction: asked.id, name: asked.name, code, why: String(error) };
    this.#log(isOrdinary ? 'debug' : 'error', 'a command failed', fields);
    return refusalOf(error, asked);
  }
}

/** Where there is no realm, or no server. */
function stranger(interaction: APIInteraction, areRealmsKnown: boolean): Reply {
  const locale = localeOf(interaction);
  const { notLinked, onlyInServers, resting } = textsFor(locale);
  const kind = interaction.type === 4 ? 'autocomplete' : 'command';
  const unknown = areRealmsKnown ? notLinked : resting;
  const why = interaction.guild_id ? unknown : onlyInServers;
  return refusalOf(new Refusal(why), { kind, locale });
}
