import type { Command, Outcome } from './commands.ts';
import { decide } from './decide.rules.ts';
import { Overloaded } from './keeper.ts';
import { needsOf } from './needs.rules.ts';
import { type Lane, RealmsHeld } from './store.ts';

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
  readonly #lane: Lane;
  readonly #clock: () => number;
  #waiting: Waiting[] = [];
  #waitingEntries = 0;
  #running: Promise<void> | null = null;
  readonly #underWay = new Set<Promise<void>>();

  constructor(lane: Lane, clock: () => number) {
    this.#lane = lane;
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
    while (this.#running || this.#underWay.size > 0) {
      await Promise.all([this.#running, ...this.#underWay]);
    }
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // One turn of the event loop lets every command that has already arrived join the batch.
      await new Promise((next) => setImmediate(next));
      const batch = this.#waiting.splice(0, batchLength(this.#waiting));
      if (batch.length === 0) continue;
      for (const { command } of batch) this.#waitingEntries -= entriesOf(command);
      await this.#begin(batch);
    }
    this.#running = null;
  }

  /** Resolves when the next batch may begin: where that is allowed, before this one is done. */
  async #begin(batch: Waiting[]): Promise<void> {
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    const done = this.#commit(batch, onSent).finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
    await Promise.race([sent, done]);
  }

  /** Each realm by itself, so that one that is held up holds up no other. */
  async #commitApart(batch: Waiting[]): Promise<void> {
    const byRealm = Map.groupBy(batch, ({ command }) => command.realmId);
    await Promise.all(Array.from(byRealm.values(), (own) => this.#commit(own)));
  }

  async #commit(batch: Waiting[], onSent?: () => void): Promise<void> {
    try {
      const commands = batch.map((waiting) => waiting.command);
      const decision = await this.#lane.commit(
        needsOf(commands),
        (facts) => decide(facts, commands, this.#clock()),
        onSent,
      );
      batch.forEach((waiting, index) => {
        waiting.resolve(decision.outcomes[index] ?? { fault: 'the decision has no outcome' });
      });
    } catch (error) {
      if (error instanceof RealmsHeld) return this.#commitApart(batch);
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
