/** Something that waits for its turn. */
export interface Waiting {
  readonly realmId: string;
  /** How much work it is; more than 0. */
  readonly cost: number;
  /** Set by `Turns`: its number in the order of arrival. */
  arrival: number;
}

/** How much may wait, by cost. A realm with nothing waiting is always admitted. */
interface WaitingLimits {
  perRealm: number;
  /** Once this much waits, realms that have more than an equal share of it are refused. */
  inAll: number;
}

/** What waits of one realm, in order of arrival. */
interface Line<T> {
  readonly realmId: string;
  items: T[];
  /** The index of the first item that still waits. */
  first: number;
  cost: number;
  /** The virtual time at which the turn of the first item starts. */
  start: number;
  /** The index in the heap; -1 while the line is empty or paused. */
  place: number;
  isPaused: boolean;
}

/** Items that were taken stay in a line's array until there are this many of them. */
const MAX_TAKEN = 1_000;
/** Ends of turns are looked through when there are more of them than this. */
const MIN_ENDS = 1_000;

/**
 * Work that waits, taken in turns by realm: fair queuing by virtual time. The turn of a realm
 * starts where its last one ended, or now if that is later, and lasts as long as it
 * costs. The turn that ends first is taken next. So realms that ask for much get equal shares by
 * cost, whatever the size of each item, and an item of a realm that asks for little waits for at
 * most one of each other realm, in most cases for none.
 */
export class Turns<T extends Waiting> {
  readonly #limits: WaitingLimits;
  readonly #lines = new Map<string, Line<T>>();
  /** A binary heap of the lines that take turns: none comes before its parent. */
  readonly #heap: Line<T>[] = [];
  /** Where the last turns of realms ended of which nothing waits. */
  readonly #ends = new Map<string, number>();
  #maxEnds = MIN_ENDS;
  /** The latest start of a turn that was taken. */
  #now = 0;
  #arrivals = 0;
  #cost = 0;
  #length = 0;

  constructor(limits: WaitingLimits) {
    this.#limits = limits;
  }

  /** How many items take turns; those of paused realms do not. */
  get length(): number {
    return this.#length;
  }

  /** The realms of which something waits. */
  get realms(): Iterable<string> {
    return this.#lines.keys();
  }

  has(realmId: string): boolean {
    return this.#lines.has(realmId);
  }

  /** Adds an item to its realm's line; returns false if the limits do not allow it. */
  add(item: T): boolean {
    const line = this.#lines.get(item.realmId) ?? this.#newLine(item.realmId);
    if (!isEmpty(line) && this.#isFull(line.cost + item.cost, item.cost)) return false;
    item.arrival = this.#arrivals++;
    line.items.push(item);
    this.#count(line, item.cost, 1);
    if (line.place < 0 && !line.isPaused) this.#enter(line);
    return true;
  }

  /** Removes and returns the item whose turn it is. */
  take(): T | undefined {
    const line = this.#heap[0];
    if (!line) return undefined;
    this.#now = Math.max(this.#now, line.start);
    return this.#takeFirst(line);
  }

  /** Removes and returns the first item of a realm, out of turn. */
  takeFrom(realmId: string): T | undefined {
    const line = this.#lines.get(realmId);
    return line && this.#takeFirst(line);
  }

  /** The first item of a realm. */
  firstOf(realmId: string): T | undefined {
    const line = this.#lines.get(realmId);
    return line?.items[line.first];
  }

  /** Takes a realm out of the turns: `takeFrom` takes what waits of it, and what arrives. */
  pause(realmId: string): void {
    const line = this.#lines.get(realmId) ?? this.#newLine(realmId);
    if (line.isPaused) return;
    line.isPaused = true;
    this.#length -= line.items.length - line.first;
    if (line.place >= 0) this.#leave(line);
  }

  resume(realmId: string): void {
    const line = this.#lines.get(realmId);
    if (!line?.isPaused) return;
    line.isPaused = false;
    this.#length += line.items.length - line.first;
    if (isEmpty(line)) this.#lines.delete(realmId);
    else this.#enter(line);
  }

  /** Returns items to the front of a paused realm's line. They were admitted before. */
  putBack(realmId: string, items: readonly T[]): void {
    const line = this.#lines.get(realmId);
    if (!line?.isPaused) throw new Error('items are put back only while their realm is paused');
    // Batches that come back may come back in any order.
    const waiting = [...items, ...line.items.slice(line.first)];
    line.items = waiting.sort((a, b) => a.arrival - b.arrival);
    line.first = 0;
    for (const { cost } of items) this.#count(line, cost, 1);
  }

  /** Removes and returns everything, that of paused realms included. */
  takeAll(): T[] {
    const all: T[] = [];
    for (const realmId of [...this.#lines.keys()]) {
      for (let item = this.takeFrom(realmId); item; item = this.takeFrom(realmId)) all.push(item);
    }
    return all;
  }

  #isFull(costOfRealm: number, cost: number): boolean {
    const { perRealm, inAll } = this.#limits;
    if (costOfRealm > perRealm) return true;
    return this.#cost + cost > inAll && costOfRealm > inAll / this.#lines.size;
  }

  #newLine(realmId: string): Line<T> {
    const line = { realmId, items: [], first: 0, cost: 0, start: 0, place: -1, isPaused: false };
    this.#lines.set(realmId, line);
    return line;
  }

  #takeFirst(line: Line<T>): T | undefined {
    const item = line.items[line.first];
    if (!item) return undefined;
    line.first += 1;
    if (line.first === MAX_TAKEN) {
      line.items.splice(0, MAX_TAKEN);
      line.first = 0;
    }
    this.#count(line, -item.cost, -1);
    if (line.isPaused) return item;
    line.start += item.cost;
    if (isEmpty(line)) this.#end(line);
    else this.#sink(line, line.place);
    return item;
  }

  #end(line: Line<T>): void {
    this.#leave(line);
    this.#lines.delete(line.realmId);
    if (this.#heap.length > 0) this.#ends.set(line.realmId, line.start);
    else this.#ends.clear();
    if (this.#ends.size > this.#maxEnds) this.#forgetEnds();
  }

  /** Of turns that ended before now, the end no longer matters. */
  #forgetEnds(): void {
    for (const [realmId, end] of this.#ends) if (end <= this.#now) this.#ends.delete(realmId);
    this.#maxEnds = Math.max(MIN_ENDS, 2 * this.#ends.size);
  }

  #count(line: Line<T>, cost: number, items: number): void {
    line.cost += cost;
    this.#cost += cost;
    if (!line.isPaused) this.#length += items;
  }

  #enter(line: Line<T>): void {
    line.start = Math.max(this.#now, this.#ends.get(line.realmId) ?? 0);
    this.#heap.push(line);
    this.#rise(line, this.#heap.length - 1);
  }

  #leave(line: Line<T>): void {
    const last = this.#heap.pop() as Line<T>;
    if (last !== line) {
      this.#rise(last, line.place);
      this.#sink(last, last.place);
    }
    line.place = -1;
  }

  /** Moves a line from a place towards the top. */
  #rise(line: Line<T>, from: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#heap[parent] as Line<T>;
      if (!isBefore(line, above)) break;
      this.#put(above, place);
      place = parent;
    }
    this.#put(line, place);
  }

  /** Moves a line from a place towards the bottom. */
  #sink(line: Line<T>, from: number): void {
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      const left = this.#heap[child];
      const right = this.#heap[child + 1];
      if (!left) break;
      const isRight = right !== undefined && isBefore(right, left);
      if (isRight) child += 1;
      const below = isRight ? right : left;
      if (!isBefore(below, line)) break;
      this.#put(below, place);
      place = child;
    }
    this.#put(line, place);
  }

  #put(line: Line<T>, place: number): void {
    this.#heap[place] = line;
    line.place = place;
  }
}

const isEmpty = ({ items, first }: Line<unknown>): boolean => first === items.length;

/** Whether the turn of a line ends before that of another. */
function isBefore<T extends Waiting>(a: Line<T>, b: Line<T>): boolean {
  const first = a.items[a.first] as T;
  const second = b.items[b.first] as T;
  const difference = a.start + first.cost - (b.start + second.cost);
  return difference < 0 || (difference === 0 && first.arrival < second.arrival);
}
