import type { AnswerTo, CommandName, CommandOf, Outcome } from '../domain/commands.ts';
import type { Answer, Ask, QueryName } from '../domain/queries.ts';
import type { Housekeeping } from './store.ts';

/** The domain as everything above it sees it: commands go in, questions are answered. */
export interface Ledger {
  /** Durable when it answers. Rejects with `Overloaded` or `OutcomeUnknown`. */
  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>>;
  ask<N extends QueryName>(name: N, ask: Ask<N>): Promise<Answer<N>>;
  housekeeping: Housekeeping;
  /** Answers everything already accepted, then lets go of the storage. */
  close(): Promise<void>;
}

/** Thrown when more is waiting than can be done in a reasonable time. Nothing was changed. */
export class Overloaded extends Error {
  /** What it is to a caller, where that is not more than can be done. */
  readonly toCaller: string | null = null;
}

/** Thrown while the storage can't be reached: nobody waits for it, and nothing was changed. */
export class StorageUnavailable extends Overloaded {
  override readonly toCaller = 'The service cannot reach its database at present.';
}

/** Thrown where statements and boards are far behind the journal, as after a move or a damage. */
export class ProjectionBehind extends Overloaded {
  override readonly toCaller =
    'Statements and boards are being made from the journal and are not ready yet.';
}

/** Thrown when the storage went away in the middle of a write, and can't yet tell its end. */
export class OutcomeUnknown extends Error {}
