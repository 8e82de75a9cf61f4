import type { Command, CommandName, CommandOf, Outcome } from '../../src/domain/commands.ts';
import type { Address } from '../../src/domain/model.ts';
import type { Delivery, WebhookReport } from '../../src/domain/webhook.ts';
import { randomOf } from './random-commands.ts';

const MEMBERS = ['1', '2', '3', '4', '5', '6'];
export const WEBHOOKS = ['hook1', 'hook2'];

export const command = <N extends CommandName>(
  type: N,
  rest: Omit<CommandOf<N>, 'type' | 'realmId' | 'actor' | 'idempotency'>,
  key: string | null = null,
): Command =>
  ({
    type,
    realmId: 'acme',
    actor: 'test',
    idempotency: key === null ? null : { key, fingerprint: key },
    ...rest,
  }) as unknown as Command;

/** What was done, and whom the next commands can be about. */
interface Past {
  holds: { holdId: number; memberId: string }[];
  movements: { transactionId: number; members: string[] }[];
  challenges: { memberId: string; message: string; wallet: Address }[];
}

const walletOf = (address: string) => ({ chain: 'eip155' as const, key: address, address });

/** Random commands, each with texts of its own that tell about the members it names. */
export class Story {
  readonly #random: () => number;
  readonly #past: Past = { holds: [], movements: [], challenges: [] };
  #texts = 0;
  #commands = 0;
  /** The members that each text is about. */
  readonly about = new Map<string, Set<string>>();
  readonly erased = new Set<string>();
  /** Answers of receivers that are not stored yet. */
  #deliveries: Delivery[] = [];
  #lastDelivery = 0;

  constructor(seed: number) {
    this.#random = randomOf(seed);
  }

  next(): Command {
    const memberId = this.#pick(MEMBERS);
    const other = this.#pick(MEMBERS.filter((id) => id !== memberId));
    const key = this.#pick([null, `key${++this.#commands}`]);
    const makers = [
      ...this.#profileMakers(memberId, key),
      ...this.#walletMakers(memberId, key),
      ...this.#pointsMakers(memberId, other, key),
      ...this.#laterMakers(memberId, key),
      () => command('member.remove', { memberId, forfeit: true, erase: this.#random() < 0.5 }),
    ];
    return this.#pick(makers)();
  }

  /** Takes note of what a command did: what is known of a member is forgotten with it. */
  note(done: Command, outcome: Outcome): void {
    if (!('answer' in outcome)) return;
    this.#remember(done, outcome.answer as Record<string, unknown>);
    if (done.type !== 'member.remove' || !done.erase) return;
    for (const [text, members] of this.about) {
      if (members.has(done.memberId)) this.erased.add(text);
    }
  }

  /** The first that receivers have answered and that is not stored yet. */
  reports(): WebhookReport[] {
    return WEBHOOKS.map((webhookId) => {
      const deliveries = this.#deliveries.filter((one) => one.webhookId === webhookId).slice(0, 1);
      this.#deliveries = this.#deliveries.filter((one) => !deliveries.includes(one));
      const progress = { position: 0, attempts: 0, failingSince: null, nextAt: 0, progressOf: 0 };
      return { realmId: 'acme', webhookId, ...progress, deliveries };
    });
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  #text(...members: string[]): string {
    const text = `secret${++this.#texts}x`;
    this.about.set(text, new Set(members));
    return text;
  }

  #points(...members: string[]) {
    const tokens = 1 + Math.floor(this.#random() * 20);
    return { realmPointId: null, tokens, description: this.#text(...members) };
  }

  #fields(memberId: string) {
    const text = () => this.#text(memberId);
    return {
      username: text(),
      metadata: JSON.stringify({ note: text() }),
      accounts: [{ provider: 'x', id: text(), username: text() }],
    };
  }

  #profileMakers(memberId: string, key: string | null): (() => Command)[] {
    const fields = () => this.#fields(memberId);
    const wallets = () => [walletOf(this.#text(memberId))];
    const enrolment = (id: string) => ({
      memberId: id,
      fields: this.#fields(id),
      wallets: [],
      balances: [{ realmPointId: 'points', tokens: 5 }],
    });
    return [
      () => command('member.put', { memberId, fields: fields(), wallets: wallets() }, key),
      () => command('member.create', { memberId, fields: fields(), wallets: [] }, key),
      () => command('member.update', { memberId, fields: { displayName: fields().username } }, key),
      () => {
        const members = MEMBERS.slice(0, 3).map(enrolment);
        return command('member.batch', { atomic: false, description: null, members }, key);
      },
    ];
  }

  #walletMakers(memberId: string, key: string | null): (() => Command)[] {
    const wallet = () => walletOf(this.#text(memberId));
    const link = { memberId, primary: true, proof: null };
    return [
      () => {
        const nonce = `nonce${this.#texts}00000000`;
        const rest = { nonce, network: 'eip155:1', serviceUrl: 'https://acme.example' };
        return command('wallet.challenge', { memberId, wallet: wallet(), ...rest }, key);
      },
      () => command('wallet.link', { ...link, wallet: wallet() }, key),
    ];
  }

  #pointsMakers(memberId: string, other: string, key: string | null): (() => Command)[] {
    const change = () => command('points.change', { memberId, ...this.#points(memberId) }, key);
    return [
      change,
      change,
      () => {
        const points = this.#points(memberId, other);
        return command('points.transfer', { memberId, recipientId: other, ...points }, key);
      },
      () => {
        const entries = [memberId, other].map((id) => ({ memberId: id, ...this.#points(id) }));
        return command('points.batch', { atomic: false, entries }, key);
      },
      () => command('hold.create', { memberId, ...this.#points(memberId), expiresInSeconds: 600 }),
    ];
  }

  /** Those that refer to what was done before. */
  #laterMakers(memberId: string, key: string | null): (() => Command)[] {
    const { holds, movements, challenges } = this.#past;
    const following = <T>(past: T[], make: (one: T) => Command): (() => Command)[] =>
      past.length === 0 ? [] : [() => make(past.pop() as T), () => make(past.pop() as T)];
    return [
      ...following(holds, (hold) => this.#capture(hold, memberId, key)),
      ...following(movements, ({ transactionId, members }) => {
        const rest = { tokens: null, force: true, description: this.#text(...members) };
        return command('points.reverse', { transactionId, ...rest }, key);
      }),
      ...following(challenges, ({ message, wallet, memberId: id }) => {
        const proof = { message, signature: this.#text(id), check: 'by-key' as const };
        return command('wallet.link', { memberId: id, wallet, primary: false, proof }, key);
      }),
    ];
  }

  #capture({ holdId, memberId }: Past['holds'][number], to: string, key: string | null): Command {
    const recipientId = to === memberId ? null : to;
    return command('hold.capture', { holdId, tokens: null, recipientId }, key);
  }

  #remember(done: Command, answer: Record<string, unknown>): void {
    const { holds, movements, challenges } = this.#past;
    const transactionId = Number(answer?.transactionId);
    if (done.type === 'hold.create') {
      holds.push({ holdId: Number(answer.id), memberId: done.memberId });
    } else if (done.type === 'wallet.challenge') {
      const { memberId, wallet } = done;
      challenges.push({ memberId, wallet, message: String(answer.message) });
    } else if (done.type === 'points.change') this.#moved(transactionId, done.memberId);
    else if (done.type === 'points.transfer') {
      this.#moved(transactionId, done.memberId, done.recipientId);
    } else if (done.type === 'hold.capture' && done.recipientId !== null) {
      const hold = answer.hold as { memberId: string; description: string | null };
      this.about.get(hold.description ?? '')?.add(done.recipientId);
      this.#moved(transactionId, hold.memberId, done.recipientId);
    }
    movements.splice(0, movements.length - 5);
  }

  /** A receiver of webhooks answers, in its own time. */
  #moved(transactionId: number, ...members: string[]): void {
    this.#past.movements.push({ transactionId, members });
    const id = ++this.#lastDelivery;
    const answer = this.#text(...members);
    const sent = {
      type: 'points.added',
      attempt: 1,
      at: 0,
      latencyMs: 1,
      status: 200,
      error: null,
    };
    const webhookId = this.#pick(WEBHOOKS);
    this.#deliveries.push({ webhookId, id, seq: transactionId, answer, ...sent });
  }
}
