import type { Command, Outcome } from '../domain/commands.ts';
import { decide } from '../domain/rules/decide.ts';
import { needsOf } from '../domain/rules/needs.ts';
import { Unavailable } from './errors.ts';
import {
  MAX_LOCKED_ENTRIES,
  type PendingCommand,
  PendingQueue,
  QueueDepth,
} from './pending-queue.ts';
import { type BatchWriter, RealmLocked } from './store.ts';

/** Fewer commands than these are not worth two batches. */
const FEW = 16;

/**
 * While one batch is being written, the next one gathers; then all of it goes in one transaction.
 * More load makes larger batches, not longer queues, and there is nothing to tune.
 */
export class CommitQueue {
  readonly #writer: BatchWriter;
  readonly #clock: () => number;
  readonly #depth = new QueueDepth();
  readonly #pending = new PendingQueue(this.#depth);
  /** Lines of their own, of realms that are written by themselves at present. */
  readonly #apart = new Map<string, PendingQueue>();
  #running: Promise<void> | null = null;
  readonly #underWay = new Set<Promise<unknown>>();
  /** Commands in the batches that are under way. */
  #sent = 0;

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

  /** Rejects what has not begun yet. Nothing of it was changed. */
  rejectAll(): void {
    const reason = new Unavailable('storage-unavailable', 'the storage is away');
    for (const line of [this.#pending, ...this.#apart.values()]) line.rejectAll(reason);
  }

  /** Resolves when everything pushed so far has its outcome. */
  async drained(): Promise<void> {
    while (this.#running || this.#underWay.size > 0) {
      await Promise.all([this.#running, ...this.#underWay]);
    }
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      // One turn of the event loop lets every command that has already arrived join the batch.
      await new Promise((next) => setImmediate(next));
      const batch = this.#cut();
      if (batch.length > 0) await this.#begin(batch);
    }
    this.#running = null;
  }

  /**
   * Where the next batch goes out while the last one is under way, each should have half of all
   * that is there: of a large and a small one, one side waits for the other most of the time.
   */
  #share(): number {
    const all = this.#pending.length + this.#sent;
    if (!this.#writer.pipelines || all < FEW) return this.#pending.length;
    return Math.ceil(all / 2);
  }

  /** Resolves when the next batch may begin: where that is allowed, before this one is done. */
  async #begin(batch: PendingCommand[]): Promise<void> {
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    this.#sent += batch.length;
    const done = this.#commit(batch, onSent).finally(() => {
      this.#sent -= batch.length;
      this.#underWay.delete(done);
    });
    this.#underWay.add(done);
    await Promise.race([sent, done]);
  }

  /**
   * Each realm by itself, so that one that is held up holds up no other. Whoever comes for it
   * meanwhile waits behind it, and not among the others, who would soon be held up again.
   */
  async #commitApart(batch: PendingCommand[]): Promise<void> {
    const byRealm = Map.groupBy(batch, realmOf);
    const isTheirs = (realmId: string) => byRealm.has(realmId) && !this.#apart.has(realmId);
    const later = Map.groupBy(this.#pending.takeOf(isTheirs, true), realmOf);
    await Promise.all(
      Array.from(byRealm, ([id, own]) => this.#commitRealm(id, own, later.get(id) ?? [])),
    );
  }

  async #commitRealm(
    realmId: string,
    own: PendingCommand[],
    later: PendingCommand[],
  ): Promise<void> {
    if (this.#apart.has(realmId)) return void (await this.#commit(own));
    const line = new PendingQueue(this.#depth, MAX_LOCKED_ENTRIES);
    for (const one of later) line.enqueue(one);
    this.#apart.set(realmId, line);
    for (let next = own; next.length > 0; next = line.take()) {
      // They would all wait as long again, and the last of them for ever.
      if (await this.#commit(next)) continue;
      line.rejectAll(new Unavailable('overloaded', 'the batch before it was not written'));
    }
    this.#apart.delete(realmId);
  }

  #cut(): PendingCommand[] {
    if (this.#writer.spansRealms !== false) return this.#pending.take(this.#share());
    const realmId = this.#pending.first?.command.realmId;
    return this.#pending.takeOf((id) => id === realmId);
  }

  /** Answers whether it was written. */
  async #commit(batch: PendingCommand[], onSent?: () => void): Promise<boolean> {
    try {
      const commands = batch.map((waiting) => waiting.command);
      const decision = await this.#writer.commit(
        needsOf(commands),
        (facts) => decide(facts, commands, this.#clock()),
        onSent,
      );
      batch.forEach((waiting, index) => {
        waiting.resolve(decision.outcomes[index] ?? { fault: 'the decision has no outcome' });
      });
      return true;
    } catch (error) {
      if (!(error instanceof RealmLocked)) {
        for (const waiting of batch) waiting.reject(error);
        return false;
      }
      const apart = this.#commitApart(batch);
      // The others need not wait until the one that is held up is done.
      onSent?.();
      await apart;
      return true;
    }
  }
}

const realmOf = ({ command }: PendingCommand): string => command.realmId;
