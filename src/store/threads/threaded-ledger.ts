import type { AnswerTo, CommandName, CommandOf, Outcome } from '../../domain/commands.ts';
import type { QueryName, QueryParams, QueryResult } from '../../domain/queries.ts';
import { PENDING_LIMITS } from '../../engine/commit-queue.ts';
import {
  costOfCommand,
  costOfQuery,
  isProjectionQuery,
  LIGHT,
  realmOf,
  takesTurns,
} from '../../engine/cost.ts';
import { READ_LIMITS } from '../../engine/gate.ts';
import type { Caller, Ledger } from '../../engine/ledger.ts';
import type { Housekeeping } from '../../engine/store.ts';
import { ProjectionsBehind } from '../sqlite/projections/projections.ts';
import type { HostData } from './protocol.ts';
import { Thread } from './thread.ts';

/**
 * The writer parses a large command for 5 to 10 ms before it can queue it, so large ones wait here
 * in turns, and few are in the thread at a time. Others are sent at once: its queue bounds them.
 */
const WRITER_LIMITS = { window: 5 * LIGHT, ...PENDING_LIMITS };

/** A ledger whose storage has threads of its own. */
export class ThreadedLedger implements Ledger {
  readonly housekeeping: Housekeeping;
  readonly #writer: Thread;
  readonly #reader: Thread;
  readonly #projections: Thread;

  private constructor(writer: Thread, reader: Thread, projections: Thread) {
    this.#writer = writer;
    this.#reader = reader;
    this.#projections = projections;
    const call =
      <T>(thread: Thread, method: keyof Housekeeping) =>
      (argument: unknown): Promise<T> =>
        thread.call(method, argument);
    this.housekeeping = {
      recordKeyUse: call(writer, 'recordKeyUse'),
      storeRootKeyHash: call(writer, 'storeRootKeyHash'),
      expireAnswers: call(writer, 'expireAnswers'),
      expireChallenges: call(writer, 'expireChallenges'),
      project: call(projections, 'project'),
      dropExpiredLeaderboards: call(projections, 'dropExpiredLeaderboards'),
    };
  }

  /** `onDeath` is called when a thread fails: the service cannot continue without it. */
  static async open(path: string, onDeath: (error: Error) => void): Promise<ThreadedLedger> {
    const start = (role: HostData['role']) =>
      Thread.start({
        role,
        path,
        onDeath,
        limits: role === 'writer' ? WRITER_LIMITS : READ_LIMITS,
      });
    // The writer starts first: it creates and migrates the file that the others open.
    const writer = await start('writer');
    const started = await Promise.allSettled([start('reader'), start('projections')]);
    const [reader, projections] = started.map((one) =>
      one.status === 'fulfilled' ? one.value : null,
    );
    if (reader && projections) return new ThreadedLedger(writer, reader, projections);
    for (const thread of [writer, reader, projections]) await thread?.close();
    throw started.find((one) => one.status === 'rejected')?.reason;
  }

  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> {
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
    if (!takesTurns(name)) return this.#reader.call(name, params);
    if (isProjectionQuery(name)) return this.#queryProjections(name, params, caller);
    return this.#reader.callInTurn(
      name,
      params,
      realmOf(params),
      costOfQuery(name, params),
      caller,
    );
  }

  /** A query that has to wait for the projections of its realm gives up its turn meanwhile. */
  async #queryProjections<N extends QueryName>(
    name: N,
    params: QueryParams<N>,
    caller?: Caller,
  ): Promise<QueryResult<N>> {
    const realmId = realmOf(params);
    const cost = costOfQuery(name, params);
    try {
      return await this.#projections.callInTurn(name, params, realmId, cost, caller);
    } catch (error) {
      if (!(error instanceof ProjectionsBehind)) throw error;
      const { end } = error;
      await this.#projections.call('catchUp', { realmId, end });
      return this.#projections.callInTurn(name, { ...params, end }, realmId, cost, caller);
    }
  }

  async close(): Promise<void> {
    for (const thread of [this.#writer, this.#projections, this.#reader]) await thread.close();
  }
}
