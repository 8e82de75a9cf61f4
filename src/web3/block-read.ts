import type { Said, TokenCall } from './token-calls.ts';

export interface Answers {
  /** The block at whose end everything was so. */
  block: number;
  /** What each call came to, in order. */
  said: Said[];
}

/** Calls that belong together, and who waits for what they come to. */
export interface Asked {
  calls: readonly TokenCall[];
  resolve: (answers: Answers) => void;
  reject: (error: unknown) => void;
}

/**
 * What several askers want to know at one block, each call once. An asker has its answers as soon
 * as all of its own calls are told, whatever becomes of the calls of others.
 */
export class Round {
  readonly block: number;
  readonly #calls = new Map<string, TokenCall>();
  readonly #said = new Map<string, Said>();
  readonly #askers = new Map<string, Asked[]>();
  /** How many calls of an asker are not told yet. */
  readonly #left = new Map<Asked, number>();

  constructor(asked: Iterable<Asked>, block: number) {
    this.block = block;
    for (const asker of asked) this.#join(asker);
  }

  get waiting(): Asked[] {
    return [...this.#left.keys()];
  }

  /** The calls that nothing was told of so far. */
  get untold(): TokenCall[] {
    return [...this.#calls.entries()].flatMap(([key, call]) => (this.#said.has(key) ? [] : [call]));
  }

  hasAnswer(): boolean {
    return this.#said.values().some((said) => said !== 'nothing' && said !== 'unknown');
  }

  tell(call: TokenCall, said: Said): void {
    const key = keyOf(call);
    if (this.#said.has(key)) return;
    this.#said.set(key, said);
    for (const asker of this.#askers.get(key) ?? []) {
      const left = (this.#left.get(asker) ?? 0) - 1;
      this.#left.set(asker, left);
      if (left === 0) this.#answer(asker);
    }
  }

  #join(asker: Asked): void {
    const calls = new Map(asker.calls.map((call) => [keyOf(call), call]));
    for (const [key, call] of calls) {
      this.#calls.set(key, call);
      const askers = this.#askers.get(key);
      if (askers) askers.push(asker);
      else this.#askers.set(key, [asker]);
    }
    this.#left.set(asker, calls.size);
    if (calls.size === 0) this.#answer(asker);
  }

  #answer(asker: Asked): void {
    this.#left.delete(asker);
    const said = asker.calls.map((call) => this.#said.get(keyOf(call)) ?? 'unknown');
    asker.resolve({ block: this.block, said });
  }
}

const keyOf = ({ to, data }: TokenCall): string => `${to} ${data}`;
