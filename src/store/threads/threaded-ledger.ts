import type { AnswerTo, CommandName, CommandOf, Outcome } from '../../domain/commands.ts';
import {
  type QueryName,
  type QueryParams,
  type QueryResult,
  VERIFICATION_QUERIES,
} from '../../domain/queries.ts';
import type { TimingListener } from '../../ledger/batch-timing.ts';
import { Unavailable } from '../../ledger/errors.ts';
import { costOfQuery, realmOf, takesTurns } from '../../ledger/fair-queue.ts';
import { Gate, READ_LIMITS } from '../../ledger/gate.ts';
import type { Caller, Ledger } from '../../ledger/ledger.ts';
import type { Housekeeping, WrittenListener } from '../../ledger/store.ts';
import { housekeeping } from '../housekeeping.ts';
import { Reserve } from '../sqlite/disk.ts';
import { checkFile } from '../sqlite/integrity.ts';
import { type HostData, Thread, type ThreadEvent } from './thread.ts';

/** Collected early, garbage stays small: 120 MB less beside large batches. Imports do without. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 24 };

/** What a running storage reports. */
export interface StorageEvents {
  /** It takes no writes at the moment. Called again if the reason changes. */
  onUnavailable(cause: Unavailable): void;
  onAvailable(): void;
  /** The database file is damaged: from now on it is only read. Called once. */
  onDamage(reason: string): void;
  /** The server is reachable but refuses further connections, so some work has to wait. */
  onRefused(reason: Error): void;
  /** A server of a cluster is away, for this reason, or with null back. */
  onServer?(name: string, reason: string | null): void;
  /** A thread failed: the service cannot continue without it. */
  onDeath(error: Error): void;
  /** When a batch with traced commands was written. Absent if nothing is traced. */
  onTimed?: TimingListener | undefined;
}

const OF_VERIFIER: ReadonlySet<QueryName> = new Set(VERIFICATION_QUERIES);

/** How the work on a database is spread over threads. */
interface Layout extends Pick<HostData, 'database'> {
  roles: Record<'write' | 'read' | 'verify', HostData['role']>;
  /** By cost. */
  readsAtOnce: number;
  checkIntegrity: Housekeeping['checkIntegrity'];
  onClosed?(): void;
}

/** SQLite waits for the disk: nothing else may wait with it. */
export const sqliteThreads = (path: string): Layout => ({
  database: path,
  roles: { write: 'writer', read: 'reader', verify: 'verifier' },
  readsAtOnce: READ_LIMITS.window,
  checkIntegrity: (signal) => checkFile(path, signal),
  // The last connection has removed the log.
  onClosed: () => new Reserve(path).restore(),
});

/** A server waits by itself, but what it sends has to be decoded, and commands decided. */
export const postgresThreads = (url: string): Layout => ({
  database: url,
  roles: { write: 'postgres', read: 'postgres', verify: 'postgres' },
  // What waits for a server need not wait in its connections, where nobody takes turns.
  readsAtOnce: 64,
  checkIntegrity: () => Promise.resolve(null),
});

/** A ledger whose storage has threads of its own. */
export class ThreadedLedger implements Ledger {
  readonly housekeeping: Housekeeping;
  readonly #layout: Layout;
  readonly #events: StorageEvents;
  /** Each starts with its first call: many services never need the verifier. */
  readonly #threads = new Map<HostData['role'], Thread>();
  readonly #reads: Gate;
  readonly #onWritten: WrittenListener[] = [];
  #state: 'opening' | 'open' | 'closed' = 'opening';
  #damage: Unavailable | null = null;

  private constructor(layout: Layout, events: StorageEvents) {
    this.#layout = layout;
    this.#reads = new Gate({ ...READ_LIMITS, window: layout.readsAtOnce });
    this.#events = events;
    const calls = [...Object.keys(housekeeping), 'probe'].map((method) => [
      method,
      (argument: unknown = null) => this.#write(method as keyof Housekeeping, argument),
    ]);
    this.housekeeping = {
      ...(Object.fromEntries(calls) as Housekeeping),
      checkIntegrity: async (signal) => {
        const integrity = await layout.checkIntegrity(signal);
        if (integrity && integrity.fault !== null) this.#reportDamage(integrity.fault);
        return integrity;
      },
    };
  }

  static async open(layout: Layout, events: StorageEvents): Promise<ThreadedLedger> {
    const ledger = new ThreadedLedger(layout, events);
    try {
      // The writer starts first: it creates and migrates the file that the others open.
      await ledger.#thread('write').ready;
      await ledger.#thread('read').ready;
      ledger.#state = 'open';
      return ledger;
    } catch (error) {
      await ledger.close();
      throw error;
    }
  }

  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> {
    return this.#write('execute', command);
  }

  async query<N extends QueryName>(
    name: N,
    params: QueryParams<N>,
    caller?: Caller,
  ): Promise<QueryResult<N>> {
    const isVerification = OF_VERIFIER.has(name);
    const thread = isVerification ? 'verify' : 'read';
    const read = () => this.#thread(thread).call<QueryResult<N>>(name, params);
    if (isVerification || !takesTurns(name)) return read();
    return this.#reads.pass(realmOf(params), costOfQuery(name, params), caller, read);
  }

  onWritten(listener: WrittenListener): void {
    this.#onWritten.push(listener);
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    for (const thread of this.#threads.values()) await thread.close();
    this.#layout.onClosed?.();
  }

  #write<T>(method: 'execute' | keyof Housekeeping, argument: unknown): Promise<T> {
    if (this.#damage) return Promise.reject(this.#damage);
    return this.#thread('write').call(method, argument, true);
  }

  #thread(work: keyof Layout['roles']): Thread {
    const role = this.#layout.roles[work];
    const started = this.#threads.get(role);
    if (started) return started;
    if (this.#state === 'closed') throw new Unavailable('overloaded', 'the storage is closed');
    const thread = new Thread({
      role,
      database: this.#layout.database,
      isTimed: this.#events.onTimed !== undefined,
      resourceLimits: RESOURCE_LIMITS,
      // A ledger that cannot be opened says so itself.
      onDeath: (error) => this.#state === 'open' && this.#events.onDeath(error),
      onFailure: (error) => {
        const isDamage = error instanceof Unavailable && error.reason === 'storage-damaged';
        if (isDamage) this.#reportDamage(error.message);
      },
      onEvent: (event) => this.#pass(event),
    });
    this.#threads.set(role, thread);
    return thread;
  }

  #pass(event: ThreadEvent): void {
    if ('written' in event) for (const listener of this.#onWritten) listener(event.written);
    else if ('timing' in event) this.#events.onTimed?.(event.timing);
    else if ('refused' in event) this.#events.onRefused(new Error(event.refused));
    else if ('server' in event) this.#events.onServer?.(event.server, event.away);
    else if (event.outage === null) this.#events.onAvailable();
    else {
      const { reason, message, cause } = event.outage;
      this.#events.onUnavailable(new Unavailable(reason, message, { cause: new Error(cause) }));
    }
  }

  /**
   * A damaged file is not written to: a write could spread the damage, and would be lost when the
   * file is replaced by a copy.
   */
  #reportDamage(reason: string): void {
    if (this.#damage) return;
    this.#damage = new Unavailable('storage-damaged', 'the database file is damaged');
    this.#events.onDamage(reason);
  }
}
