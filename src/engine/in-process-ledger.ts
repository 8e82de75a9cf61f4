import type { AnswerTo, CommandName, CommandOf, Outcome } from '../domain/commands.ts';
import type { QueryName, QueryParams, QueryResult } from '../domain/queries.ts';
import type { TimingListener } from './batch-timing.ts';
import { CommitQueue } from './commit-queue.ts';
import {
  costOfQuery,
  isProjectionQuery,
  LIGHT_QUERY,
  readsMembers,
  realmOf,
  takesTurns,
} from './cost.ts';
import { Gate, READ_LIMITS } from './gate.ts';
import type { Caller, Ledger } from './ledger.ts';
import { QueryCosts } from './query-costs.ts';
import { randomSalts } from './salts.ts';
import type { Housekeeping, Store, WrittenListener } from './store.ts';

/**
 * A ledger in this thread: one commit queue for each writer of a store. All commands of a realm go
 * through the same queue, which keeps their order and lets them share a batch.
 */
export class InProcessLedger implements Ledger {
  readonly housekeeping: Housekeeping;
  readonly #store: Store;
  readonly #queues: CommitQueue[];
  readonly #onWritten: WrittenListener[] = [];
  readonly #costs = new QueryCosts();
  readonly #reads = new Gate(READ_LIMITS);
  /** Queries for much have a gate of their own, so that those for little never wait for them. */
  readonly #longReads = new Gate(READ_LIMITS);

  constructor(
    store: Store,
    clock: () => number = Date.now,
    onTimed: TimingListener | null = null,
    salts = randomSalts,
  ) {
    this.#store = store;
    const onWritten = (realmIds: string[]): void => {
      for (const listener of this.#onWritten) listener(realmIds);
      store.notifications?.send(realmIds);
    };
    this.#queues = store.writers.map(
      (writer) => new CommitQueue(writer, clock, onWritten, onTimed, salts),
    );
    this.housekeeping = store.housekeeping;
    store.availability?.onUnavailable((cause) => {
      for (const queue of this.#queues) queue.rejectAll(cause);
    });
  }

  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> {
    const cause = this.#store.availability?.cause;
    if (cause) return Promise.reject(cause);
    const queue = this.#queues[queueOf(command.realmId, this.#queues.length)] as CommitQueue;
    // The name of a command determines the type of its answer, which the compiler can't infer.
    return queue.push(command as never) as Promise<Outcome<AnswerTo<N>>>;
  }

  async query<N extends QueryName>(
    name: N,
    params: QueryParams<N>,
    caller?: Caller,
  ): Promise<QueryResult<N>> {
    if (!takesTurns(name)) return this.#store.reader[name](params);
    const realmId = realmOf(params);
    // Before its turn: waiting for one realm's projections must not delay the reads of others.
    if (this.#store.catchUp && isProjectionQuery(name)) await this.#store.catchUp(realmId);
    const isOfMembers = readsMembers(name);
    const cost = isOfMembers ? this.#costs.of(name, params) : costOfQuery(name, params);
    const gate = cost > LIGHT_QUERY ? this.#longReads : this.#reads;
    const read = () => this.#store.reader[name](params);
    const result = await gate.pass<QueryResult<N>>(realmId, cost, caller, read);
    if (isOfMembers) this.#costs.learn(name, params, result);
    return result;
  }

  onWritten(listener: WrittenListener): void {
    this.#onWritten.push(listener);
    this.#store.notifications?.listen(listener);
  }

  async close(): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.drained()));
    await this.#store.close();
  }
}

/** Spreads realms evenly. */
function queueOf(realmId: string, queues: number): number {
  let hash = 0;
  for (let index = 0; index < realmId.length; index++) {
    hash = (Math.imul(hash, 31) + realmId.charCodeAt(index)) >>> 0;
  }
  return hash % queues;
}
