import type { APIInteraction, APIInteractionResponse } from 'discord-api-types/v10';
import type { BotOptions } from './options.ts';
import { bodyOf, deferral, type MessageReply, type Reply, responseOf } from './reply.ts';
import { CODES, DiscordError, pause, type Rest, within } from './rest.ts';

/** What has not been answered by then is deferred: Discord waits for 3 seconds. */
const DEFER_MS = 1_500;
/** Proposals cannot be deferred. */
const PROPOSE_MS = 2_400;
const MOST_INTENTS = 1_000;

type Shown = MessageReply['to'];

/** Sends the first response; false if the interaction is not waiting for one any more. */
export type Send = (response: APIInteractionResponse) => Promise<boolean>;

/** Answers interactions in time, whatever it takes to find the reply. */
export class Responder {
  readonly #rest: Rest;
  readonly #log: BotOptions['log'];
  /** Followed up already, by the latest intents. */
  readonly #intents = new Set<string>();

  constructor(rest: Rest, log: BotOptions['log']) {
    this.#rest = rest;
    this.#log = log;
  }

  /** The first response of an interaction from the gateway. */
  byCallback({ id, token }: APIInteraction): Send {
    return async (body) => {
      try {
        // Once more if the connection fails; later it would be too late.
        const sending = { body, isInteraction: true, retries: 1 };
        await this.#rest.request('POST', `/interactions/${id}/${token}/callback`, sending);
        return true;
      } catch (error) {
        const code = error instanceof DiscordError ? error.code : 0;
        // Delivered twice, or answered by an attempt whose answer was lost.
        if (code === CODES.alreadyAcknowledged) return false;
        const isLate = code === CODES.unknownInteraction;
        const why = isLate ? 'Discord does not wait for it any more' : String(error);
        this.#log('warn', 'an interaction was not answered', { interaction: id, why });
        return false;
      }
    };
  }

  /** `deferFirst`: if nobody waits for it any more, its member has tried again, and it is void. */
  async respond(
    interaction: APIInteraction,
    shown: Shown,
    send: Send,
    find: () => Promise<Reply>,
    deferFirst: boolean,
  ): Promise<void> {
    const isProposal = interaction.type === 4;
    if (deferFirst && (isProposal || !(await send(deferral(shown))))) return;
    const reply = find();
    const first = deferFirst ? undefined : await within(reply, isProposal ? PROPOSE_MS : DEFER_MS);
    if (first) {
      if ((await send(responseOf(first))) && 'to' in first)
        await this.#followUp(interaction, first);
    } else if (isProposal) await send(responseOf({ choices: [] }));
    else if (deferFirst || (await send(deferral(shown)))) {
      const late = await reply;
      if ('to' in late) await this.#answerLate(interaction, shown, late);
    }
  }

  async #answerLate(interaction: APIInteraction, shown: Shown, reply: MessageReply): Promise<void> {
    const isPrivate = reply.to === 'one';
    const body = bodyOf(reply.message, isPrivate && shown !== 'one');
    // What is promised to all, or below a button, is not where one alone is told something.
    if (reply.to === shown) await this.#edit('PATCH', interaction, body, true);
    else {
      if (shown === 'all') await this.#edit('DELETE', interaction, undefined, true);
      await this.#edit('POST', interaction, body);
    }
    await this.#followUp(interaction, reply);
  }

  async #followUp(interaction: APIInteraction, { followUp }: MessageReply): Promise<void> {
    if (!followUp || this.#intents.has(followUp.intent)) return;
    this.#intents.add(followUp.intent);
    const [oldest = ''] = this.#intents;
    if (this.#intents.size > MOST_INTENTS) this.#intents.delete(oldest);
    await this.#edit('POST', interaction, bodyOf(followUp.message));
  }

  /** A later message. Over HTTP it may arrive before the first response: then it is repeated. */
  async #edit(method: string, to: APIInteraction, body?: object, isOriginal = false) {
    const path = `/webhooks/${to.application_id}/${to.token}`;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const whole = isOriginal ? `${path}/messages/@original` : path;
        return await this.#rest.request(method, whole, { isInteraction: true, body });
      } catch (error) {
        const isEarly = error instanceof DiscordError && error.status === 404 && attempt < 3;
        const why = String(error);
        if (!isEarly) return this.#log('warn', 'a late answer was not delivered', { why });
        await pause(500);
      }
    }
  }
}
