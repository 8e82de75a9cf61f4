import type { Command, Outcome } from '../domain/commands.ts';
import type { RealmChanges } from '../domain/facts.ts';
import { type Decision, decide } from '../domain/rules/decide.ts';
import type { Salts } from '../domain/rules/journal.ts';
import { needsOf } from '../domain/rules/needs.ts';
import { monotonicMs, type TimingListener, timed } from './batch-timing.ts';
import { costOfCommand, LIGHT } from './cost.ts';
import { Unavailable } from './errors.ts';
import { randomSalts } from './salts.ts';
import {
  type Batch,
  type BatchWriter,
  type Patience,
  RealmsLocked,
  type Writing,
} from './store.ts';
import { Turns, type Waiting } from './turns.ts';

/** A batch that costs this much takes no more commands, so that no caller waits for long. */
const FULL_BATCH = LIGHT;
/** A second's work or two of one realm. Since realms take turns, it delays no other. */
export const PENDING_LIMITS = { perLine: 80_000, inAll: 160_000 };
/** A realm that was set apart shares batches again when no more than this is left of it. */
const LITTLE_LEFT = FULL_BATCH / 4;
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

/**
 * While one batch is being written, the next one gathers, and all of it goes into one transaction.
 * More load makes larger batches, not longer queues, and there is nothing to tune. If more is
 * pending than one batch takes, realms take turns.
 *
 * The states of a command:
 *
 *     push ──▶ pending ──▶ in flight ──▶ settled
 *                 │            │            ▲
 *                 └────────────┴▶ apart ────┘
 *
 * A realm is set apart if it is locked elsewhere, if a command of it is more than a batch takes, or
 * if all that it has pending would fill the batches that it shares. Then its commands are written
 * by themselves, in order, and delay no other realm: until few are left.
 */
export class CommitQueue {
  readonly #writer: BatchWriter;
  readonly #clock: () => number;
  readonly #onWritten: (realmIds: string[]) => void;
  readonly #onTimed: TimingListener | null;
  readonly #salts: Salts;
  readonly #pending = new Turns<PendingCommand>(PENDING_LIMITS);
  /** The batches in flight with their numbers of commands. */
  readonly #inFlight = new Map<Promise<unknown>, number>();
  /** The realms that are set apart. Their commands are paused among the pending ones. */
  readonly #apart = new Map<string, Promise<void>>();
  #running: Promise<void> | null = null;

  /**
   * `onWritten` is called when a batch is durable, before any outcome of it is known; so is
   * `onTimed`, for a batch with traced commands, whether or not it was written.
   */
  constructor(
    writer: BatchWriter,
    clock: () => number,
    onWritten: (realmIds: string[]) => void = () => undefined,
    onTimed: TimingListener | null = null,
    salts: Salts = randomSalts,
  ) {
    this.#writer = writer;
    this.#salts = salts;
    this.#clock = clock;
    this.#onWritten = onWritten;
    this.#onTimed = onTimed;
  }

  push(command: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const { realmId } = command;
      const cost = costOfCommand(command);
      const pushedAt = command.trace === undefined ? 0 : monotonicMs();
      const waiting = { line: realmId, cost, arrival: 0, command, pushedAt, resolve, reject };
      if (!this.#pending.add(waiting)) {
        return reject(new Unavailable('overloaded', 'too many commands of the realm are pending'));
      }
      if (cost > LIGHT || this.#isBusy(realmId)) this.#setApart(realmId);
      if (this.#pending.length > 0) this.#running ??= this.#run();
    });
  }

  /** Rejects every command that is not in flight yet. None of them has changed anything. */
  rejectAll(reason: Unavailable): void {
    for (const { reject } of this.#pending.takeAll()) reject(reason);
  }

  /** Resolves when everything pushed so far is settled. */
  async drained(): Promise<void> {
    while (this.#running || this.#inFlight.size > 0 || this.#apart.size > 0) {
      await Promise.all([this.#running, ...this.#inFlight.keys(), ...this.#apart.values()]);
    }
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      // Lets every command that has already arrived join the batch.
      await eventLoopTurn();
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
    let all = this.#pending.length;
    for (const commands of this.#inFlight.values()) all += commands;
    const isSplit = realmsPerBatch === Number.POSITIVE_INFINITY && all >= MIN_TO_SPLIT;
    const most = isSplit ? Math.ceil(all / inFlight) : all;
    const realms = new Set<string>();
    const batch: PendingCommand[] = [];
    fill(batch, most, () => {
      const next = realms.size < realmsPerBatch ? this.#pending.take() : undefined;
      if (next && realmsPerBatch < Number.POSITIVE_INFINITY) realms.add(next.line);
      return next;
    });
    for (const realmId of realms) fill(batch, most, () => this.#pending.takeFrom(realmId));
    return batch;
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
    const write = (one: Batch): Writing => this.#writer.write(one, patience);
    try {
      const prepared: Batch = {
        needs: needsOf(commands),
        clock: this.#clock,
        decide: (facts) => decide(facts, commands, this.#clock(), this.#salts),
      };
      return this.#onTimed ? timed(prepared, batch, write, this.#onTimed) : write(prepared);
    } catch (error) {
      return { sent: Promise.resolve(), done: Promise.reject(error) };
    }
  }

  /** Settles the commands of a batch, or puts them back; returns whether they were written. */
  async #settle(batch: PendingCommand[], done: Promise<Decision>): Promise<boolean> {
    try {
      const { outcomes, changes } = await done;
      this.#reportWritten(changes);
      batch.forEach(({ resolve }, index) => {
        resolve(outcomes[index] ?? { fault: 'the decision has no outcome' });
      });
      return true;
    } catch (error) {
      if (error instanceof RealmsLocked) this.#putBack(batch, error);
      else for (const { reject } of batch) reject(error);
      return false;
    }
  }

  #reportWritten(changes: readonly RealmChanges[]): void {
    const written = changes.filter(({ records }) => records.length > 0);
    if (written.length > 0) this.#onWritten(written.map(({ realm }) => realm.id));
  }

  /** The locked realms are set apart; the others are written by the batches to come. */
  #putBack(batch: PendingCommand[], { realmIds }: RealmsLocked): void {
    for (const [realmId, commands] of Map.groupBy(batch, (one) => one.line)) {
      if (realmIds.includes(realmId)) this.#setApart(realmId);
      this.#pending.putBack(realmId, commands);
    }
    if (this.#pending.length > 0) this.#running ??= this.#run();
  }

  /** Whether a realm would fill the batches that it shares, if they are shared at all. */
  #isBusy(realmId: string): boolean {
    const { realmsPerBatch } = this.#writer.limits;
    return realmsPerBatch > 1 && this.#pending.costOf(realmId) > FULL_BATCH;
  }

  #setApart(realmId: string): void {
    this.#pending.pause(realmId);
    if (!this.#apart.has(realmId)) this.#apart.set(realmId, this.#writeApart(realmId));
  }

  async #writeApart(realmId: string): Promise<void> {
    // Those of its commands that are in flight come first, and may come back.
    await Promise.all(this.#inFlight.keys());
    do {
      await yieldToOthers();
      const batch: PendingCommand[] = [];
      fill(batch, FULL_BATCH, () => {
        // By itself: what a light one needs could keep it from being decided in slices.
        const { cost = 0 } = this.#pending.firstOf(realmId) ?? {};
        const isNext = batch.length === 0 || cost <= LIGHT;
        return isNext ? this.#pending.takeFrom(realmId) : undefined;
      });
      if (batch.length === 0) break;
      const { done } = this.#write(batch, 'persist');
      if (await this.#settle(batch, done)) continue;
      // The commands behind it would wait as long again, and the last of them forever.
      const reason = new Unavailable('overloaded', 'the batch before it was not written');
      for (let one = this.#pending.takeFrom(realmId); one; one = this.#pending.takeFrom(realmId)) {
        one.reject(reason);
      }
    } while (this.#pending.costOf(realmId) > LITTLE_LEFT);
    this.#apart.delete(realmId);
    this.#pending.resume(realmId);
    if (this.#pending.length > 0) this.#running ??= this.#run();
  }
}

const eventLoopTurn = (): Promise<void> => new Promise((next) => setImmediate(next));

/**
 * Between two pieces of long work: what arrived during the first is done before the second. It is
 * received in the next turn and waits for the end of that turn itself, behind a single wait.
 */
export async function yieldToOthers(): Promise<void> {
  await eventLoopTurn();
  await eventLoopTurn();
}

/** Adds commands to a batch until it is full, or has `most` commands. */
function fill(batch: PendingCommand[], most: number, take: () => PendingCommand | undefined): void {
  let cost = 0;
  for (const { cost: one } of batch) cost += one;
  while (cost < FULL_BATCH && batch.length < most) {
    const next = take();
    if (!next) return;
    batch.push(next);
    cost += next.cost;
  }
}
