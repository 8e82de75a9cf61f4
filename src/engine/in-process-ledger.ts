import type { AnswerTo, CommandName, CommandOf, Outcome } from '../domain/commands.ts';
import type { QueryName, QueryParams, QueryResult } from '../domain/queries.ts';
import { CommitQueue } from './commit-queue.ts';
import { Unavailable } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { Housekeeping, Store } from './store.ts';

/**
 * A ledger in this thread: commit queues before a store. All commands of a realm go through the
 * same queue, so they keep their order and share a batch.
 */
export class InProcessLedger implements Ledger {
  readonly housekeeping: Housekeeping;
  readonly #store: Store;
  readonly #queues: CommitQueue[];

  constructor(store: Store, clock: () => number = Date.now) {
    this.#store = store;
    this.#queues = store.writers.map((writer) => new CommitQueue(writer, clock));
    this.housekeeping = store.housekeeping;
    store.onceUnavailable?.(() => {
      for (const queue of this.#queues) queue.rejectAll();
    });
  }

  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> {
    if (this.#store.isUnavailable?.())
      return Promise.reject(new Unavailable('storage-unavailable', 'the storage is away'));
    const queue = this.#queues[writerOf(command.realmId, this.#queues.length)] as CommitQueue;
    // The name of a command decides the type of its answer; the compiler can't follow the union.
    return queue.push(command as never) as Promise<Outcome<AnswerTo<N>>>;
  }

  async query<N extends QueryName>(name: N, params: QueryParams<N>): Promise<QueryResult<N>> {
    return await this.#store.reader[name](params);
  }

  async close(): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.drained()));
    await this.#store.close();
  }
}

/** Spreads realms evenly. */
function writerOf(realmId: string, writers: number): number {
  let sum = 0;
  for (let index = 0; index < realmId.length; index++) {
    sum = (Math.imul(sum, 31) + realmId.charCodeAt(index)) >>> 0;
  }
  return sum % writers;
}
