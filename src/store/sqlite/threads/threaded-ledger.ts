import type { AnswerTo, CommandName, CommandOf, Outcome } from '../../../domain/commands.ts';
import {
  type QueryName,
  type QueryParams,
  type QueryResult,
  VERIFICATION_QUERIES,
} from '../../../domain/queries.ts';
import type { TimingListener } from '../../../ledger/batch-timing.ts';
import { Unavailable } from '../../../ledger/errors.ts';
import { costOfQuery, realmOf, takesTurns } from '../../../ledger/fair-queue.ts';
import { Gate, READ_LIMITS } from '../../../ledger/gate.ts';
import type { Caller, Ledger } from '../../../ledger/ledger.ts';
import { Outage } from '../../../ledger/outage.ts';
import type { Housekeeping, WrittenListener } from '../../../ledger/store.ts';
import { housekeeping } from '../../housekeeping.ts';
import { checkFile } from '../integrity.ts';
import { Reserve } from '../reserve.ts';
import type { HostData } from './protocol.ts';
import { LazyThread, Thread } from './thread.ts';

/** Collected early, garbage stays small: 120 MB less beside large batches. Imports do without. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 24 };

interface HealthEvents {
  /** It takes no writes at the moment. Called again if the reason changes. */
  onUnavailable(cause: Unavailable): void;
  onAvailable(): void;
  /** The database file is damaged: it is read, but no longer written. Called once. */
  onDamage(reason: string): void;
}

interface StorageThreadEvents extends HealthEvents {
  /** A thread failed: the service cannot continue without it. */
  onDeath(error: Error): void;
  /** Absent if nothing is traced. */
  onTimed?: TimingListener | undefined;
}

interface Threads extends Record<Exclude<HostData['role'], 'verifier'>, Thread> {
  verifier: LazyThread;
}

const OF_VERIFIER: ReadonlySet<QueryName> = new Set(VERIFICATION_QUERIES);

/** A ledger whose storage has threads of its own. */
export class ThreadedLedger implements Ledger {
  readonly housekeeping: Housekeeping;
  readonly #writer: Thread;
  readonly #reader: Thread;
  readonly #verifier: LazyThread;
  readonly #health: StorageHealth;
  readonly #reads = new Gate(READ_LIMITS);
  readonly #path: string;
  readonly #onWritten: WrittenListener[];
  /** Why nothing is written at the moment; null if writes are accepted. */
  #refusal: Unavailable | null = null;

  private constructor(
    path: string,
    threads: Threads,
    health: StorageHealth,
    onWritten: WrittenListener[],
  ) {
    const { writer, reader, verifier } = threads;
    this.#writer = writer;
    this.#reader = reader;
    this.#verifier = verifier;
    this.#health = health;
    this.#path = path;
    this.#onWritten = onWritten;
    health.onRefusal((refusal) => {
      this.#refusal = refusal;
    });
    this.housekeeping = {
      ...this.#housekeepingBy(writer),
      probe: () => writer.call('probe', null),
      checkIntegrity: async (signal) => {
        const integrity = await checkFile(path, signal);
        const { fault } = integrity;
        if (fault !== null) health.reportDamage(fault);
        return integrity;
      },
    };
  }

  #housekeepingBy(writer: Thread): Omit<Housekeeping, 'probe' | 'checkIntegrity'> {
    const calls = Object.keys(housekeeping).map((method) => [
      method,
      (argument?: unknown) =>
        this.#refusal
          ? Promise.reject(this.#refusal)
          : writer.call(method as keyof Housekeeping, argument),
    ]);
    return Object.fromEntries(calls);
  }

  static async open(path: string, events: StorageThreadEvents): Promise<ThreadedLedger> {
    const health = new StorageHealth(() => writer.call('probe', null), events);
    const onWritten: WrittenListener[] = [];
    const start = (role: HostData['role']) =>
      Thread.start({
        role,
        path,
        onDeath: (error) => events.onDeath(error),
        onFailure: (error) => health.examine(error),
        onWritten: (realmIds) => {
          for (const listener of onWritten) listener(realmIds);
        },
        onTimed: events.onTimed ?? null,
        resourceLimits: RESOURCE_LIMITS,
      });
    // The writer starts first: it creates and migrates the file that the others open.
    const writer = await start('writer');
    try {
      const reader = await start('reader');
      await health.check();
      const verifier = new LazyThread(
        () => start('verifier'),
        (error) => events.onDeath(error),
      );
      return new ThreadedLedger(path, { writer, reader, verifier }, health, onWritten);
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> {
    if (this.#refusal) return Promise.reject(this.#refusal);
    return this.#writer.call('execute', command);
  }

  query<N extends QueryName>(
    name: N,
    params: QueryParams<N>,
    caller?: Caller,
  ): Promise<QueryResult<N>> {
    if (OF_VERIFIER.has(name)) return this.#verifier.call(name, params);
    if (!takesTurns(name)) return this.#reader.call(name, params);
    const read = () => this.#reader.call<QueryResult<N>>(name, params);
    return this.#reads.pass(realmOf(params), costOfQuery(name, params), caller, read);
  }

  onWritten(listener: WrittenListener): void {
    this.#onWritten.push(listener);
  }

  async close(): Promise<void> {
    this.#health.close();
    const threads = [this.#writer, this.#verifier, this.#reader];
    for (const thread of threads) await thread.close();
    // The last of them has removed the log.
    new Reserve(this.#path).restore();
  }
}

/** What the failures of the threads say of the storage. */
class StorageHealth {
  readonly #events: HealthEvents;
  readonly #outage: Outage;
  #damage: Unavailable | null = null;
  #tell: () => void = () => undefined;

  constructor(probe: () => Promise<unknown>, events: HealthEvents) {
    this.#events = events;
    this.#outage = new Outage(probe);
    this.#outage.onUnavailable((cause) => {
      this.#tell();
      events.onUnavailable(cause);
    });
    this.#outage.onAvailable(() => {
      this.#tell();
      events.onAvailable();
    });
  }

  /** Calls the listener with why nothing is written now, or null, at once and at each change. */
  onRefusal(listener: (refusal: Unavailable | null) => void): void {
    this.#tell = () => listener(this.#damage ?? this.#outage.cause);
    this.#tell();
  }

  /** Resolves when it is known whether the storage is to blame for the failure. */
  async examine(failure: Error): Promise<void> {
    if (!(failure instanceof Unavailable) || failure.reason !== 'storage-damaged') {
      return this.#outage.examine(failure);
    }
    this.reportDamage(failure.message);
  }

  /**
   * A damaged file is not written to: a write could spread the damage, and would be lost when the
   * file is replaced by a copy.
   */
  reportDamage(reason: string): void {
    if (this.#damage) return;
    this.#damage = new Unavailable('storage-damaged', 'the database file is damaged');
    this.#tell();
    this.#events.onDamage(reason);
  }

  check(): Promise<void> {
    return this.#outage.check();
  }

  close(): void {
    this.#outage.close();
  }
}
