import type { APIInteraction, APIInteractionResponse } from 'discord-api-types/v10';
import type { LogLevel } from './options.ts';
import {
  bodyOf,
  deferral,
  type FollowUp,
  type MessageReply,
  privateBodyOf,
  type Reply,
  responseOf,
} from './reply.ts';
import {
  ALREADY_ACKNOWLEDGED,
  DiscordError,
  pause,
  type Rest,
  UNKNOWN_INTERACTION,
} from './rest.ts';

/** What has not been answered by then is deferred: Discord waits for 3 seconds. */
const DEFER_MS = 1_500;
/** Proposals cannot be deferred. */
const PROPOSE_MS = 2_400;
const MOST_INTENTS = 1_000;

/** Sends the first response; false if the interaction is not waiting for one any more. */
export type Send = (response: APIInteractionResponse) => Promise<boolean>;

type Shown = 'all' | 'one' | 'update';

/** Answers interactions in time, whatever it takes to find the reply. */
export class Responder {
  readonly #rest: Rest;
  readonly #log: (level: LogLevel, message: string, fields?: Record<string, unknown>) => void;
  /** Followed up already, by the latest intents. */
  readonly #intents = new Set<string>();

  constructor(rest: Rest, log: Responder['log']) {
    this.#rest = rest;
    this.#log = log;
  }

  get log() {
    return this.#log;
  }

  /** The first response of an interaction from the gateway. */
  byCallback({ id, token }: APIInteraction): Send {
    return async (body) => {
      try {
        // Once more if the connection fails; later it would be too late.
        const path = `/interactions/${id}/${token}/callback`;
        await this.#rest.request('POST', path, { body, isInteraction: true, retries: 1 });
        return true;
      } catch (error) {
        const code = error instanceof DiscordError ? error.code : 0;
        // Delivered twice, or answered by an attempt whose answer was lost.
        if (code === ALREADY_ACKNOWLEDGED) return false;
        const isLate = code === UNKNOWN_INTERACTION;
        const why = isLate ? 'Discord does not wait for it any more' : String(error);
        this.#log('warn', 'an interaction was not answered', { interaction: id, why });
        return false;
      }
    };
  }

  /**
   * Answers directly, or defers and answers later. `deferFirst` is for an interaction that may be
   * old: if nobody waits for it any more, its member has tried again, and it is not carried out.
   */
  async respond(
    interaction: APIInteraction,
    shown: Shown,
    send: Send,
    find: () => Promise<Reply>,
    deferFirst = false,
  ): Promise<void> {
    const isProposal = interaction.type === 4;
    if (deferFirst && (isProposal || !(await send(deferral(shown))))) return;
    const reply = find();
    const waitMs = deferFirst ? 0 : isProposal ? PROPOSE_MS : DEFER_MS;
    const first = deferFirst ? undefined : await within(reply, waitMs);
    if (first) {
      const isAnswered = await send(responseOf(first));
      if (isAnswered && 'message' in first) await this.#followUp(interaction, first.followUp);
      return;
    }
    if (isProposal) {
      await send({ type: 8, data: { choices: [] } });
      return;
    }
    const isAnswered = deferFirst || (await send(deferral(shown)));
    const late = await reply;
    if (isAnswered && 'message' in late) await this.#answerLate(interaction, shown, late);
  }

  async #answerLate(interaction: APIInteraction, shown: Shown, reply: MessageReply): Promise<void> {
    const { to, message, followUp } = reply;
    const path = `/webhooks/${interaction.application_id}/${interaction.token}`;
    const original = `${path}/messages/@original`;
    const isPrivate = to === 'one' && shown !== 'one';
    const edits = shown === 'update' ? to === 'update' : !isPrivate;
    if (edits) await this.#edit('PATCH', original, bodyOf(message));
    else {
      // What everybody sees is waiting must go before its caller alone is told why.
      if (shown === 'all') await this.#edit('DELETE', original);
      await this.#edit('POST', path, isPrivate ? privateBodyOf(message) : bodyOf(message));
    }
    await this.#followUp(interaction, followUp);
  }

  async #followUp(interaction: APIInteraction, followUp: FollowUp | undefined): Promise<void> {
    if (!followUp || this.#intents.has(followUp.intent)) return;
    this.#intents.add(followUp.intent);
    const [oldest = ''] = this.#intents;
    if (this.#intents.size > MOST_INTENTS) this.#intents.delete(oldest);
    const path = `/webhooks/${interaction.application_id}/${interaction.token}`;
    await this.#edit('POST', path, bodyOf(followUp.message));
  }

  /** A later message. Over HTTP it may arrive before the first response: then it is repeated. */
  async #edit(method: string, path: string, body?: object): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const sending = { isInteraction: true, ...(body && { body }) };
        await this.#rest.request(method, path, sending);
        return;
      } catch (error) {
        const isEarly = error instanceof DiscordError && error.status === 404 && attempt < 3;
        if (isEarly) await pause(500);
        else {
          this.#log('warn', 'a late answer was not delivered', { why: String(error) });
          return;
        }
      }
    }
  }
}

/** What a promise becomes in time, or else undefined. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
