import type { Command, Outcome } from '../domain/commands.ts';
import { Unavailable } from './errors.ts';

/** A command whose caller waits for its outcome. */
export interface PendingCommand {
  command: Command;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/** Commands per batch, so that no caller waits for an endless transaction. */
const MAX_BATCH = 1_000;
/** Entries per batch: a command of 10,000 entries should not wait for nine others. */
const MAX_BATCH_ENTRIES = 20_000;
/** Pending entries: a few seconds' work at the slowest rate measured. */
const MAX_PENDING_ENTRIES = 50_000;
/** Pending entries of a locked realm, so that other realms are still accepted. */
export const MAX_LOCKED_ENTRIES = 25_000;

/** The pending entries of all queues that share a bound. */
export class QueueDepth {
  entries = 0;
}

/** Pending commands in order of arrival, bounded by the work they are. */
export class PendingQueue {
  readonly #depth: QueueDepth;
  readonly #maxEntries: number;
  #pending: PendingCommand[] = [];
  #entries = 0;

  constructor(depth: QueueDepth, maxEntries = MAX_PENDING_ENTRIES) {
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
    const isNext = (realmId: string): boolean => {
      if (realms.size < maxRealms) realms.add(realmId);
      return realms.has(realmId);
    };
    const next = this.#pending.filter(({ command }) => isNext(command.realmId));
    const batch = new Set(next.slice(0, batchLength(next)));
    this.#pending = this.#pending.filter((one) => !batch.has(one));
    return this.#removed([...batch]);
  }

  /** Removes and returns all commands of some realms. */
  takeAll(isWanted: (realmId: string) => boolean): PendingCommand[] {
    const wanted = this.#pending.filter(({ command }) => isWanted(command.realmId));
    this.#pending = this.#pending.filter(({ command }) => !isWanted(command.realmId));
    return this.#removed(wanted);
  }

  rejectAll(reason: Unavailable): void {
    for (const { reject } of this.#removed(this.#pending.splice(0))) reject(reason);
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
