import type { Answer } from './caller.ts';
import type { Random } from './random.ts';
import type { Entry, Part, Reported, Write } from './write-log.ts';

interface OpenHold {
  holdId: number;
  memberId: string;
  /** What is left of it as far as the load knows. */
  left: number;
  /** The tokens of the next capture: one more each time, so that captures differ. */
  next: number;
}

/** An acknowledged movement of points. */
interface Movement {
  seq: number;
  mark: string;
  tokens: number;
  postings: Part['postings'];
}

const MAX_KNOWN = 200;
const MAX_TOKENS = 50;
const WEIGHTS = {
  add: 18,
  subtract: 14,
  transfer: 34,
  hold: 12,
  capture: 8,
  release: 4,
  reversal: 5,
  batch: 5,
};

const transactionId = ({ transactionId: seq }: Answer['json']): Reported[] => [seq];

/** Generates writes; some refer to earlier ones. */
export class Writes {
  readonly members: readonly string[];
  readonly movements: Movement[] = [];
  readonly #holds: OpenHold[] = [];
  readonly #prefix: string;
  #count = 0;

  /** Each generator of a realm needs its own prefix. */
  constructor(members: readonly string[], prefix: string) {
    this.members = members;
    this.#prefix = prefix;
  }

  next(random: Random): Write {
    const kind = random.weighted(WEIGHTS);
    const tokens = random.between(1, MAX_TOKENS);
    const memberId = random.pick(this.members);
    if (kind === 'add') return this.change(memberId, tokens);
    if (kind === 'subtract') return this.change(memberId, -tokens);
    if (kind === 'hold') return this.#hold(random, memberId, tokens);
    if (kind === 'capture') return this.#capture(random) ?? this.#hold(random, memberId, tokens);
    if (kind === 'release') return this.#release(random) ?? this.#hold(random, memberId, tokens);
    if (kind === 'reversal') return this.#reversal(random) ?? this.change(memberId, tokens);
    if (kind === 'batch') return this.#batch(random);
    return this.#transfer(random, memberId, tokens);
  }

  /** Adds what was acknowledged to what can be captured, released or reversed. */
  learn(entry: Entry): void {
    for (const { part, seq } of entry.done()) {
      if (seq === null) continue;
      const { mark, memberId, tokens, postings } = part;
      if (mark.startsWith('points.held')) {
        keepLast(this.#holds, { holdId: seq, memberId, left: tokens, next: 1 });
      } else {
        keepLast(this.movements, { seq, mark, tokens, postings });
      }
    }
  }

  change(memberId: string, tokens: number): Write {
    const { key, body } = this.#named({ tokens });
    const path = `/members/${memberId}/tokenBalance`;
    const parts = [changed(key, memberId, tokens)];
    return { idempotencyKey: key, method: 'PATCH', path, body, parts, reported: transactionId };
  }

  #named<Body extends object>(body: Body): { key: string; body: Body & { description: string } } {
    const key = this.#nextKey();
    return { key, body: { ...body, description: key } };
  }

  #nextKey(): string {
    return `${this.#prefix}-${++this.#count}`;
  }

  #transfer(random: Random, memberId: string, tokens: number): Write {
    const others = this.members.filter((id) => id !== memberId);
    const { key, body } = this.#named({ recipientId: random.pick(others), tokens });
    const postings: Part['postings'] = [
      [memberId, -tokens],
      [body.recipientId, tokens],
    ];
    const parts = [{ mark: `points.transferred ${key}`, memberId, tokens, postings }];
    const path = `/members/${memberId}/transfer`;
    return { idempotencyKey: key, method: 'PATCH', path, body, parts, reported: transactionId };
  }

  #batch(random: Random): Write {
    const { key, body } = this.#named({ atomic: random.isTrue(0.5) });
    const entries = Array.from({ length: random.between(2, 12) }, (_, index) => ({
      memberId: random.pick(this.members),
      tokens: random.between(1, MAX_TOKENS) * (random.isTrue(0.6) ? 1 : -1),
      description: `${key}.${index}`,
    }));
    return {
      idempotencyKey: key,
      method: 'PATCH',
      path: '/members/tokenBalance',
      body: { ...body, entries },
      parts: entries.map((each) => changed(each.description, each.memberId, each.tokens)),
      reported: ({ results }) =>
        results.map((result: { transactionId?: number }) => result.transactionId ?? 'refused'),
    };
  }

  #hold(random: Random, memberId: string, tokens: number): Write {
    const expiresInSeconds = random.isTrue(0.2) ? 1 : 3_600;
    const { key, body } = this.#named({ tokens, expiresInSeconds });
    const parts = [{ mark: `points.held ${key}`, memberId, tokens, postings: [] }];
    const reported = ({ holdId }: Answer['json']): Reported[] => [holdId];
    return {
      idempotencyKey: key,
      method: 'POST',
      path: `/members/${memberId}/holds`,
      body,
      parts,
      reported,
    };
  }

  #capture(random: Random): Write | null {
    const hold = this.#takeHold(random, ({ left, next }) => left <= next);
    if (!hold) return null;
    const { holdId, memberId } = hold;
    const tokens = hold.next++;
    hold.left -= tokens;
    const recipientId = random.pick([null, random.pick(this.members)]);
    const isGiven = recipientId !== null && recipientId !== memberId;
    const postings: Part['postings'] = [[memberId, -tokens]];
    if (isGiven) postings.push([recipientId, tokens]);
    const mark = `points.captured ${holdId} ${tokens}`;
    const body = { tokens, ...(isGiven && { recipientId }) };
    const parts = [{ mark, memberId, tokens, postings }];
    const path = `/holds/${holdId}/capture`;
    const idempotencyKey = this.#nextKey();
    return { idempotencyKey, method: 'POST', path, body, parts, reported: transactionId };
  }

  #release(random: Random): Write | null {
    const hold = this.#takeHold(random, () => true);
    if (!hold) return null;
    const { holdId, memberId } = hold;
    // Only the service knows how much is left: captures may be in flight.
    const parts = [{ mark: `points.released ${holdId}`, memberId, tokens: 0, postings: [] }];
    const reported = (): Reported[] => ['unreported'];
    const path = `/holds/${holdId}/release`;
    const idempotencyKey = this.#nextKey();
    return { idempotencyKey, method: 'POST', path, body: {}, parts, reported };
  }

  #reversal(random: Random): Write | null {
    const reversible = this.movements.filter(({ mark }) => !mark.startsWith('points.reversed'));
    if (reversible.length === 0) return null;
    const original = random.pick(reversible);
    const tokens = random.between(1, original.tokens);
    const { key, body } = this.#named({ tokens });
    const postings = original.postings.map(([id, moved]): [string, number] => [
      id,
      -Math.sign(moved) * tokens,
    ]);
    const memberId = postings[0]?.[0] ?? '';
    const parts = [{ mark: `points.reversed ${key}`, memberId, tokens, postings }];
    const path = `/transactions/${original.seq}/reversal`;
    return { idempotencyKey: key, method: 'POST', path, body, parts, reported: transactionId };
  }

  /** One of the open holds; it is removed if this is its last use. */
  #takeHold(random: Random, isLast: (hold: OpenHold) => boolean): OpenHold | null {
    if (this.#holds.length === 0) return null;
    const place = random.between(0, this.#holds.length - 1);
    const hold = this.#holds[place] as OpenHold;
    if (isLast(hold)) this.#holds.splice(place, 1);
    return hold;
  }
}

function changed(description: string, memberId: string, tokens: number): Part {
  const type = tokens > 0 ? 'points.added' : 'points.subtracted';
  const postings: Part['postings'] = [[memberId, tokens]];
  return { mark: `${type} ${description}`, memberId, tokens: Math.abs(tokens), postings };
}

function keepLast<T>(list: T[], one: T): void {
  list.push(one);
  if (list.length > MAX_KNOWN) list.shift();
}
