import type { Change } from '../facts.ts';

/** How to undo the changes of the current command if it is refused. */
export type UndoLog = (() => void)[];

/** Undoes the current command, or only what it did since the log had this length. */
export function rollBack(undo: UndoLog, savepoint = 0): void {
  while (undo.length > savepoint) undo.pop()?.();
}

/**
 * Rows by key: the facts, overlaid with the batch's changes so far. `Books` has a dozen tables and
 * a command uses few of them, so their maps are built on first use.
 */
export class Table<V extends object> {
  readonly #undo: UndoLog;
  readonly #facts: readonly V[];
  readonly #keyOf: (row: V) => string;
  #rows: Map<string, V> | null = null;
  #changed: Set<string> | null = null;

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
    if (row === undefined) this.#current().delete(key);
    else this.#current().set(key, row);
  }
}
