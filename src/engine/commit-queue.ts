import type { Command, Outcome } from '../domain/commands.ts';
import { type Decision, decide } from '../domain/rules/decide.ts';
import { needsOf } from '../domain/rules/needs.ts';
import { Unavailable } from './errors.ts';
import {
  MAX_LOCKED_ENTRIES,
  type PendingCommand,
  PendingQueue,
  QueueDepth,
} from './pending-queue.ts';
import { type BatchWriter, type Patience, RealmLocked, type Writing } from './store.ts';

/** Fewer commands than these are not worth two batches. */
const MIN_TO_SPLIT = 16;

/**
 * While one batch is being written, the next one gathers, and all of it goes into one transaction.
 * More load makes larger batches, not longer queues, and there is nothing to tune.
 *
 * The states of a command:
 *
 *     push ──▶ pending ──▶ in flight ──▶ settled
 *                 │            │            ▲
 *                 └────────────┴▶ apart ────┘
 *
 * A batch in flight that meets a locked realm is set apart, one queue for each of its realms, with
 * the pending commands of these realms. Each queue is written by itself until it is empty, so that
 * a locked realm delays no other; commands that arrive for it meanwhile join its queue.
 */
export class CommitQueue {
  readonly #writer: BatchWriter;
  readonly #clock: () => number;
  readonly #depth = new QueueDepth();
  readonly #pending = new PendingQueue(this.#depth);
  /** The batches in flight with their numbers of commands. */
  readonly #inFlight = new Map<Promise<unknown>, number>();
  readonly #apart = new Map<string, PendingQueue>();
  readonly #writingApart = new Set<Promise<void>>();
  #running: Promise<void> | null = null;

  constructor(writer: BatchWriter, clock: () => number) {
    this.#writer = writer;
    this.#clock = clock;
  }

  push(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const apart = this.#apart.get(command.realmId);
      (apart ?? this.#pending).enqueue({ command, resolve, reject });
      if (!apart) this.#running ??= this.#run();
    });
  }

  /** Rejects every command that is not in flight yet. None of them has changed anything. */
  rejectAll(reason: Unavailable): void {
    for (const queue of [this.#pending, ...this.#apart.values()]) queue.rejectAll(reason);
  }

  /** Resolves when everything pushed so far is settled. */
  async drained(): Promise<void> {
    while (this.#running || this.#inFlight.size > 0 || this.#writingApart.size > 0) {
      await Promise.all([this.#running, ...this.#inFlight.keys(), ...this.#writingApart]);
    }
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      // One turn of the event loop lets every command that has already arrived join the batch.
      await new Promise((next) => setImmediate(next));
      const batch = this.#nextBatch();
      if (batch.length > 0) await this.#start(batch);
    }
    this.#running = null;
  }

  /**
   * Where several batches are in flight, each should have an equal share of all commands: of a
   * large and a small batch, one side waits for the other most of the time.
   */
  #nextBatch(): PendingCommand[] {
    const { realmsPerBatch, inFlight } = this.#writer.limits;
    if (realmsPerBatch < Number.POSITIVE_INFINITY) return this.#pending.takeRealms(realmsPerBatch);
    let all = this.#pending.length;
    for (const commands of this.#inFlight.values()) all += commands;
    return this.#pending.take(all < MIN_TO_SPLIT ? all : Math.ceil(all / inFlight));
  }

  /** Hands a batch to the writer; resolves when the writer accepts the next one. */
  async #start(batch: PendingCommand[]): Promise<void> {
    const { sent, done } = this.#write(batch, 'yield');
    const settled = this.#settle(batch, done).finally(() => this.#inFlight.delete(settled));
    this.#inFlight.set(settled, batch.length);
    await sent;
    while (this.#inFlight.size >= this.#writer.limits.inFlight) {
      await Promise.race(this.#inFlight.keys());
    }
  }

  #write(batch: PendingCommand[], patience: Patience): Writing {
    const commands = batch.map(({ command }) => command);
    try {
      return this.#writer.write(
        {
          needs: needsOf(commands),
          decide: (facts) => decide(facts, commands, this.#clock()),
        },
        patience,
      );
    } catch (error) {
      return { sent: Promise.resolve(), done: Promise.reject(error) };
    }
  }

  /** Settles the commands of a batch, or sets them apart; returns whether they were written. */
  async #settle(batch: PendingCommand[], done: Promise<Decision>): Promise<boolean> {
    try {
      const { outcomes } = await done;
      batch.forEach(({ resolve }, index) => {
        resolve(outcomes[index] ?? { fault: 'the decision has no outcome' });
      });
      return true;
    } catch (error) {
      if (error instanceof RealmLocked) this.#setApart(batch);
      else for (const { reject } of batch) reject(error);
      return false;
    }
  }

  #setApart(batch: PendingCommand[]): void {
    const byRealm = Map.groupBy(batch, ({ command }) => command.realmId);
    for (const [realmId, commands] of byRealm) {
      const apart = this.#apart.get(realmId);
      // The batch may have been in flight already when an earlier one set the realm apart.
      if (apart) apart.readmit(commands);
      else this.#startApart(realmId, commands);
    }
    for (const one of this.#pending.takeAll((realmId) => byRealm.has(realmId))) {
      this.#apart.get(one.command.realmId)?.enqueue(one);
    }
  }

  #startApart(realmId: string, commands: PendingCommand[]): void {
    const queue = new PendingQueue(this.#depth, MAX_LOCKED_ENTRIES);
    queue.readmit(commands);
    this.#apart.set(realmId, queue);
    const writing = this.#writeApart(realmId, queue);
    this.#writingApart.add(writing);
    void writing.then(() => this.#writingApart.delete(writing));
  }

  async #writeApart(realmId: string, queue: PendingQueue): Promise<void> {
    for (let batch = queue.take(); batch.length > 0; batch = queue.take()) {
      const { done } = this.#write(batch, 'persist');
      if (await this.#settle(batch, done)) continue;
      // The commands behind it would wait as long again, and the last of them forever.
      queue.rejectAll(new Unavailable('overloaded', 'the batch before it was not written'));
    }
    this.#apart.delete(realmId);
  }
}
