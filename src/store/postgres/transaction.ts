import type { Needs } from '../../domain/facts.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import type { Decide } from '../../engine/store.ts';
import type { RealmCache } from '../realm-cache.ts';
import type { Connection } from './connection.ts';
import type { Statement } from './statement.ts';

/**
 * Said in full: another default of the server would let a batch read what was true before it had
 * its locks.
 */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';
/** Prepared, so that it can go out in one round with what comes behind it. */
export const begin = command(BEGIN);
/** Said in the transaction: of what is said outside, the other servers of a cluster never hear. */
export const waitFor = (ms: number) => command(`SET LOCAL lock_timeout = ${ms}`);

/** It has no plan, so it is not among the statements whose plans are looked at. */
function command(text: string): Statement<never, []> {
  return { name: text, text, distributed: text };
}

/** The batch was certainly not written, and why. */
export class NotWritten extends Error {}

/** The connection broke while the batch was being written: it may be there or not. */
export class Unknown extends Error {
  readonly batch: string;
  readonly decision: Decision;
  /** The session of the connection. */
  readonly sentOn: number;

  constructor(batch: string, decision: Decision, sentOn: number, cause: unknown) {
    super('the connection broke while a batch was being written', { cause });
    this.batch = batch;
    this.decision = decision;
    this.sentOn = sentOn;
  }
}

export interface Work {
  needs: Needs[];
  decide: Decide;
  /** How long it waits for its locks. */
  lockMs: number;
  /** Hears when the last word of it was sent. */
  onSent: () => void;
  /** What takes note of all that is read and written, where there is something like it. */
  cache: RealmCache | null;
}

interface Sent {
  batch: string;
  decision: Decision;
  onSent: () => void;
}

/** Sends the COMMIT without waiting for what is being written; answers what the writing did. */
export async function commitBehind<T>(
  connection: Connection,
  writing: Promise<T>,
  { batch, decision, onSent }: Sent,
): Promise<T> {
  const committing = connection.run('COMMIT');
  onSent();
  const [written, end] = await Promise.all([
    writing.then(
      (answer) => ({ answer }),
      (failure: unknown) => ({ failure }),
    ),
    committing.catch((error: unknown) => error),
  ]);
  if (end === 'COMMIT' && 'answer' in written) return written.answer;
  const failure = 'failure' in written ? written.failure : null;
  // Only ROLLBACK, the answer to a COMMIT after a failed statement, says that nothing was written.
  if (end !== 'ROLLBACK') {
    const cause = failure ?? end;
    connection.destroy(cause as Error);
    throw new Unknown(batch, decision, connection.session, cause);
  }
  const cause = failure ?? new Error('the server undid a batch and did not say why');
  throw new NotWritten('a batch was undone', { cause });
}
