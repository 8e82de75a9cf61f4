import type { Change } from './facts.ts';

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

/** Rows by key: what was loaded, overlaid with what the batch has changed so far. */
export class Table<V extends object> {
  readonly #rows = new Map<string, V>();
  readonly #changed = new Set<string>();
  readonly #undo: UndoLog;

  constructor(undo: UndoLog, rows: readonly V[], keyOf: (row: V) => string) {
    this.#undo = undo;
    for (const row of rows) this.#rows.set(keyOf(row), row);
  }

  get(key: string): V | undefined {
    return this.#rows.get(key);
  }

  values(): MapIterator<V> {
    return this.#rows.values();
  }

  set(key: string, row: V | null): void {
    const before = this.#rows.get(key);
    const wasChanged = this.#changed.has(key);
    this.#undo.push(() => {
      this.#put(key, before);
      if (!wasChanged) this.#changed.delete(key);
    });
    this.#put(key, row ?? undefined);
    this.#changed.add(key);
  }

  changes(): Change<V>[] {
    return Array.from(this.#changed, (key) => ({ key, row: this.#rows.get(key) ?? null }));
  }

  #put(key: string, row: V | undefined): void {
    if (row === undefined) this.#rows.delete(key);
    else this.#rows.set(key, row);
  }
}
