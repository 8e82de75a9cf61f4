import type { AnswerTo, CommandName, CommandOf, Outcome } from '../domain/commands.ts';
import type { QueryName, QueryParams, QueryResult } from '../domain/queries.ts';
import type { Housekeeping } from './store.ts';

/** The domain as everything above it sees it: commands go in, questions are answered. */
export interface Ledger {
  /** Durable when it answers. Rejects with `Unavailable` or `InDoubt`. */
  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>>;
  query<N extends QueryName>(name: N, params: QueryParams<N>): Promise<QueryResult<N>>;
  housekeeping: Housekeeping;
  /** Answers everything already accepted, then lets go of the storage. */
  close(): Promise<void>;
}
