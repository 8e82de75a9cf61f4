import type { Command, Outcome } from '../domain/commands.ts';
import { Unavailable } from './errors.ts';

/** A command whose caller waits for its outcome. */
export interface PendingCommand {
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
/** Those for one realm that is held up: others must find a place as well. */
export const MAX_LOCKED_ENTRIES = 25_000;

/** How much work waits, in all lines of a queue. */
export class QueueDepth {
  entries = 0;
}

/** Those who wait, in the order in which they came, and how much work they are. */
export class PendingQueue {
  readonly #depth: QueueDepth;
  readonly #most: number;
  #waiting: PendingCommand[] = [];
  #entries = 0;

  constructor(load: QueueDepth, most = MAX_WAITING_ENTRIES) {
    this.#depth = load;
    this.#most = most;
  }

  get length(): number {
    return this.#waiting.length;
  }

  get first(): PendingCommand | undefined {
    return this.#waiting[0];
  }

  enqueue(one: PendingCommand): void {
    const entries = entriesOf(one.command);
    const isFull = this.#entries > 0 && this.#entries + entries > this.#most;
    const isAllFull =
      this.#depth.entries > 0 && this.#depth.entries + entries > MAX_WAITING_ENTRIES;
    if (isFull || isAllFull) {
      one.reject(new Unavailable('overloaded', 'the queue is full'));
      return;
    }
    this.#entries += entries;
    this.#depth.entries += entries;
    this.#waiting.push(one);
  }

  /** Takes the next batch out of the line. */
  take(most = MAX_BATCH): PendingCommand[] {
    return this.#left(this.#waiting.splice(0, Math.min(most, batchLength(this.#waiting))));
  }

  /** The same of some realms alone; whoever stays keeps its place. */
  takeOf(isMeant: (realmId: string) => boolean, isAll = false): PendingCommand[] {
    const meant = this.#waiting.filter(({ command }) => isMeant(command.realmId));
    const taken = new Set(isAll ? meant : meant.slice(0, batchLength(meant)));
    this.#waiting = this.#waiting.filter((one) => !taken.has(one));
    return this.#left([...taken]);
  }

  rejectAll(reason: Unavailable): void {
    for (const { reject } of this.#left(this.#waiting.splice(0))) reject(reason);
  }

  #left(batch: PendingCommand[]): PendingCommand[] {
    for (const { command } of batch) {
      const entries = entriesOf(command);
      this.#entries -= entries;
      this.#depth.entries -= entries;
    }
    return batch;
  }
}

/** How much work a command is, in movements of points. */
const entriesOf = (command: Command): number =>
  command.type === 'points.batch' ? command.entries.length : 1;

function batchLength(waiting: readonly PendingCommand[]): number {
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
