import type { APIInteraction, APIInteractionResponse } from 'discord-api-types/v10';
import { answer, refusalOf, shownTo } from './answer.ts';
import { type Asked, askedBy } from './asked.ts';
import type { BotOptions } from './options.ts';
import type { Realms } from './realms.ts';
import { isAway, Refusal, Unanswered } from './refusal.ts';
import type { Reply } from './reply.ts';
import type { Responder, Send } from './responder.ts';
import { carryOut } from './steps.ts';
import { textsFor } from './text/texts.ts';

/** How long a stop waits for answers. */
const STOP_MS = 2_000;

/** Answers interactions, whichever way they came. */
export class Interactions {
  readonly #realms: Realms;
  readonly #responder: Responder;
  readonly #log: BotOptions['log'];
  readonly #onUnlinked: () => void;
  readonly #running = new Set<Promise<void>>();

  constructor(
    realms: Realms,
    responder: Responder,
    log: BotOptions['log'],
    onUnlinked: () => void,
  ) {
    this.#realms = realms;
    this.#responder = responder;
    this.#log = log;
    this.#onUnlinked = onUnlinked;
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
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, STOP_MS);
    await Promise.race([Promise.all(this.#running), late]);
    clearTimeout(timer);
  }

  #start(interaction: APIInteraction, send: Send, isReplayed = false): void {
    const realm = this.#realms.of(interaction.guild_id);
    const asked = realm ? askedBy(interaction, realm) : null;
    const shown = asked ? shownTo(asked) : 'one';
    const find = () => this.#replyTo(interaction, asked);
    const done = this.#responder
      .respond(interaction, shown, send, find, isReplayed)
      .catch((error) => this.#log('error', 'an interaction failed', { why: String(error) }))
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  /** Never rejects: what fails is a refusal. */
  async #replyTo(interaction: APIInteraction, asked: Asked | null): Promise<Reply> {
    const realm = this.#realms.of(interaction.guild_id);
    const locale = 'locale' in interaction ? (interaction.locale ?? 'en-US') : 'en-US';
    if (!asked || !realm) {
      const texts = textsFor(locale);
      if (interaction.guild_id) this.#onUnlinked();
      const why = interaction.guild_id ? texts.notLinked : texts.onlyInServers;
      const kind = interaction.type === 4 ? 'autocomplete' : 'command';
      return refusalOf(new Refusal(why), { kind, locale });
    }
    try {
      return await carryOut(answer(asked), (call) => this.#realms.send(realm, call));
    } catch (error) {
      const isExpected = error instanceof Refusal || error instanceof Unanswered || isAway(error);
      if (!isExpected) this.#logFailure(asked, error);
      return refusalOf(error, asked);
    }
  }

  /** Refusals of the service are told to the member: only the others are news for operators. */
  #logFailure({ id, name }: Asked, error: unknown): void {
    const { status = 500, code } = Object(error) as { status?: number; code?: string };
    const isRefusal = status >= 400 && status < 500 && status !== 401 && status !== 403;
    const level = isRefusal && status !== 400 ? 'debug' : 'error';
    this.#log(level, 'a command failed', { interaction: id, name, code, why: String(error) });
  }
}
