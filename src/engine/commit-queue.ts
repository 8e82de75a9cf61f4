import type { Command, Outcome } from '../domain/commands.ts';
import { type Decision, decide } from '../domain/rules/decide.ts';
import { needsOf } from '../domain/rules/needs.ts';
import { Unavailable } from './errors.ts';
import { type BatchWriter, type Patience, RealmLocked, type Writing } from './store.ts';

/** Commands per batch, so that no caller waits for an endless transaction. */
const MAX_BATCH = 1_000;
/** Entries per batch: a command of 10,000 entries should not wait for nine others. */
const MAX_BATCH_ENTRIES = 20_000;
/** Pending entries: a few seconds' work at the slowest rate measured. */
const MAX_PENDING_ENTRIES = 50_000;
/** Pending entries of a locked realm, so that other realms are still accepted. */
const MAX_LOCKED_ENTRIES = 25_000;
/** Fewer commands than these are not worth two batches. */
const MIN_TO_SPLIT = 16;

/** A command whose caller waits for its outcome. */
interface PendingCommand {
  command: Command;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

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
  readonly #depth = { entries: 0 };
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
    for (const one of this.#pending.takeAll(byRealm)) {
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

/** Pending commands in order of arrival, bounded by the work they are. */
class PendingQueue {
  /** The pending entries of all queues that share a bound. */
  readonly #depth: { entries: number };
  readonly #maxEntries: number;
  #pending: PendingCommand[] = [];
  #entries = 0;

  constructor(depth: { entries: number }, maxEntries = MAX_PENDING_ENTRIES) {
    this.#depth = depth;
    this.#maxEntries = maxEntries;
  }

  get length(): number {
    return this.#pending.length;
  }

  /** Adds a command, or rejects it if the queue is full. */
  enqueue(one: PendingCommand): void {
    const entries = entriesOf(one.command);
    const isFull = this.#entries > 0 && this.#entries + entries > this.#maxEntries;
    const isAllFull =
      this.#depth.entries > 0 && this.#depth.entries + entries > MAX_PENDING_ENTRIES;
    if (isFull || isAllFull) {
      one.reject(new Unavailable('overloaded', 'the queue is full'));
      return;
    }
    this.#count(entries);
    this.#pending.push(one);
  }

  /** Puts commands that were accepted before back to the front. */
  readmit(commands: PendingCommand[]): void {
    for (const { command } of commands) this.#count(entriesOf(command));
    this.#pending.unshift(...commands);
  }

  /** Removes and returns the next batch. */
  take(maxCommands = MAX_BATCH): PendingCommand[] {
    const length = Math.min(maxCommands, batchLength(this.#pending));
    return this.#removed(this.#pending.splice(0, length));
  }

  /** Removes and returns the next batch of a few realms; commands of others keep their places. */
  takeRealms(maxRealms: number): PendingCommand[] {
    const realms = new Set<string>();
    const next = this.#pending.filter(({ command: { realmId } }) => {
      if (realms.size < maxRealms) realms.add(realmId);
      return realms.has(realmId);
    });
    return this.#remove(next.slice(0, batchLength(next)));
  }

  /** Removes and returns all commands of some realms. */
  takeAll(realms: { has(realmId: string): boolean }): PendingCommand[] {
    return this.#remove(this.#pending.filter(({ command }) => realms.has(command.realmId)));
  }

  rejectAll(reason: Unavailable): void {
    for (const { reject } of this.#removed(this.#pending.splice(0))) reject(reason);
  }

  #remove(commands: PendingCommand[]): PendingCommand[] {
    const removed = new Set(commands);
    this.#pending = this.#pending.filter((one) => !removed.has(one));
    return this.#removed(commands);
  }

  #removed(commands: PendingCommand[]): PendingCommand[] {
    for (const { command } of commands) this.#count(-entriesOf(command));
    return commands;
  }

  #count(entries: number): void {
    this.#entries += entries;
    this.#depth.entries += entries;
  }
}

/** The work that a command is, in movements of points. */
const entriesOf = (command: Command): number =>
  command.type === 'points.batch' ? command.entries.length : 1;

function batchLength(pending: readonly PendingCommand[]): number {
  let entries = 0;
  let length = 0;
  for (const { command } of pending) {
    entries += entriesOf(command);
    if (length > 0 && entries > MAX_BATCH_ENTRIES) break;
    length += 1;
    if (length === MAX_BATCH) break;
  }
  return length;
}
