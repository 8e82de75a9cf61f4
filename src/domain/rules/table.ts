import type { Change } from '../facts.ts';

/** What the current command changed, so that a refusal can take all of it back. */
export class UndoLog {
  #steps: (() => void)[] = [];

  push(step: () => void): void {
    this.#steps.push(step);
  }

  /** The current command stands. */
  keep(): void {
    this.#steps.length = 0;
  }

  /** The current command never was; or, with a mark, what it did since then. */
  takeBack(mark = 0): void {
    while (this.#steps.length > mark) this.#steps.pop()?.();
  }

  mark(): number {
    return this.#steps.length;
  }
}

/**
 * Rows by key: what was loaded, overlaid with what the batch has changed so far. A realm has a
 * dozen of these and a command touches few of them, so the others cost nothing.
 */
export class Table<V extends object> {
  readonly #undo: UndoLog;
  readonly #loaded: readonly V[];
  readonly #keyOf: (row: V) => string;
  #rows: Map<string, V> | null = null;
  #changed: Set<string> | null = null;

  constructor(undo: UndoLog, rows: readonly V[], keyOf: (row: V) => string) {
    this.#undo = undo;
    this.#loaded = rows;
    this.#keyOf = keyOf;
  }

  get(key: string): V | undefined {
    return this.#all().get(key);
  }

  values(): MapIterator<V> {
    return this.#all().values();
  }

  set(key: string, row: V | null): void {
    const before = this.#all().get(key);
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
    return Array.from(this.#changed, (key) => ({ key, row: this.#all().get(key) ?? null }));
  }

  #all(): Map<string, V> {
    if (this.#rows === null) {
      this.#rows = new Map();
      for (const row of this.#loaded) this.#rows.set(this.#keyOf(row), row);
    }
    return this.#rows;
  }

  #put(key: string, row: V | undefined): void {
    if (row === undefined) this.#all().delete(key);
    else this.#all().set(key, row);
  }
}
