import type { Command, Enrolment } from '../../src/domain/commands.ts';
import { type Community, OfferModel } from './model-offers.ts';
import type { Entry, ModelHold, ModelTransaction, Movement, Of, Side } from './model-parts.ts';
import { floorOf, KINDS, Refusal, refuse, sidesOf } from './model-parts.ts';

/** A second, much simpler implementation of the rules, which the property tests compare with. */
export class Model implements Community {
  statuses = new Map<string, 'active' | 'frozen' | 'removed'>();
  names = new Map<string, string | null>();
  readonly #enrolledAt = new Map<string, number>();
  readonly movements: Movement[] = [];
  readonly holds = new Map<number, ModelHold>();
  readonly offers = new OfferModel(this);
  readonly #transactions = new Map<number, ModelTransaction>();
  readonly #done = new Map<string, [request: string, result: string]>();
  now = 0;
  /** The `seq` of the journal's last record. */
  seq = 0;
  #nextId = 1;
  readonly #isPresent = (id: string) => (this.statuses.get(id) ?? 'removed') !== 'removed';

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
        return this.#each(command.atomic, command.members, (one) => this.#enrol(one, command));
      case 'member.update':
        return this.#freeze(command.memberId, command.status ?? 'active');
      case 'member.remove':
        return this.#remove(command);
      case 'points.change':
        return this.#change(command);
      case 'points.batch':
        return this.#each(command.atomic, command.entries, (one) => this.#changeEntry(one));
      case 'points.transfer':
        return this.#transfer(command);
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
        return this.offers.execute(command);
    }
  }

  requireMember(id: string, code = 'member-not-found'): void {
    if (!this.#isPresent(id)) refuse(code);
  }

  refuseFrozen(...ids: (string | null)[]): void {
    if (ids.some((id) => this.statuses.get(id ?? '') === 'frozen')) refuse('member-frozen');
  }

  /** Adds one record with its movements, unless a balance would exceed its ceiling. */
  move(sides: Side[]): number[] {
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
    const after = this.move(sidesOf(kind, tokens, member, recipient));
    const sign = tokens > 0 ? 1 : -1;
    this.#transactions.set(this.seq, { member, recipient, kind, sign, left: Math.abs(tokens) });
    return after;
  }

  /** How many points can be spent: all of these, or up to so many. */
  taken(member: string, kind: string, tokens: number, upTo = false, floor = floorOf(kind)) {
    const spendable = this.balance(member, kind) - this.held(member, kind) - floor;
    const taken = upTo ? Math.max(1, Math.min(tokens, spendable)) : tokens;
    return taken > spendable ? refuse('insufficient-points') : taken;
  }

  #create(id: string): string[] {
    if (this.#isPresent(id)) refuse('member-exists');
    this.statuses.set(id, 'active');
    this.names.set(id, null);
    this.#enrolledAt.set(id, this.seq++);
    return [];
  }

  #put({ memberId: id, fields }: Of<'member.put'>): string[] {
    const isNew = !this.#isPresent(id);
    if (isNew) this.#create(id);
    const { displayName = this.names.get(id) ?? null } = fields;
    if (!isNew && displayName !== this.names.get(id)) this.seq += 1;
    this.names.set(id, displayName);
    return isNew ? ['new'] : [];
  }

  #enrol({ memberId, balances }: Enrolment, { opensPresent }: Of<'member.batch'>): string {
    const id = memberId ?? this.#assignedId();
    const isNew = !this.#isPresent(id);
    const since = isNew ? this.seq : (this.#enrolledAt.get(id) ?? 0);
    const moves = this.movements.filter((m) => m.member === id && m.seq > since);
    const moved = new Set(moves.map(({ kind }) => kind));
    const given = balances.filter((one) => one.tokens !== 0 && !moved.has(one.realmPointId));
    if (isNew || !opensPresent || given.length === 0) this.#create(id);
    else this.refuseFrozen(id);
    const opened = given.flatMap(({ realmPointId: kind, tokens }) => {
      if (tokens < 0) this.taken(id, kind, -tokens);
      return this.#transact(kind, tokens, id);
    });
    return [id, ...opened].join(':');
  }

  #assignedId(): string {
    while (this.statuses.has(String(this.#nextId))) this.#nextId += 1;
    return String(this.#nextId++);
  }

  #changeEntry(entry: Entry): string {
    if (entry.recipientId) return String(this.#transfer(entry));
    if (entry.tokens !== 0) return String(this.#change(entry));
    this.requireMember(entry.memberId);
    return String(this.balance(entry.memberId, entry.realmPointId ?? 'points'));
  }

  #freeze(id: string, status: 'active' | 'frozen'): string[] {
    this.requireMember(id);
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
    this.requireMember(id);
    const kinds = Object.keys(KINDS).sort();
    if (!forfeit && kinds.some((kind) => this.balance(id, kind) !== 0)) refuse('balance-not-zero');
    for (const kind of kinds) {
      for (const hold of this.holds.values()) {
        if (hold.member !== id || hold.kind !== kind || hold.status !== 'open') continue;
        this.#release(hold, this.status(hold) === 'expired' ? 'expired' : 'released');
      }
      const balance = this.balance(id, kind);
      if (balance !== 0) this.#transact(kind, -balance, id);
    }
    this.statuses.set(id, 'removed');
    this.seq += 1;
  }

  #change({ memberId: member, tokens, upTo, realmPointId }: Entry): number[] {
    const kind = realmPointId ?? 'points';
    this.requireMember(member);
    this.refuseFrozen(member);
    const moved = tokens < 0 ? -this.taken(member, kind, -tokens, upTo) : tokens;
    return this.#transact(kind, moved, member);
  }

  #transfer({ memberId: from, recipientId: to = '', upTo, ...requested }: Entry) {
    const kind = requested.realmPointId ?? 'points';
    this.requireMember(from);
    this.requireMember(to, 'recipient-not-found');
    if (from === to) refuse('self-transfer');
    if (!KINDS[kind]?.transferable) refuse('not-transferable');
    this.refuseFrozen(from, to);
    const tokens = this.taken(from, kind, requested.tokens, upTo);
    return this.#transact(kind, -tokens, from, to);
  }

  #hold({ memberId: member, tokens, realmPointId, expiresInSeconds }: Of<'hold.create'>): number[] {
    const kind = realmPointId ?? 'points';
    this.requireMember(member);
    this.refuseFrozen(member);
    this.taken(member, kind, tokens);
    this.seq += 1;
    const expiresAt = this.now + expiresInSeconds * 1000;
    this.holds.set(this.seq, { member, kind, tokens, captured: 0, status: 'open', expiresAt });
    return [this.seq];
  }

  #openHold(id: number, recipient: string | null = null): ModelHold {
    const hold = this.holds.get(id);
    if (!hold || this.statuses.get(hold.member) === 'removed') return refuse('hold-not-found');
    if (recipient !== null) this.requireMember(recipient, 'recipient-not-found');
    if (this.status(hold) !== 'open') refuse('hold-closed');
    return hold;
  }

  #capture({ holdId, tokens: requested, recipientId }: Of<'hold.capture'>) {
    const hold = this.#openHold(holdId, recipientId);
    const { member, kind } = hold;
    if (recipientId === member) refuse('self-transfer');
    if (recipientId !== null && !KINDS[kind]?.transferable) refuse('not-transferable');
    this.refuseFrozen(member, recipientId);
    const left = hold.tokens - hold.captured;
    const tokens = requested ?? left;
    if (tokens > left) refuse('hold-exceeded');
    const after = this.#transact(kind, -tokens, member, recipientId);
    hold.captured += tokens;
    if (hold.captured === hold.tokens) hold.status = 'captured';
    return after;
  }

  #release(hold: ModelHold, status: string): string[] {
    this.seq += 1;
    hold.status = status;
    return [status];
  }

  #expire(id: number): string[] {
    const hold = this.holds.get(id) ?? refuse('hold-not-found');
    const isDue = hold.status === 'open' && hold.expiresAt <= this.now;
    return isDue ? this.#release(hold, 'expired') : [hold.status];
  }

  #reverse({ transactionId, tokens: requested, force }: Of<'points.reverse'>) {
    if (this.offers.isOfClaim(transactionId)) refuse('not-reversible');
    const original = this.#transactions.get(transactionId);
    if (!original) {
      const reversal = this.movements.filter((m) => m.seq === transactionId);
      for (const side of reversal) this.requireMember(side.member);
      return refuse(reversal.length > 0 ? 'not-reversible' : 'transaction-not-found');
    }
    const { member, recipient, kind, sign } = original;
    this.requireMember(member);
    if (recipient !== null) this.requireMember(recipient);
    const tokens = requested ?? original.left;
    if (tokens > original.left || original.left === 0) refuse('reversal-exceeded');
    this.refuseFrozen(member, recipient);
    const floor = force ? floorOf(kind) : Math.max(0, floorOf(kind));
    const debtor = sign === 1 ? member : recipient;
    if (debtor !== null) this.taken(debtor, kind, tokens, false, floor);
    const after = this.move(sidesOf(kind, -sign * tokens, member, recipient));
    original.left -= tokens;
    return after;
  }
}
