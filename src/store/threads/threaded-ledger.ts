import type { AnswerTo, CommandName, CommandOf, Outcome } from '../../domain/commands.ts';
import type { QueryName, QueryParams, QueryResult } from '../../domain/queries.ts';
import type { TimingListener } from '../../engine/batch-timing.ts';
import { PENDING_LIMITS } from '../../engine/commit-queue.ts';
import {
  costOfCommand,
  costOfQuery,
  isProjectionQuery,
  isVerificationQuery,
  LIGHT,
  readsMembers,
  realmOf,
  takesTurns,
} from '../../engine/cost.ts';
import type { Unavailable } from '../../engine/errors.ts';
import { READ_LIMITS } from '../../engine/gate.ts';
import type { Caller, Ledger } from '../../engine/ledger.ts';
import { QueryCosts } from '../../engine/query-costs.ts';
import type { Housekeeping, WrittenListener } from '../../engine/store.ts';
import { checkFiles } from '../sqlite/integrity-process.ts';
import { ProjectionsBehind } from '../sqlite/projections/behind.ts';
import { removeProjections } from '../sqlite/projections/database.ts';
import { Reserve } from '../sqlite/reserve.ts';
import { LazyThread } from './lazy-thread.ts';
import type { HostData } from './protocol.ts';
import { type HealthEvents, StorageHealth } from './storage-health.ts';
import { Thread } from './thread.ts';

/**
 * The writer parses a large command for 5 to 10 ms before it can queue it, so large ones wait here
 * in turns, and few are in the thread at a time. Others are sent at once: its queue bounds them.
 */
const WRITER_LIMITS = { window: 5 * LIGHT, ...PENDING_LIMITS };
/** Collected early, garbage stays small: 120 MB less beside large batches. Imports do without. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 24 };

interface StorageThreadEvents extends HealthEvents {
  /** A thread failed: the service cannot continue without it. */
  onDeath(error: Error): void;
  /** Absent if nothing is traced. */
  onTimed?: TimingListener | undefined;
}

interface Threads extends Record<Exclude<HostData['role'], 'verifier'>, Thread> {
  verifier: LazyThread;
}

/** A ledger whose storage has threads of its own. */
export class ThreadedLedger implements Ledger {
  readonly housekeeping: Housekeeping;
  readonly #writer: Thread;
  readonly #reader: Thread;
  readonly #projections: Thread;
  readonly #verifier: LazyThread;
  readonly #health: StorageHealth;
  readonly #costs = new QueryCosts();
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
    const { writer, reader, projections, verifier } = threads;
    this.#writer = writer;
    this.#reader = reader;
    this.#projections = projections;
    this.#verifier = verifier;
    this.#health = health;
    this.#path = path;
    this.#onWritten = onWritten;
    health.onRefusal((refusal) => {
      this.#refusal = refusal;
    });
    const call =
      <T>(thread: Thread, method: keyof Housekeeping) =>
      (argument?: unknown): Promise<T> =>
        thread === writer && this.#refusal
          ? Promise.reject(this.#refusal)
          : thread.call(method, argument);
    this.housekeeping = {
      recordKeyUse: call(writer, 'recordKeyUse'),
      storeRootKeyHash: call(writer, 'storeRootKeyHash'),
      createSession: call(writer, 'createSession'),
      endSession: call(writer, 'endSession'),
      recordSessionUse: call(writer, 'recordSessionUse'),
      expireSessions: call(writer, 'expireSessions'),
      expireAnswers: call(writer, 'expireAnswers'),
      expireChallenges: call(writer, 'expireChallenges'),
      removeRealmRows: call(writer, 'removeRealmRows'),
      removeRealm: call(writer, 'removeRealm'),
      erasePersonalParts: call(writer, 'erasePersonalParts'),
      leaseWebhooks: call(writer, 'leaseWebhooks'),
      releaseWebhooks: call(writer, 'releaseWebhooks'),
      saveReports: call(writer, 'saveReports'),
      removeStrayDeliveries: call(writer, 'removeStrayDeliveries'),
      project: call(projections, 'project'),
      dropExpiredLeaderboards: call(projections, 'dropExpiredLeaderboards'),
      rebuildProjections: call(projections, 'rebuildProjections'),
      probe: () => writer.call('probe', null),
      removeRealmProjections: call(projections, 'removeRealmProjections'),
      checkIntegrity: async (signal) => {
        const integrity = await checkFiles(path, signal);
        if (integrity.database !== null) health.reportDamage(integrity.database);
        // The thread of the projections notices, and rebuilds them from the journal.
        if (integrity.projections !== null) removeProjections(path);
        return integrity;
      },
    };
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
        limits: role === 'writer' ? WRITER_LIMITS : READ_LIMITS,
        resourceLimits: RESOURCE_LIMITS,
      });
    // The writer starts first: it creates and migrates the file that the others open.
    const writer = await start('writer');
    const started = await Promise.allSettled((['reader', 'projections'] as const).map(start));
    const [reader, projections] = started.map((one) =>
      one.status === 'fulfilled' ? one.value : null,
    );
    if (reader && projections) {
      await health.check();
      const verifier = new LazyThread(
        () => start('verifier'),
        (error) => events.onDeath(error),
      );
      return new ThreadedLedger(path, { writer, reader, projections, verifier }, health, onWritten);
    }
    for (const thread of [writer, reader, projections]) await thread?.close();
    throw started.find((one) => one.status === 'rejected')?.reason;
  }

  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> {
    if (this.#refusal) return Promise.reject(this.#refusal);
    const { realmId } = command;
    const cost = costOfCommand(command);
    const isNext = cost <= LIGHT && !this.#writer.gate.hasWaiting(realmId);
    if (isNext) return this.#writer.call('execute', command);
    return this.#writer.callInTurn('execute', command, realmId, cost);
  }

  query<N extends QueryName>(
    name: N,
    params: QueryParams<N>,
    caller?: Caller,
  ): Promise<QueryResult<N>> {
    if (isVerificationQuery(name)) return this.#verifier.call(name, params);
    if (!takesTurns(name)) return this.#reader.call(name, params);
    return this.#queryInTurn(name, params, caller);
  }

  async #queryInTurn<N extends QueryName>(
    name: N,
    params: QueryParams<N>,
    caller?: Caller,
  ): Promise<QueryResult<N>> {
    const isOfMembers = readsMembers(name);
    const cost = isOfMembers ? this.#costs.of(name, params) : costOfQuery(name, params);
    const result: QueryResult<N> = isProjectionQuery(name)
      ? await this.#queryProjections(name, params, cost, caller)
      : await this.#reader.callInTurn(name, params, realmOf(params), cost, caller);
    if (isOfMembers) this.#costs.learn(name, params, result);
    return result;
  }

  /** A query that has to wait for the projections of its realm gives up its turn meanwhile. */
  async #queryProjections<N extends QueryName>(
    name: N,
    params: QueryParams<N>,
    cost: number,
    caller?: Caller,
  ): Promise<QueryResult<N>> {
    const realmId = realmOf(params);
    try {
      return await this.#projections.callInTurn(name, params, realmId, cost, caller);
    } catch (error) {
      if (!(error instanceof ProjectionsBehind)) throw error;
      const { end } = error;
      await this.#projections.call('catchUp', { realmId, end });
      return this.#projections.callInTurn(name, { ...params, end }, realmId, cost, caller);
    }
  }

  onWritten(listener: WrittenListener): void {
    this.#onWritten.push(listener);
  }

  async close(): Promise<void> {
    this.#health.close();
    const threads = [this.#writer, this.#projections, this.#verifier, this.#reader];
    for (const thread of threads) await thread.close();
    // The last of them has removed the logs.
    new Reserve(this.#path).restore();
  }
}
