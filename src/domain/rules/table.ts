import type { Change } from '../facts.ts';

/**
 * How to undo the changes of the current command if it is refused. Each is told how long the log
 * will be when all is undone: what was done before that stays.
 */
export type UndoLog = ((savepoint: number) => void)[];

/** Undoes the current command, or only what it did since the log had this length. */
export function rollBack(undo: UndoLog, savepoint = 0): void {
  while (undo.length > savepoint) undo.pop()?.(savepoint);
}

/** What some rows of a table have in common; null for a row that is in no group. */
type GroupOf<V> = (row: V) => string | null;

const NO_ROWS: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * Rows by key: the facts, overlaid with the batch's changes so far. `Books` has a dozen tables and
 * a command uses few of them, so their maps and indexes are built on first use.
 */
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
