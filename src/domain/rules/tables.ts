import type { Balance, Change } from '../facts.ts';
import { type Hold, type Sum, sumOf } from '../model.ts';
import { dayOf } from './daily-totals.ts';

/** Undoes the current command. Each is told how long the log will be when all is undone. */
export type UndoLog = ((savepoint: number) => void)[];

/** Undoes the current command, or only what it did since the log had this length. */
export function rollBack(undo: UndoLog, savepoint = 0): void {
  while (undo.length > savepoint) undo.pop()?.(savepoint);
}

/** What some rows of a table have in common; null for a row that is in no group. */
type GroupOf<V> = (row: V) => string | null;

const NO_ROWS: ReadonlyMap<string, never> = new Map<string, never>();

/** Rows by key, overlaid with the batch's changes; maps are built on first use, as most are not. */
export class Table<V extends object> {
  readonly #undo: UndoLog;
  readonly #facts: readonly V[];
  readonly #keyOf: (row: V) => string;
  #rows: Map<string, V> | null = null;
  #changed: Set<string> | null = null;
  #indexes: Map<GroupOf<V>, Groups<V>> | null = null;

  constructor(undo: UndoLog, rows: readonly V[], keyOf: (row: V) => string) {
    this.#undo = undo;
    this.#facts = rows;
    this.#keyOf = keyOf;
  }

  get(key: string): V | undefined {
    return this.#current().get(key);
  }

  get size(): number {
    return this.#current().size;
  }

  values(): MapIterator<V> {
    return this.#current().values();
  }

  /** The rows of one group by key, in no particular order, found without a look at the others. */
  group(groupOf: GroupOf<V>, group: string): ReadonlyMap<string, V> {
    this.#indexes ??= new Map();
    let index = this.#indexes.get(groupOf);
    if (index === undefined) {
      index = new Map();
      this.#indexes.set(groupOf, index);
      for (const [key, row] of this.#current()) addTo(index, groupOf(row), key, row);
    }
    return index.get(group) ?? NO_ROWS;
  }

  set(key: string, row: V | null): void {
    const before = this.#current().get(key);
    this.#changed ??= new Set();
    const changed = this.#changed;
    const wasChanged = changed.has(key);
    this.#undo.push(() => {
      this.#put(key, before);
      if (!wasChanged) changed.delete(key);
    });
    this.#put(key, row ?? undefined);
    changed.add(key);
  }

  changes(): Change<V>[] {
    if (this.#changed === null) return [];
    return Array.from(this.#changed, (key) => ({ key, row: this.#current().get(key) ?? null }));
  }

  #current(): Map<string, V> {
    if (this.#rows === null) {
      this.#rows = new Map();
      for (const row of this.#facts) this.#rows.set(this.#keyOf(row), row);
    }
    return this.#rows;
  }

  #put(key: string, row: V | undefined): void {
    const rows = this.#current();
    if (this.#indexes !== null) {
      const before = rows.get(key);
      for (const [groupOf, index] of this.#indexes) {
        if (before !== undefined) removeFrom(index, groupOf(before), key);
        if (row !== undefined) addTo(index, groupOf(row), key, row);
      }
    }
    if (row === undefined) rows.delete(key);
    else rows.set(key, row);
  }
}

type Groups<V> = Map<string, Map<string, V>>;

function addTo<V>(index: Groups<V>, group: string | null, key: string, row: V): void {
  if (group !== null) index.getOrInsertComputed(group, () => new Map()).set(key, row);
}

function removeFrom(index: Groups<unknown>, group: string | null, key: string): void {
  if (group !== null) index.get(group)?.delete(key);
}

export const balanceKey = (memberId: string, realmPointId: string): string =>
  `${memberId}:${realmPointId}`;

export const noPoints = (memberId: string, realmPointId: string): Balance => {
  const never = { movedAt: null, activeDay: null };
  return { memberId, realmPointId, balance: 0, held: '0', openHolds: 0, ...never };
};

const isOpen = (hold: Hold | undefined): boolean => hold?.status === 'open';

const openOn = (hold: Hold): string | null =>
  isOpen(hold) ? balanceKey(hold.memberId, hold.realmPointId) : null;

const heldBy = (hold: Hold | undefined): bigint =>
  hold?.status === 'open' ? BigInt(hold.tokens - hold.captured) : 0n;

/** What debits may take of a balance now. */
export function spendable(balance: number, held: Sum, minimumBalance: number): Sum {
  const left = BigInt(balance) - BigInt(held) - BigInt(minimumBalance);
  return left > 0n ? sumOf(left) : 0;
}

/** The balances of a realm's members during a batch, and what holds set aside of them. */
export class Balances {
  readonly #rows: Table<Balance>;
  readonly #holds: Table<Hold>;
  readonly #now: number;
  readonly #at: number;

  constructor(
    undo: UndoLog,
    rows: readonly Balance[],
    holds: Table<Hold>,
    { now, at }: { now: number; at: number },
  ) {
    this.#rows = new Table(undo, rows, (row) => balanceKey(row.memberId, row.realmPointId));
    this.#holds = holds;
    this.#now = now;
    this.#at = at;
  }

  of(memberId: string, realmPointId: string): number {
    return this.#rows.get(balanceKey(memberId, realmPointId))?.balance ?? 0;
  }

  movedAt(memberId: string, realmPointId: string): number | null {
    return this.#rows.get(balanceKey(memberId, realmPointId))?.movedAt ?? null;
  }

  /** The part of the balance that is not held; exact, unless it is below every floor. */
  available(memberId: string, realmPointId: string): number {
    const held = this.held(memberId, realmPointId);
    return Number(BigInt(this.of(memberId, realmPointId)) - BigInt(held));
  }

  /** What holds set aside: an expired one is over, recorded or not. */
  held(memberId: string, realmPointId: string): Sum {
    const key = balanceKey(memberId, realmPointId);
    const row = this.#rows.get(key);
    if (!row?.openHolds) return 0;
    let held = BigInt(row.held);
    for (const hold of this.#holds.group(this.#expiredOn, key).values()) held -= heldBy(hold);
    return sumOf(held);
  }

  set(memberId: string, realmPointId: string, balance: number, isActivity: boolean): void {
    const key = balanceKey(memberId, realmPointId);
    const row = this.#rows.get(key) ?? noPoints(memberId, realmPointId);
    const activeDay = isActivity ? Math.max(dayOf(this.#at), row.activeDay ?? 0) : row.activeDay;
    this.#rows.set(key, { ...row, balance, movedAt: this.#at, activeDay });
  }

  /** Of a member that leaves: if it is enrolled again, its points have never moved. */
  remove(memberId: string, realmPointId: string): void {
    this.#rows.set(balanceKey(memberId, realmPointId), null);
  }

  /** Counts holds whose end is not recorded, too: a limit on them bounds what is stored. */
  openHoldCount(memberId: string, realmPointId: string): number {
    return this.#rows.get(balanceKey(memberId, realmPointId))?.openHolds ?? 0;
  }

  /** The holds whose end is not recorded. All of them are known only if they were needed. */
  openHolds(memberId: string, realmPointId: string): Hold[] {
    const open = this.#holds.group(openOn, balanceKey(memberId, realmPointId));
    return [...open.values()].sort((a, b) => a.id - b.id);
  }

  setHold(hold: Hold): void {
    const { memberId, realmPointId } = hold;
    const before = this.#holds.get(String(hold.id));
    this.#holds.set(String(hold.id), hold);
    const key = balanceKey(memberId, realmPointId);
    const row = this.#rows.get(key) ?? noPoints(memberId, realmPointId);
    this.#rows.set(key, {
      ...row,
      held: String(BigInt(row.held) + heldBy(hold) - heldBy(before)),
      openHolds: row.openHolds + Number(isOpen(hold)) - Number(isOpen(before)),
    });
  }

  changes() {
    return this.#rows.changes();
  }

  /** Of a hold that is over although no record says so yet. */
  readonly #expiredOn = (hold: Hold): string | null =>
    hold.expiresAt <= this.#now ? openOn(hold) : null;
}
