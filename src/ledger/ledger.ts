import type { AnswerTo, CommandName, CommandOf, Outcome } from '../domain/commands.ts';
import type { QueryName, QueryParams, QueryResult } from '../domain/queries.ts';
import type { Housekeeping, WrittenListener } from './store.ts';

/** Where an answer goes. Nothing more is done for a caller that has disconnected. */
export interface Caller {
  readonly destroyed: boolean;
}

/** The engine as everything above sees it: executes commands and answers queries. */
export interface Ledger {
  /** Resolves once the outcome is durable. Rejects with `Unavailable` or `InDoubt`. */
  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>>;
  /** Rejects with `Unavailable` if there is too much to do, or the caller has disconnected. */
  query<N extends QueryName>(
    name: N,
    params: QueryParams<N>,
    caller?: Caller,
  ): Promise<QueryResult<N>>;
  /**
   * Calls the listener with realms whose journals have grown: at once if this process has written
   * to them, and if another one has where the storage passes that on; null for any realm. What a
   * failure hides is not reported, so it is a hint, and the journal has to be read now and then.
   */
  onWritten(listener: WrittenListener): void;
  housekeeping: Housekeeping;
  /** Completes everything already accepted, then closes the storage. */
  close(): Promise<void>;
}

/** A ledger that executes commands, and nothing else. */
export type Executor = Pick<Ledger, 'execute'>;
