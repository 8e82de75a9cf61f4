import type { Command, Outcome } from '../domain/commands.ts';
import { type Decision, decide } from '../domain/rules/decide.ts';
import type { Salts } from '../domain/rules/journal.ts';
import { needsOf } from '../domain/rules/needs.ts';
import {
  type BatchTiming,
  endTiming,
  monotonicMs,
  startTiming,
  type TimingListener,
} from './batch-timing.ts';
import { Unavailable } from './errors.ts';
import { costOfCommand, FairQueue, type Waiting } from './fair-queue.ts';
import { type BatchWriter, RealmsLocked, type Writing } from './store.ts';

/** A batch of several commands costs at most this, so that no caller waits for long. */
const FULL_BATCH = 1_000;
/** A second's work of one realm. Since realms take turns, it delays no other. */
export const PENDING_LIMITS = { perRealm: 20_000, inAll: 80_000 };
/** How long a realm that another process had locked is written apart. */
const KEPT_MS = 1_000;
/** Fewer commands than these are not worth two batches. */
const MIN_TO_SPLIT = 16;

/** A command whose caller waits for its outcome. */
interface PendingCommand extends Waiting {
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
  /** For realms that another process keeps locked: there they delay no other. */
  locked: CommitQueue | null;
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
  /** Until when realms that were locked stay here. */
  readonly #kept = new Map<string, number>();
  #running: Promise<void> | null = null;

  constructor(writer: BatchWriter, options: QueueOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  push(command: Command, cost = costOfCommand(command)): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const pushedAt = command.trace === undefined ? 0 : monotonicMs();
      const pending = { realmId: command.realmId, cost, command, pushedAt, resolve, reject };
      const message = 'too many commands of the realm are pending';
      if (this.#pending.add(pending)) this.#running ??= this.#run();
      else reject(new Unavailable('overloaded', message));
    });
  }

  /** Takes over what waits of a realm elsewhere, in order. It was accepted, so no limit applies. */
  takeOver(realmId: string, from: CommitQueue): void {
    this.#addAll(from.#pending.takeRealm(realmId));
  }

  #addAll(accepted: readonly PendingCommand[]): void {
    for (const one of accepted) this.#pending.add(one, true);
    if (accepted.length > 0) this.#running ??= this.#run();
  }

  /** Whether commands of the realm are pending or in flight, or its next ones belong here. */
  has(realmId: string): boolean {
    if (this.#pending.has(realmId) || this.#isKept(realmId)) return true;
    const isOfRealm = (one: PendingCommand): boolean => one.realmId === realmId;
    return (
      this.#inFlight.size > 0 && this.#inFlight.values().some((batch) => batch.some(isOfRealm))
    );
  }

  /** A realm that was locked probably is again: its next command would delay others, too. */
  #isKept(realmId: string): boolean {
    const until = this.#kept.get(realmId);
    if (until === undefined) return false;
    const isKept = performance.now() < until;
    if (!isKept) this.#kept.delete(realmId);
    return isKept;
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
      const only = realmsPerBatch === 1 ? batch[0]?.realmId : undefined;
      const room = batch.length === 0 ? undefined : FULL_BATCH - cost;
      const next = only === undefined ? this.#pending.take(room) : this.#pending.takeFrom(only);
      if (!next) break;
      batch.push(next);
      cost += next.cost;
    }
    return batch;
  }

  /** Hands a batch to the writer; resolves when the writer accepts the next one. */
  async #start(batch: PendingCommand[]): Promise<void> {
    const timing = this.#options.onTimed ? startTiming(batch) : null;
    const { sent, done } = this.#write(batch, timing);
    const settled = this.#settle(batch, done, timing).finally(() => this.#inFlight.delete(settled));
    this.#inFlight.set(settled, batch);
    await sent;
    while (this.#inFlight.size >= this.#writer.limits.inFlight) {
      await Promise.race(this.#inFlight.keys());
    }
  }

  #write(batch: PendingCommand[], timing: BatchTiming | null): Writing {
    const commands = batch.map(({ command }) => command);
    const { clock, salts } = this.#options;
    try {
      return this.#writer.write({
        needs: needsOf(commands),
        clock,
        decide: (facts, now) => {
          const decision = decide(facts, commands, now, salts);
          if (timing) timing.decidedAt = monotonicMs();
          return decision;
        },
      });
    } catch (error) {
      return { sent: Promise.resolve(), done: Promise.reject(error) };
    }
  }

  /** A batch that fails takes nobody else along: what waits behind it has its own try. */
  async #settle(
    batch: PendingCommand[],
    done: Promise<Decision>,
    timing: BatchTiming | null,
  ): Promise<void> {
    try {
      const { outcomes, changes } = await done;
      const written = changes.filter(({ records }) => records.length > 0);
      if (written.length > 0) this.#options.onWritten(written.map(({ realm }) => realm.id));
      this.#reportTiming(timing, null);
      batch.forEach(({ resolve }, index) => {
        resolve(outcomes[index] ?? { fault: 'the decision has no outcome' });
      });
    } catch (error) {
      if (error instanceof RealmsLocked) return this.#putBack(batch, error);
      this.#reportTiming(timing, error);
      for (const { reject } of batch) reject(error);
    }
  }

  #reportTiming(timing: BatchTiming | null, error: unknown): void {
    if (timing) this.#options.onTimed?.(endTiming(timing, error));
  }

  /** The commands of locked realms are written elsewhere; the others by the batches to come. */
  #putBack(batch: PendingCommand[], { realmIds }: RealmsLocked): void {
    for (const [realmId, commands] of Map.groupBy(batch, (one) => one.realmId)) {
      const queue = (realmIds.includes(realmId) && this.#options.locked) || this;
      if (queue !== this) queue.#kept.set(realmId, performance.now() + KEPT_MS);
      // In order: those that waited behind them follow.
      queue.#addAll([...commands, ...this.#pending.takeRealm(realmId)]);
    }
  }
}
