import type { OperationId, Operations, ProblemBody, ProblemDetails } from './generated.ts';

/** What can go wrong without an answer of the service. */
interface ClientProblems {
  /** There was no connection, or it broke, and so did those of all retries. */
  'connection-failed': Record<never, never>;
  /** The call took longer than `timeoutMs`, retries included. */
  'timed-out': Record<never, never>;
  /** The answer is not one of Realmkeep; a proxy may have given it. */
  'unexpected-answer': Record<never, never>;
}

type Details = ProblemDetails & ClientProblems;

export type ProblemCode = keyof Details;

/** The codes that a call of this operation can fail with. */
export type CodeOf<Op extends OperationId> = Operations[Op]['problem'] | keyof ClientProblems;

/** The members of a problem; those of a client's own problem are few. */
interface Members extends Partial<ProblemBody> {
  code: string;
  message: string;
  /** Sent with the call, if it was a write. */
  idempotencyKey?: string;
  retryAfterMs?: number;
  cause?: unknown;
}

/**
 * Every failure of a call, other than an abort by the caller. `code` tells programs what went
 * wrong, and the message tells people what to do. `isProblem` narrows it to an operation.
 */
export class RealmkeepError extends Error {
  override readonly name: string = 'RealmkeepError';
  readonly operation: OperationId;
  readonly code: ProblemCode;
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number = 0;
  /** Include it when you report a problem. */
  declare readonly requestId?: string;
  /** What to do, for who writes the program: the message is for its users. */
  declare readonly detail?: string;
  /** The faults of a request that was not valid. */
  declare readonly errors?: NonNullable<ProblemBody['errors']>;
  /** Repeat a write with its key, and it takes effect once, even if it already has. */
  declare readonly idempotencyKey?: string;
  /** Of a list, which may be sent in parts: how many entries were done before this failure. */
  declare readonly done?: number;
  /** How long the service asks to wait before the next attempt. */
  declare readonly retryAfterMs?: number;

  constructor(operation: OperationId, { message, cause, ...members }: Members) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, members);
    this.operation = operation;
    this.code = members.code as ProblemCode;
  }
}

/** The failures of an operation: one type for each code, with the details of that code. */
export type Problem<Op extends OperationId = OperationId> = {
  [Code in CodeOf<Op>]: RealmkeepError & { readonly code: Code } & Readonly<Details[Code]>;
}[CodeOf<Op>];

/**
 * Whether a call failed and, if an operation is given, whether it was a call of that operation.
 * Comparing `error.code` then gives the details of that code:
 *
 *     if (isProblem(error, 'transferPoints') && error.code === 'insufficient-points') {
 *       say(`You have ${error.balance} points.`);
 *     }
 */
export function isProblem<Op extends OperationId = OperationId>(
  error: unknown,
  operation?: Op,
): error is Problem<Op> {
  return (
    error instanceof RealmkeepError && (operation === undefined || error.operation === operation)
  );
}
