import type { Command } from '../../src/domain/commands.ts';
import type { ModelHold, ModelTransaction, Movement, Of, Side } from './model-parts.ts';
import { floorOf, KINDS, Refusal, refuse, sidesOf } from './model-parts.ts';

/**
 * A second, much simpler implementation of the rules, over a list of movements. The property tests
 * compare `decide` with it.
 */
export class Model {
  statuses = new Map<string, 'active' | 'frozen' | 'removed'>();
  names = new Map<string, string | null>();
  readonly movements: Movement[] = [];
  readonly holds = new Map<number, ModelHold>();
  readonly #transactions = new Map<number, ModelTransaction>();
  readonly #done = new Map<string, [request: string, result: string]>();
  now = 0;
  /** The `seq` of the journal's last record. */
  seq = 0;
  #nextId = 1;

  /** The code of the refusal, or `ok` with the numbers of the answer. */
  apply(command: Command): string {
    const { idempotency } = command;
    const before = idempotency && this.#done.get(idempotency.key);
    if (before) {
      return before[0] === idempotency.fingerprint ? before[1] : 'idempotency-key-reused';
    }
    return this.#attempt(() => {
      const result = ['ok', ...this.#execute(command)].join(' ');
      if (idempotency) this.#done.set(idempotency.key, [idempotency.fingerprint, result]);
      return result;
    });
  }

  /** The result, or the code of a refusal, of which nothing remains. */
  #attempt(act: () => string): string {
    const [seq, nextId, movements] = [this.seq, this.#nextId, this.movements.length];
    const [statuses, names] = [new Map(this.statuses), new Map(this.names)];
    try {
      return act();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (let at = seq + 1; at <= this.seq; at++) this.#transactions.delete(at);
      [this.seq, this.#nextId, this.movements.length] = [seq, nextId, movements];
      [this.statuses, this.names] = [statuses, names];
      return error.message;
    }
  }

  /** One after another; in an atomic batch the first refusal is that of the whole batch. */
  #each<E>(atomic: boolean, entries: readonly E[], one: (entry: E) => string): string[] {
    return entries.map((entry) => (atomic ? one(entry) : this.#attempt(() => one(entry))));
  }

  balance(member: string, kind: string): number {
    return this.movements.findLast((m) => m.member === member && m.kind === kind)?.balance ?? 0;
  }

  status(hold: ModelHold): string {
    return hold.status === 'open' && hold.expiresAt <= this.now ? 'expired' : hold.status;
  }

  held(member: string, kind: string): number {
    return [...this.holds.values()]
      .filter((h) => h.member === member && h.kind === kind && this.status(h) === 'open')
      .reduce((sum, hold) => sum + hold.tokens - hold.captured, 0);
  }

  #execute(command: Command): (number | string)[] {
    switch (command.type) {
      case 'member.create':
        return this.#create(command.memberId ?? '');
      case 'member.put':
        return this.#put(command);
      case 'member.batch':
        return this.#each(command.atomic, command.members, (one) => this.#enrol(one));
      case 'member.update':
        return this.#freeze(command.memberId, command.status ?? 'active');
      case 'member.remove':
        return this.#remove(command);
      case 'points.change':
        return this.#change(command.memberId, command.realmPointId ?? 'points', command.tokens);
      case 'points.batch':
        return this.#each(command.atomic, command.entries, (one) => this.#changeEntry(one));
      case 'points.transfer':
        return this.#transfer(command.memberId, command.recipientId, command);
      case 'hold.create':
        return this.#hold(command);
      case 'hold.capture':
        return this.#capture(command);
      case 'hold.release':
        return this.#release(this.#openHold(command.holdId), 'released');
      case 'hold.expire':
        return this.#expire(command.holdId);
      case 'points.reverse':
        return this.#reverse(command);
      default:
        throw new Error(`the model lacks ${command.type}`);
    }
  }

  #requireMember(id: string, code = 'member-not-found'): void {
    const status = this.statuses.get(id);
    if (status === undefined || status === 'removed') refuse(code);
  }

  #refuseFrozen(...ids: (string | null)[]): void {
    if (ids.some((id) => id !== null && this.statuses.get(id) === 'frozen'))
      refuse('member-frozen');
  }

  /** Adds one record with its movements, unless a balance would exceed its ceiling. */
  #move(sides: Side[]): number[] {
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

  /** Moves points of a member, and the opposite amount of a recipient; this can be reversed. */
  #transact(kind: string, tokens: number, member: string, recipient: string | null = null) {
    const after = this.#move(sidesOf(kind, tokens, member, recipient));
    const sign = tokens > 0 ? 1 : -1;
    const left = Math.abs(tokens);
    this.#transactions.set(this.seq, { member, recipient, kind, sign, left });
    return after;
  }

  #refuseOverdraft(member: string, kind: string, tokens: number, floor = floorOf(kind)): void {
    const available = this.balance(member, kind) - this.held(member, kind);
    if (available - tokens < floor) refuse('insufficient-points');
  }

  #create(id: string): string[] {
    if (this.statuses.has(id) && this.statuses.get(id) !== 'removed') refuse('member-exists');
    this.statuses.set(id, 'active');
    this.names.set(id, null);
    this.seq += 1;
    return [];
  }

  #put({ memberId: id, fields }: Of<'member.put'>): string[] {
    const isNew = (this.statuses.get(id) ?? 'removed') === 'removed';
    if (isNew) this.#create(id);
    const { displayName = this.names.get(id) ?? null } = fields;
    if (!isNew && displayName !== this.names.get(id)) this.seq += 1;
    this.names.set(id, displayName);
    return isNew ? ['new'] : [];
  }

  #enrol({ memberId, balances }: Of<'member.batch'>['members'][number]): string {
    const id = memberId ?? this.#assignedId();
    this.#create(id);
    const opened = balances.flatMap(({ realmPointId: kind, tokens }) => {
      if (tokens === 0) return [];
      if (tokens < 0) this.#refuseOverdraft(id, kind, -tokens);
      return this.#transact(kind, tokens, id);
    });
    return [id, ...opened].join(':');
  }

  #assignedId(): string {
    while (this.statuses.has(String(this.#nextId))) this.#nextId += 1;
    return String(this.#nextId++);
  }

  #changeEntry({ memberId, realmPointId, tokens }: Of<'points.batch'>['entries'][number]): string {
    const kind = realmPointId ?? 'points';
    this.#requireMember(memberId);
    if (tokens === 0) return String(this.balance(memberId, kind));
    return String(this.#change(memberId, kind, tokens));
  }

  #freeze(id: string, status: 'active' | 'frozen'): string[] {
    this.#requireMember(id);
    if (this.statuses.get(id) !== status) this.seq += 1;
    this.statuses.set(id, status);
    return [];
  }

  #remove({ memberId: id, forfeit, erase = false }: Of<'member.remove'>): string[] {
    if (!erase || this.statuses.get(id) !== 'removed') this.#hide(id, forfeit);
    if (erase && this.names.delete(id)) this.seq += 1;
    return [];
  }

  #hide(id: string, forfeit: boolean): void {
    this.#requireMember(id);
    const kinds = Object.keys(KINDS).sort();
    if (!forfeit && kinds.some((kind) => this.balance(id, kind) !== 0)) refuse('balance-not-zero');
    for (const kind of kinds) {
      for (const hold of this.holds.values()) {
        const isOpen = hold.member === id && hold.kind === kind && hold.status === 'open';
        const isExpired = this.status(hold) === 'expired';
        if (isOpen) this.#release(hold, isExpired ? 'expired' : 'released');
      }
      const balance = this.balance(id, kind);
      if (balance !== 0) this.#transact(kind, -balance, id);
    }
    this.statuses.set(id, 'removed');
    this.seq += 1;
  }

  #change(member: string, kind: string, tokens: number): number[] {
    this.#requireMember(member);
    this.#refuseFrozen(member);
    if (tokens < 0) this.#refuseOverdraft(member, kind, -tokens);
    return this.#transact(kind, tokens, member);
  }

  #transfer(from: string, to: string, requested: { tokens: number; realmPointId: string | null }) {
    const [tokens, kind] = [requested.tokens, requested.realmPointId ?? 'points'];
    this.#requireMember(from);
    this.#requireMember(to, 'recipient-not-found');
    if (from === to) refuse('self-transfer');
    if (!KINDS[kind]?.transferable) refuse('not-transferable');
    this.#refuseFrozen(from, to);
    this.#refuseOverdraft(from, kind, tokens);
    return this.#transact(kind, -tokens, from, to);
  }

  #hold(command: Of<'hold.create'>): number[] {
    const { memberId: member, tokens } = command;
    const kind = command.realmPointId ?? 'points';
    this.#requireMember(member);
    this.#refuseFrozen(member);
    this.#refuseOverdraft(member, kind, tokens);
    this.seq += 1;
    const expiresAt = this.now + command.expiresInSeconds * 1000;
    this.holds.set(this.seq, { member, kind, tokens, captured: 0, status: 'open', expiresAt });
    return [this.seq];
  }

  #openHold(id: number, recipient: string | null = null): ModelHold {
    const hold = this.holds.get(id);
    if (!hold || this.statuses.get(hold.member) === 'removed') return refuse('hold-not-found');
    if (recipient !== null) this.#requireMember(recipient, 'recipient-not-found');
    if (this.status(hold) !== 'open') refuse('hold-closed');
    return hold;
  }

  #capture({ holdId, tokens: requested, recipientId }: Of<'hold.capture'>) {
    const hold = this.#openHold(holdId, recipientId);
    const { member, kind } = hold;
    if (recipientId === member) refuse('self-transfer');
    if (recipientId !== null && !KINDS[kind]?.transferable) refuse('not-transferable');
    this.#refuseFrozen(member, recipientId);
    const left = hold.tokens - hold.captured;
    const tokens = requested ?? left;
    if (tokens > left) refuse('hold-exceeded');
    const after = this.#transact(kind, -tokens, member, recipientId);
    hold.captured += tokens;
    if (hold.captured === hold.tokens) hold.status = 'captured';
    return after;
  }

  #release(hold: ModelHold, status: string): string[] {
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

  #reverse({ transactionId, tokens: requested, force }: Of<'points.reverse'>) {
    const original = this.#transactions.get(transactionId);
    if (!original) {
      const reversal = this.movements.filter((m) => m.seq === transactionId);
      for (const side of reversal) this.#requireMember(side.member);
      return refuse(reversal.length > 0 ? 'not-reversible' : 'transaction-not-found');
    }
    const { member, recipient, kind, sign } = original;
    this.#requireMember(member);
    if (recipient !== null) this.#requireMember(recipient);
    const tokens = requested ?? original.left;
    if (tokens > original.left || original.left === 0) refuse('reversal-exceeded');
    this.#refuseFrozen(member, recipient);
    const floor = force ? floorOf(kind) : Math.max(0, floorOf(kind));
    const debtor = sign === 1 ? member : recipient;
    if (debtor !== null) this.#refuseOverdraft(debtor, kind, tokens, floor);
    const after = this.#move(sidesOf(kind, -sign * tokens, member, recipient));
    original.left -= tokens;
    return after;
  }
}
