/** Something that waits for its turn. */
export interface Waiting {
  /** The name of the line that it waits in, such as its realm. */
  readonly line: string;
  /** How much work it is; more than 0. */
  readonly cost: number;
  /** Set by `Turns`: its number in the order of arrival. */
  arrival: number;
}

/** How much may wait, by cost. A line with nothing waiting always admits. */
interface WaitingLimits {
  perLine: number;
  /** Once this much waits, lines that have more than an equal share of it are full. */
  inAll: number;
}

/** What waits for the turns of one name, in order of arrival. */
interface Line<T> {
  readonly name: string;
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
 * Work that waits in lines, such as one for each realm, which take turns: fair queuing by virtual
 * time. The turn of a line starts where its last one ended, or now if that is later, and lasts as
 * long as it costs. The turn that ends first is taken next. So lines with much work get equal
 * shares by cost, whatever the size of each item, and an item of a line with little waits for at
 * most one of each other line, in most cases for none.
 */
export class Turns<T extends Waiting> {
  readonly #limits: WaitingLimits;
  readonly #lines = new Map<string, Line<T>>();
  /** A binary heap of the lines that take turns: none comes before its parent. */
  readonly #heap: Line<T>[] = [];
  /** Where the last turns ended of lines in which nothing waits. */
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

  /** How many items take turns; those of paused lines do not. */
  get length(): number {
    return this.#length;
  }

  /** The names of the lines in which something waits. */
  get lines(): Iterable<string> {
    return this.#lines.keys();
  }

  has(name: string): boolean {
    return this.#lines.has(name);
  }

  /** The cost of all that waits in a line. */
  costOf(name: string): number {
    return this.#lines.get(name)?.cost ?? 0;
  }

  /** Adds an item to its line; returns false if the limits do not allow it. */
  add(item: T): boolean {
    const line = this.#lines.get(item.line) ?? this.#newLine(item.line);
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

  /** Removes and returns the first item of a line, out of turn. */
  takeFrom(name: string): T | undefined {
    const line = this.#lines.get(name);
    return line && this.#takeFirst(line);
  }

  /** The first item of a line. */
  firstOf(name: string): T | undefined {
    const line = this.#lines.get(name);
    return line?.items[line.first];
  }

  /** Takes a line out of the turns: `takeFrom` takes what waits in it, and what arrives. */
  pause(name: string): void {
    const line = this.#lines.get(name) ?? this.#newLine(name);
    if (line.isPaused) return;
    line.isPaused = true;
    this.#length -= line.items.length - line.first;
    if (line.place >= 0) this.#leave(line);
  }

  resume(name: string): void {
    const line = this.#lines.get(name);
    if (!line?.isPaused) return;
    line.isPaused = false;
    this.#length += line.items.length - line.first;
    if (isEmpty(line)) this.#lines.delete(name);
    else this.#enter(line);
  }

  /** Returns items to the front of their line. They were admitted before. */
  putBack(name: string, items: readonly T[]): void {
    const isPaused = this.#lines.get(name)?.isPaused;
    this.pause(name);
    const line = this.#lines.get(name) as Line<T>;
    // Batches that come back may come back in any order.
    const waiting = [...items, ...line.items.slice(line.first)];
    line.items = waiting.sort((a, b) => a.arrival - b.arrival);
    line.first = 0;
    for (const { cost } of items) this.#count(line, cost, 1);
    if (!isPaused) this.resume(name);
  }

  /** Removes and returns everything, that of paused lines included. */
  takeAll(): T[] {
    const all: T[] = [];
    for (const name of [...this.#lines.keys()]) {
      for (let item = this.takeFrom(name); item; item = this.takeFrom(name)) all.push(item);
    }
    return all;
  }

  #isFull(costOfLine: number, cost: number): boolean {
    const { perLine, inAll } = this.#limits;
    if (costOfLine > perLine) return true;
    return this.#cost + cost > inAll && costOfLine > inAll / this.#lines.size;
  }

  #newLine(name: string): Line<T> {
    const line = { name, items: [], first: 0, cost: 0, start: 0, place: -1, isPaused: false };
    this.#lines.set(name, line);
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
    this.#lines.delete(line.name);
    if (this.#heap.length > 0) this.#ends.set(line.name, line.start);
    else this.#ends.clear();
    if (this.#ends.size > this.#maxEnds) this.#forgetEnds();
  }

  /** Of turns that ended before now, the end no longer matters. */
  #forgetEnds(): void {
    for (const [name, end] of this.#ends) if (end <= this.#now) this.#ends.delete(name);
    this.#maxEnds = Math.max(MIN_ENDS, 2 * this.#ends.size);
  }

  #count(line: Line<T>, cost: number, items: number): void {
    line.cost += cost;
    this.#cost += cost;
    if (!line.isPaused) this.#length += items;
  }

  #enter(line: Line<T>): void {
    line.start = Math.max(this.#now, this.#ends.get(line.name) ?? 0);
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
