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
/** Entries that may wait: a few seconds' work at the slowest rate measured. */
const MAX_WAITING_ENTRIES = 50_000;

/**
 * While one batch is being written, the next one gathers; then all of it goes in one transaction.
 * More load makes larger batches, not longer queues, and there is nothing to tune.
 */
export class CommitQueue {
  readonly #store: Store;
  readonly #clock: () => number;
  #waiting: Waiting[] = [];
  #waitingEntries = 0;
  #running: Promise<void> | null = null;

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  push(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const entries = entriesOf(command);
      if (this.#waiting.length > 0 && this.#waitingEntries + entries > MAX_WAITING_ENTRIES) {
        return reject(new Overloaded('the queue is full'));
      }
      this.#waitingEntries += entries;
      this.#waiting.push({ command, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Rejects what has not begun yet. Nothing of it was changed. */
  turnAway(): void {
    this.#waitingEntries = 0;
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new Overloaded('the storage is away'));
    }
  }

  /** Resolves when everything pushed so far has its outcome. */
  async drained(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // One turn of the event loop lets every command that has already arrived join the batch.
      await new Promise((next) => setImmediate(next));
      const batch = this.#cut();
      if (batch.length === 0) continue;
      for (const { command } of batch) this.#waitingEntries -= entriesOf(command);
      await this.#commit(batch);
    }
    this.#running = null;
  }

  /** Takes the next batch out of the line; whoever stays keeps its place. */
  #cut(): Waiting[] {
    if (this.#store.spansRealms !== false) {
      return this.#waiting.splice(0, batchLength(this.#waiting));
    }
    const realmId = this.#waiting[0]?.command.realmId;
    const next = this.#waiting.filter(({ command }) => command.realmId === realmId);
    const batch = next.slice(0, batchLength(next));
    const taken = new Set(batch);
    this.#waiting = this.#waiting.filter((one) => !taken.has(one));
    return batch;
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

/** How much work a command is, in movements of points. */
const entriesOf = (command: Command): number =>
  command.type === 'points.batch' ? command.entries.length : 1;

function batchLength(waiting: readonly Waiting[]): number {
  let entries = 0;
  let length = 0;
  for (const { command } of waiting) {
    entries += entriesOf(command);
    if (length > 0 && entries > MAX_ENTRIES) break;
    length += 1;
    if (length === MAX_BATCH) break;
  }
  return length;
}
