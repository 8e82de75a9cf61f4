import type { Command, Enrolment } from '../domain/commands.ts';
import { type QueryName, type QueryParams, VERIFICATION_QUERIES } from '../domain/queries.ts';

/** Something that waits for its turn. */
export interface Waiting {
  readonly realmId: string;
  /** How much work it is, in rows; more than 0. */
  readonly cost: number;
}

/** How much may wait, by cost. A realm with nothing waiting always may. */
export interface QueueLimits {
  perRealm: number;
  /** Once this much waits, a realm that has more than an equal share of it is refused. */
  inAll: number;
}

/** What waits of one realm, in order of arrival. */
interface Line<T> {
  realmId: string;
  number: number;
  items: T[];
  /** The index of the first item that still waits. */
  first: number;
  cost: number;
  /** The virtual time at which the turn of the first item starts. */
  start: number;
}

/** When the turn of a line ends, in virtual time. */
interface Turn<T> {
  end: number;
  line: Line<T>;
}

/** Of turns that end together, that of the line that was first. */
const isBefore = <T>(a: Turn<T>, b: Turn<T>): boolean =>
  a.end < b.end || (a.end === b.end && a.line.number < b.line.number);

/** A heap: to look at every realm took 1.2 ms a turn when 20,000 of them were waiting. */
class Turns<T> {
  readonly #heap: Turn<T>[] = [];

  add(turn: Turn<T>): void {
    let at = this.#heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#heap[above] as Turn<T>;
      if (isBefore(parent, turn)) break;
      this.#heap[at] = parent;
      at = above;
    }
    this.#heap[at] = turn;
  }

  take(): Turn<T> | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      const next = right && left && isBefore(right, left) ? right : left;
      if (!next || isBefore(last, next)) break;
      heap[at] = next;
      at = 2 * at + (next === left ? 1 : 2);
    }
    heap[at] = last;
    return first;
  }
}

/** Items that were taken stay in a line's array until there are this many of them. */
const MAX_TAKEN = 1_000;

/**
 * A bounded queue in which realms take turns: fair queuing by virtual time. A realm's turn starts
 * where its last one ended, or now if that is later, and lasts as long as it costs. The turn that
 * ends first is taken next. So busy realms get equal shares, and an item of a quiet realm waits for
 * hardly anything.
 */
export class FairQueue<T extends Waiting> {
  readonly #limits: QueueLimits;
  readonly #lines = new Map<string, Line<T>>();
  /** One for each line. Those of items that were taken out of turn are outdated. */
  readonly #turns = new Turns<T>();
  /** Where the last turns ended of realms for which nothing waits. */
  readonly #ends = new Map<string, number>();
  /** How many of these there may be before those that no longer matter are removed. */
  #maxEnds = MAX_TAKEN;
  /** The latest start of a turn that was taken. */
  #now = 0;
  #cost = 0;
  #length = 0;
  #lastNumber = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#length;
  }

  has(realmId: string): boolean {
    return this.#lines.has(realmId);
  }

  /** Returns false if the limits do not allow it. They do not apply to what was accepted before. */
  add(item: T, isAccepted = false): boolean {
    const { realmId, cost } = item;
    const line = this.#lines.get(realmId);
    if (line && !isAccepted && this.#isFull(line.cost + cost, cost)) return false;
    if (line) {
      line.items.push(item);
      line.cost += cost;
    } else {
      const start = Math.max(this.#now, this.#ends.get(realmId) ?? 0);
      const number = ++this.#lastNumber;
      const added = { realmId, number, items: [item], first: 0, cost, start };
      this.#lines.set(realmId, added);
      this.#addTurn(added);
    }
    this.#cost += cost;
    this.#length += 1;
    return true;
  }

  /** Removes and returns the item whose turn it is, unless it costs more than this. */
  take(most = Number.POSITIVE_INFINITY): T | undefined {
    for (let turn = this.#turns.take(); turn; turn = this.#turns.take()) {
      const { line, end } = turn;
      const item = line.items[line.first];
      const isDue = item !== undefined && line.start + item.cost === end;
      const isTooMuch = isDue && item.cost > most;
      if (isDue && !isTooMuch) this.takeFrom(line.realmId);
      this.#addTurn(line);
      if (isDue) return isTooMuch ? undefined : item;
    }
    return undefined;
  }

  /** Removes and returns the first item of a realm, out of turn. */
  takeFrom(realmId: string): T | undefined {
    const line = this.#lines.get(realmId);
    if (!line) return undefined;
    const item = line.items[line.first] as T;
    this.#now = Math.max(this.#now, line.start);
    line.start += item.cost;
    line.first += 1;
    if (line.first === MAX_TAKEN) {
      line.items.splice(0, MAX_TAKEN);
      line.first = 0;
    }
    line.cost -= item.cost;
    this.#cost -= item.cost;
    this.#length -= 1;
    if (line.first === line.items.length) this.#end(line);
    return item;
  }

  /** The same with all items of a realm. */
  takeRealm(realmId: string): T[] {
    const all: T[] = [];
    for (let item = this.takeFrom(realmId); item; item = this.takeFrom(realmId)) all.push(item);
    return all;
  }

  takeAll(): T[] {
    const all: T[] = [];
    for (let item = this.take(); item; item = this.take()) all.push(item);
    return all;
  }

  #isFull(costOfRealm: number, cost: number): boolean {
    const { perRealm, inAll } = this.#limits;
    if (costOfRealm > perRealm) return true;
    return this.#cost + cost > inAll && costOfRealm > inAll / this.#lines.size;
  }

  #addTurn(line: Line<T>): void {
    const next = line.items[line.first];
    if (next) this.#turns.add({ line, end: line.start + next.cost });
  }

  #end({ realmId, start }: Line<T>): void {
    this.#lines.delete(realmId);
    if (this.#lines.size === 0) this.#ends.clear();
    else this.#ends.set(realmId, start);
    if (this.#ends.size <= this.#maxEnds) return;
    // Of turns that ended before now, the end no longer matters.
    for (const [name, end] of this.#ends) if (end <= this.#now) this.#ends.delete(name);
    this.#maxEnds = Math.max(MAX_TAKEN, 2 * this.#ends.size);
  }
}

/** The work that a command is, in rows. */
export function costOfCommand(command: Command): number {
  if (command.type === 'points.batch') {
    const described = command.entries.filter(({ description }) => description !== null);
    return Math.max(1, command.entries.length + described.length);
  }
  if (command.type === 'member.create' || command.type === 'member.put') {
    return costOfMember(command);
  }
  if (command.type !== 'member.batch') return 1;
  return command.members.reduce((cost, one) => cost + costOfMember(one) + one.balances.length, 1);
}

const costOfMember = ({ fields, wallets }: Pick<Enrolment, 'fields' | 'wallets'>): number =>
  1 + (fields.accounts?.length ?? 0) + wallets.length;

/** The rows of most lists are far less work than as many members. */
const ROWS_PER_MEMBER = 16;

const OF_MEMBERS: ReadonlySet<QueryName> = new Set([
  'members',
  'namedMembers',
  'sortedMembers',
  'searchMembers',
] as const);

/** The work that a query is, in members that are read. */
export function costOfQuery<N extends QueryName>(name: N, params: QueryParams<N>): number {
  if (name === 'countMembers') return ROWS_COUNTED;
  const rows = rowsOf(params);
  return OF_MEMBERS.has(name) ? rows : Math.ceil(rows / ROWS_PER_MEMBER);
}

/** To look through thousands of members for some takes as long as to read so many. */
const ROWS_LOOKED_THROUGH = 500;
/** A count goes three times as far. */
const ROWS_COUNTED = 3 * ROWS_LOOKED_THROUGH;

/** As many as it asks for. */
function rowsOf(params: QueryParams<QueryName>): number {
  if (params === null) return 1;
  if ('conditions' in params && params.conditions) return ROWS_LOOKED_THROUGH;
  if ('limit' in params) return params.limit;
  if ('wallets' in params) return Math.max(1, params.wallets.length);
  if ('realmIds' in params) return Math.max(1, params.realmIds.length);
  // Each instant is searched for in the journal.
  return 'instants' in params ? 16 * params.instants.length : 1;
}

const UNQUEUED: ReadonlySet<QueryName> = new Set([
  'apiKey',
  'person',
  'session',
  'ready',
  ...VERIFICATION_QUERIES,
] as const);

/**
 * Whether a query waits behind others. The look-up of a key or a session does not, since every
 * request needs it, nor a probe of readiness, nor a check of a realm, which has a queue of its own.
 */
export const takesTurns = (name: QueryName): boolean => !UNQUEUED.has(name);

/** The realm whose turn a query takes; what the service asks for itself takes turns like one. */
export const realmOf = (params: QueryParams<QueryName>): string =>
  params !== null && 'realmId' in params ? params.realmId : '';
