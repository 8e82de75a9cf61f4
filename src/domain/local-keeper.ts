import type { AnswerTo, CommandName, CommandOf, Outcome } from './commands.ts';
import { CommitQueue } from './commit-queue.ts';
import type { Keeper } from './keeper.ts';
import type { Answer, Ask, QueryName } from './queries.ts';
import type { Housekeeping, Store } from './store.ts';

/** A keeper in this thread: the commit queue before a store. */
export class LocalKeeper implements Keeper {
  readonly housekeeping: Housekeeping;
  readonly #store: Store;
  readonly #queue: CommitQueue;

  constructor(store: Store, clock: () => number = Date.now) {
    this.#store = store;
    this.#queue = new CommitQueue(store, clock);
    this.housekeeping = store.housekeeping;
  }

  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> {
    // The name of a command decides the type of its answer; the compiler can't follow the union.
    return this.#queue.push(command as never) as Promise<Outcome<AnswerTo<N>>>;
  }

  async ask<N extends QueryName>(name: N, ask: Ask<N>): Promise<Answer<N>> {
    return await this.#store.reader[name](ask);
  }

  async close(): Promise<void> {
    await this.#queue.drained();
    await this.#store.close();
  }
}
