import type { Command } from '../../src/domain/commands.ts';

/**
 * What the rules should do, said a second time in the simplest words: a list of movements, from
 * which every balance is added up anew each time. The property tests hold `decide` against it.
 */
interface Movement {
  seq: number;
  member: string;
  kind: string;
  tokens: number;
  balance: number;
}

interface Moved {
  member: string;
  recipient: string | null;
  kind: string;
  tokens: number;
  sign: 1 | -1;
  left: number;
}

interface Held {
  member: string;
  kind: string;
  tokens: number;
  captured: number;
  status: string;
  expiresAt: number;
}

const KINDS: Record<string, { floor: number; ceiling: number; transferable: boolean }> = {
  points: { floor: 0, ceiling: Number.MAX_SAFE_INTEGER, transferable: true },
  gems: { floor: -20, ceiling: 60, transferable: false },
};

class Refusal extends Error {}
const refuse = (code: string): never => {
  throw new Refusal(code);
};

export class Model {
  readonly statuses = new Map<string, 'active' | 'frozen' | 'removed'>();
  readonly movements: Movement[] = [];
  readonly holds = new Map<number, Held>();
  readonly #transactions = new Map<number, Moved>();
  readonly #done = new Map<string, [request: string, result: string]>();
  now = 0;
  /** The last record of the journal. */
  seq = 0;

  /** The refusal's code, or `ok` and the numbers that an answer shows. */
  apply(command: Command): string {
    const { idempotency } = command;
    const before = idempotency && this.#done.get(idempotency.key);
    if (before) {
      return before[0] === idempotency.fingerprint ? before[1] : 'idempotency-key-reused';
    }
    const seq = this.seq;
    try {
      const result = ['ok', ...this.#carryOut(command)].join(' ');
      if (idempotency) this.#done.set(idempotency.key, [idempotency.fingerprint, result]);
      return result;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.seq = seq;
      return error.message;
    }
  }

  balance(member: string, kind: string): number {
    return this.movements.findLast((m) => m.member === member && m.kind === kind)?.balance ?? 0;
  }

  status(hold: Held): string {
    return hold.status === 'open' && hold.expiresAt <= this.now ? 'expired' : hold.status;
  }

  #held(member: string, kind: string): number {
    return [...this.holds.values()]
      .filter((h) => h.member === member && h.kind === kind && this.status(h) === 'open')
      .reduce((sum, hold) => sum + hold.tokens - hold.captured, 0);
  }

  #carryOut(command: Command): (number | string)[] {
    switch (command.type) {
      case 'member.create':
        return this.#create(command.memberId ?? '');
      case 'member.update':
        return this.#freeze(command.memberId, command.status ?? 'active');
      case 'member.remove':
        return this.#remove(command.memberId, command.forfeit);
      case 'points.change':
        return this.#change(command.memberId, command.realmPointId ?? 'points', command.tokens);
      case 'points.transfer':
        return this.#transfer(command.memberId, command.recipientId, command);
      case 'hold.create':
        return this.#hold(command);
      case 'hold.capture':
        return this.#capture(command);
      case 'hold.release':
        return this.#release(this.#open(command.holdId), 'released');
      case 'hold.expire':
        return this.#expire(command.holdId);
      case 'points.reverse':
        return this.#reverse(command);
      default:
        throw new Error(`the model does not know ${command.type}`);
    }
  }

  #here(id: string, code = 'member-not-found'): void {
    const status = this.statuses.get(id);
    if (status === undefined || status === 'removed') refuse(code);
  }

  #thaw(...ids: (string | null)[]): void {
    if (ids.some((id) => id !== null && this.statuses.get(id) === 'frozen'))
      refuse('member-frozen');
  }

  /** Writes one record and its movements; a balance that would pass its ceiling refuses all. */
  #move(sides: [member: string, kind: string, tokens: number][]): number[] {
    const after = sides.map(([member, kind, tokens]) => {
      const next = BigInt(this.balance(member, kind)) + BigInt(tokens);
      if (tokens > 0 && next > BigInt(KINDS[kind]?.ceiling ?? 0)) refuse('balance-limit');
      return Number(next);
    });
    this.seq += 1;
    sides.forEach(([member, kind, tokens], index) => {
      this.movements.push({ seq: this.seq, member, kind, tokens, balance: after[index] ?? 0 });
    });
    return after;
  }

  #afford(member: string, kind: string, tokens: number, floor = KINDS[kind]?.floor ?? 0): void {
    const available = this.balance(member, kind) - this.#held(member, kind);
    if (available - tokens < floor) refuse('insufficient-points');
  }

  #create(id: string): string[] {
    if (this.statuses.has(id) && this.statuses.get(id) !== 'removed') refuse('member-exists');
    this.statuses.set(id, 'active');
    this.seq += 1;
    return [];
  }

  #freeze(id: string, status: 'active' | 'frozen'): string[] {
    this.#here(id);
    if (this.statuses.get(id) !== status) this.seq += 1;
    this.statuses.set(id, status);
    return [];
  }

  #remove(id: string, forfeit: boolean): string[] {
    this.#here(id);
    const kinds = Object.keys(KINDS).sort();
    if (!forfeit && kinds.some((kind) => this.balance(id, kind) !== 0)) refuse('balance-not-zero');
    for (const kind of kinds) {
      for (const hold of this.holds.values()) {
        const isTheirs = hold.member === id && hold.kind === kind && hold.status === 'open';
        const isOver = this.status(hold) === 'expired';
        if (isTheirs) this.#release(hold, isOver ? 'expired' : 'released');
      }
      const balance = this.balance(id, kind);
      if (balance !== 0) this.#move([[id, kind, -balance]]);
      const gone = { member: id, recipient: null, kind, tokens: Math.abs(balance) };
      const sign = balance > 0 ? -1 : 1;
      if (balance !== 0) this.#transactions.set(this.seq, { ...gone, sign, left: gone.tokens });
    }
    this.statuses.set(id, 'removed');
    this.seq += 1;
    return [];
  }

  #change(member: string, kind: string, tokens: number): number[] {
    this.#here(member);
    this.#thaw(member);
    if (tokens < 0) this.#afford(member, kind, -tokens);
    const after = this.#move([[member, kind, tokens]]);
    const amount = Math.abs(tokens);
    const sign = tokens > 0 ? 1 : -1;
    this.#transactions.set(this.seq, {
      member,
      recipient: null,
      kind,
      tokens: amount,
      sign,
      left: amount,
    });
    return after;
  }

  #transfer(from: string, to: string, asked: { tokens: number; realmPointId: string | null }) {
    const [tokens, kind] = [asked.tokens, asked.realmPointId ?? 'points'];
    this.#here(from);
    this.#here(to, 'recipient-not-found');
    if (from === to) refuse('self-transfer');
    if (!KINDS[kind]?.transferable) refuse('not-transferable');
    this.#thaw(from, to);
    this.#afford(from, kind, tokens);
    const after = this.#move([
      [from, kind, -tokens],
      [to, kind, tokens],
    ]);
    this.#transactions.set(this.seq, {
      member: from,
      recipient: to,
      kind,
      tokens,
      sign: -1,
      left: tokens,
    });
    return after;
  }

  #hold(command: Extract<Command, { type: 'hold.create' }>): number[] {
    const { memberId: member, tokens } = command;
    const kind = command.realmPointId ?? 'points';
    this.#here(member);
    this.#thaw(member);
    this.#afford(member, kind, tokens);
    this.seq += 1;
    const expiresAt = this.now + command.expiresInSeconds * 1000;
    this.holds.set(this.seq, { member, kind, tokens, captured: 0, status: 'open', expiresAt });
    return [this.seq];
  }

  #open(id: number, recipient: string | null = null): Held {
    const hold = this.holds.get(id);
    if (!hold || this.statuses.get(hold.member) === 'removed') return refuse('hold-not-found');
    if (recipient !== null) this.#here(recipient, 'recipient-not-found');
    if (this.status(hold) !== 'open') refuse('hold-closed');
    return hold;
  }

  #capture({ holdId, tokens: asked, recipientId }: Extract<Command, { type: 'hold.capture' }>) {
    const hold = this.#open(holdId, recipientId);
    const { member, kind } = hold;
    if (recipientId === member) refuse('self-transfer');
    if (recipientId !== null && !KINDS[kind]?.transferable) refuse('not-transferable');
    this.#thaw(member, recipientId);
    const left = hold.tokens - hold.captured;
    const tokens = asked ?? left;
    if (tokens > left) refuse('hold-exceeded');
    const sides: [string, string, number][] = [[member, kind, -tokens]];
    if (recipientId !== null) sides.push([recipientId, kind, tokens]);
    const after = this.#move(sides);
    hold.captured += tokens;
    if (hold.captured === hold.tokens) hold.status = 'captured';
    this.#transactions.set(this.seq, {
      member,
      recipient: recipientId,
      kind,
      tokens,
      sign: -1,
      left: tokens,
    });
    return after;
  }

  #release(hold: Held, status: string): string[] {
    hold.status = status;
    this.seq += 1;
    return [status];
  }

  #expire(id: number): string[] {
    const hold = this.holds.get(id);
    if (!hold) return refuse('hold-not-found');
    const isDue = hold.status === 'open' && hold.expiresAt <= this.now;
    return isDue ? this.#release(hold, 'expired') : [hold.status];
  }

  #reverse({ transactionId, tokens: asked, force }: Extract<Command, { type: 'points.reverse' }>) {
    const original = this.#transactions.get(transactionId);
    if (!original) {
      const reversal = this.movements.filter((m) => m.seq === transactionId);
      for (const side of reversal) this.#here(side.member);
      return refuse(reversal.length > 0 ? 'not-reversible' : 'transaction-not-found');
    }
    const { member, recipient, kind, sign } = original;
    this.#here(member);
    if (recipient !== null) this.#here(recipient);
    const tokens = asked ?? original.left;
    if (tokens > original.left || original.left === 0) refuse('reversal-exceeded');
    this.#thaw(member, recipient);
    const floor = force ? (KINDS[kind]?.floor ?? 0) : Math.max(0, KINDS[kind]?.floor ?? 0);
    const giver = sign === 1 ? member : recipient;
    if (giver !== null) this.#afford(giver, kind, tokens, floor);
    const sides: [string, string, number][] = [[member, kind, -sign * tokens]];
    if (recipient !== null) sides.push([recipient, kind, sign * tokens]);
    const after = this.#move(sides);
    original.left -= tokens;
    return after;
  }
}
