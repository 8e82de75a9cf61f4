import type { Command, Outcome } from '../domain/commands.ts';
import type { RealmChanges } from '../domain/facts.ts';
import { type Decision, decide } from '../domain/rules/decide.ts';
import type { Salts } from '../domain/rules/journal.ts';
import { needsOf } from '../domain/rules/needs.ts';
import { monotonicMs, type TimingListener, timed } from './batch-timing.ts';
import { Unavailable } from './errors.ts';
import { costOfCommand, FairQueue, type Waiting } from './fair-queue.ts';
import { type Batch, type BatchWriter, RealmsLocked, type Writing } from './store.ts';

/** A batch that costs this much takes no more commands, so that no caller waits for long. */
const FULL_BATCH = 1_000;
/** A second's work or two of one realm. Since realms take turns, it delays no other. */
const PENDING_LIMITS = { perRealm: 40_000, inAll: 160_000 };
/** Fewer commands than these are not worth two batches. */
const MIN_TO_SPLIT = 16;

/** A command whose caller waits for its outcome. */
export interface PendingCommand extends Waiting {
  command: Command;
  /** When it was pushed, if it is traced; otherwise 0. */
  pushedAt: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

interface QueueOptions {
  clock: () => number;
  salts: Salts;
  /** Called when a batch is durable, before any outcome of it is known. */
  onWritten: (realmIds: string[]) => void;
  /** The same for a batch with traced commands, whether or not it was written. */
  onTimed: TimingListener | null;
  /** Called with the commands of realms that are locked elsewhere. */
  onLocked?: (realmIds: readonly string[], commands: PendingCommand[]) => void;
}

/**
 * While one batch is being written, the next one gathers, and all of it goes into one transaction.
 * More load makes larger batches, not longer queues, and there is nothing to tune. If more is
 * pending than one batch takes, realms take turns.
 */
export class CommitQueue {
  readonly #writer: BatchWriter;
  readonly #options: QueueOptions;
  readonly #pending = new FairQueue<PendingCommand>(PENDING_LIMITS);
  /** The batches in flight with their commands. */
  readonly #inFlight = new Map<Promise<void>, PendingCommand[]>();
  #running: Promise<void> | null = null;

  constructor(writer: BatchWriter, options: QueueOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  push(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const { realmId } = command;
      const cost = costOfCommand(command);
      const pushedAt = command.trace === undefined ? 0 : monotonicMs();
      this.add({ realmId, cost, command, pushedAt, resolve, reject });
    });
  }

  add(pending: PendingCommand): void {
    if (this.#pending.add(pending)) this.#running ??= this.#run();
    else {
      const message = 'too many commands of the realm are pending';
      pending.reject(new Unavailable('overloaded', message));
    }
  }

  /** Whether commands of the realm are pending or in flight. */
  has(realmId: string): boolean {
    if (this.#pending.has(realmId)) return true;
    for (const batch of this.#inFlight.values()) {
      if (batch.some((one) => one.realmId === realmId)) return true;
    }
    return false;
  }

  /** Removes and returns the commands of a realm that are not in flight. */
  takeRealm(realmId: string): PendingCommand[] {
    const taken: PendingCommand[] = [];
    while (this.#pending.has(realmId)) {
      taken.push(this.#pending.takeFrom(realmId) as PendingCommand);
    }
    return taken;
  }

  /** Rejects every command that is not in flight yet. None of them has changed anything. */
  rejectAll(reason: Unavailable): void {
    for (const { reject } of this.#pending.takeAll()) reject(reason);
  }

  /** Resolves when everything pushed so far is settled. */
  async drained(): Promise<void> {
    while (this.#running || this.#inFlight.size > 0) {
      await Promise.all([this.#running, ...this.#inFlight.keys()]);
    }
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      // Lets every command that has already arrived join the batch.
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
    let commands = this.#pending.length;
    for (const batch of this.#inFlight.values()) commands += batch.length;
    const isSplit = realmsPerBatch > 1 && commands >= MIN_TO_SPLIT;
    const most = isSplit ? Math.ceil(commands / inFlight) : commands;
    const batch: PendingCommand[] = [];
    let cost = 0;
    while (cost < FULL_BATCH && batch.length < most) {
      const [first] = batch;
      const isOfOne = first && realmsPerBatch === 1;
      const next = isOfOne ? this.#pending.takeFrom(first.realmId) : this.#pending.take();
      if (!next) break;
      batch.push(next);
      cost += next.cost;
    }
    return batch;
  }

  /** Hands a batch to the writer; resolves when the writer accepts the next one. */
  async #start(batch: PendingCommand[]): Promise<void> {
    const { sent, done } = this.#write(batch);
    const settled = this.#settle(batch, done).finally(() => this.#inFlight.delete(settled));
    this.#inFlight.set(settled, batch);
    await sent;
    while (this.#inFlight.size >= this.#writer.limits.inFlight) {
      await Promise.race(this.#inFlight.keys());
    }
  }

  #write(batch: PendingCommand[]): Writing {
    const commands = batch.map(({ command }) => command);
    const { clock, salts, onTimed } = this.#options;
    const write = (one: Batch): Writing => this.#writer.write(one);
    try {
      const prepared: Batch = {
        needs: needsOf(commands),
        clock,
        decide: (facts, now) => decide(facts, commands, now, salts),
      };
      return onTimed ? timed(prepared, batch, write, onTimed) : write(prepared);
    } catch (error) {
      return { sent: Promise.resolve(), done: Promise.reject(error) };
    }
  }

  /** A batch that fails takes nobody else along: what waits behind it has its own try. */
  async #settle(batch: PendingCommand[], done: Promise<Decision>): Promise<void> {
    try {
      const { outcomes, changes } = await done;
      this.#reportWritten(changes);
      batch.forEach(({ resolve }, index) => {
        resolve(outcomes[index] ?? { fault: 'the decision has no outcome' });
      });
    } catch (error) {
      if (error instanceof RealmsLocked) this.#putBack(batch, error);
      else for (const { reject } of batch) reject(error);
    }
  }

  #reportWritten(changes: readonly RealmChanges[]): void {
    const written = changes.filter(({ records }) => records.length > 0);
    if (written.length > 0) this.#options.onWritten(written.map(({ realm }) => realm.id));
  }

  /** The commands of locked realms are written elsewhere; the others by the batches to come. */
  #putBack(batch: PendingCommand[], { realmIds }: RealmsLocked): void {
    const isLocked = ({ realmId }: PendingCommand): boolean => realmIds.includes(realmId);
    this.#options.onLocked?.(realmIds, batch.filter(isLocked));
    for (const [realmId, others] of Map.groupBy(
      batch.filter((one) => !isLocked(one)),
      (one) => one.realmId,
    )) {
      for (const one of [...others, ...this.takeRealm(realmId)]) this.add(one);
    }
  }
}
