import type { AnswerTo, Command, CommandName, CommandOf, Outcome } from '../domain/commands.ts';
import type { QueryName, QueryParams, QueryResult } from '../domain/queries.ts';
import type { Salts } from '../domain/rules/journal.ts';
import type { TimingListener } from './batch-timing.ts';
import { CommitQueue } from './commit-queue.ts';
import { costOfCommand } from './fair-queue.ts';
import type { Ledger } from './ledger.ts';
import type { BatchWriter, Housekeeping, Store, WrittenListener } from './store.ts';

/** A command that costs more is written apart, where the store can. */
const LARGE = 100;

/** A ledger whose commit queues run in this thread. */
export class InProcessLedger implements Ledger {
  readonly housekeeping: Housekeeping;
  readonly #store: Store;
  readonly #queue: CommitQueue;
  /** What is new of a realm that has work in one of these goes there, too. */
  readonly #apart: CommitQueue[];
  readonly #large: CommitQueue | null;
  readonly #onWritten: WrittenListener[] = [];

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
    const options = { clock, salts, onWritten, onTimed, locked: null };
    const queueOf = (writer?: BatchWriter) => (writer ? new CommitQueue(writer, options) : null);
    const [locked, large] = [queueOf(store.lockedWriter), queueOf(store.largeWriter)];
    this.#large = large;
    this.#apart = [locked, large].filter((queue) => queue !== null);
    this.#queue = new CommitQueue(store.writer, { ...options, locked });
    this.housekeeping = store.housekeeping;
    store.availability?.onChange((cause) => {
      if (cause) for (const queue of [this.#queue, ...this.#apart]) queue.rejectAll(cause);
    });
  }

  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> {
    const cause = this.#store.availability?.cause;
    if (cause) return Promise.reject(cause);
    // The name of a command determines the type of its answer, which the compiler can't infer.
    const pushed = command as never as Command;
    const cost = costOfCommand(pushed);
    return this.#queueFor(pushed.realmId, cost).push(pushed, cost) as Promise<Outcome<AnswerTo<N>>>;
  }

  async query<N extends QueryName>(name: N, params: QueryParams<N>): Promise<QueryResult<N>> {
    return this.#store.reader[name](params);
  }

  onWritten(listener: WrittenListener): void {
    this.#onWritten.push(listener);
    this.#store.notifications?.listen(listener);
  }

  async close(): Promise<void> {
    for (const queue of [this.#queue, ...this.#apart]) await queue.drained();
    await this.#store.close();
  }

  #queueFor(realmId: string, cost: number): CommitQueue {
    for (const queue of this.#apart) if (queue.has(realmId)) return queue;
    if (!this.#large || cost <= LARGE) return this.#queue;
    // Behind the large command they would delay the others, whose batch waits for its lock.
    this.#large.takeOver(realmId, this.#queue);
    return this.#large;
  }
}

const SALT_BYTES = 16;
/** Drawn at once: a call for a few random bytes costs more than the hash that they are for. */
const POOL_BYTES = 4096;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/** 128 random bits, never used twice. */
const randomSalts: Salts = () => {
  if (used === POOL_BYTES) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += SALT_BYTES;
  return pool
    .subarray(used - SALT_BYTES, used)
    .toBase64({ alphabet: 'base64url', omitPadding: true });
};
