import type { Command, Outcome } from './commands.ts';
import { decide } from './decide.rules.ts';
import { Overloaded } from './keeper.ts';
import { needsOf } from './needs.rules.ts';
import type { Store } from './store.ts';

interface Waiting {
  command: Command;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/** Commands of one batch at most, so that no caller waits for an endless transaction. */
const MAX_BATCH = 1_000;
/** Entries of one batch at most: a command of 10,000 entries should not wait for nine others. */
const MAX_ENTRIES = 20_000;
/** Commands that may wait. At the slowest rate measured this is a few seconds' work. */
const MAX_WAITING = 20_000;

/**
 * While one batch is being written, the next one gathers; then all of it goes in one transaction.
 * More load makes larger batches, not longer queues, and there is nothing to tune.
 */
export class CommitQueue {
  readonly #store: Store;
  readonly #clock: () => number;
  #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  push(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= MAX_WAITING) return reject(new Overloaded('the queue is full'));
      this.#waiting.push({ command, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when everything pushed so far has its outcome. */
  async drained(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // One turn of the event loop lets every command that has already arrived join the batch.
      await new Promise((next) => setImmediate(next));
      await this.#commit(this.#waiting.splice(0, batchLength(this.#waiting)));
    }
    this.#running = null;
  }

  async #commit(batch: Waiting[]): Promise<void> {
    try {
      const commands = batch.map((waiting) => waiting.command);
      const decision = await this.#store.commit(needsOf(commands), (facts) =>
        decide(facts, commands, this.#clock()),
      );
      batch.forEach((waiting, index) => {
        waiting.resolve(decision.outcomes[index] ?? { fault: 'the decision has no outcome' });
      });
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}

function batchLength(waiting: readonly Waiting[]): number {
  let entries = 0;
  let length = 0;
  for (const { command } of waiting) {
    entries += command.type === 'points.batch' ? command.entries.length : 1;
    if (length > 0 && entries > MAX_ENTRIES) break;
    length += 1;
    if (length === MAX_BATCH) break;
  }
  return length;
}
