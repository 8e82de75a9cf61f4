import type { Batch } from '../../engine/store.ts';
import type { RealmCache } from '../realm-cache.ts';
import type { Ready } from './changes.ts';
import type { Connection } from './connection.ts';
import { unlisted } from './statement.ts';

/**
 * The isolation level is explicit: with another default of the server, a batch would read the state
 * from before it had its locks.
 */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';
/** A statement, so that it can be part of a pipeline; like all commands, it has no plan. */
export const begin = unlisted<never, []>(BEGIN);
/**
 * An attempt waits only briefly, because other batches need the connection. The timeout is set
 * within the transaction, since a cluster passes on only a transaction's settings.
 */
export const lockTimeout = unlisted<never, []>('SET LOCAL lock_timeout = 100');

/** The batch was certainly not written; the cause says why. */
export class NotWritten extends Error {}

/** The connection dropped during the commit: the batch may or may not have been written. */
export class OutcomeUnknown extends Error {
  readonly batch: Ready;

  constructor(batch: Ready, cause: unknown) {
    super('the connection dropped during the commit of a batch', { cause });
    this.batch = batch;
  }
}

/** One attempt to commit a batch, with its needs in the order in which realms are locked. */
export interface Attempt extends Batch {
  /** Called when all statements were sent. */
  onSent: () => void;
  /** Null where batches are never decided from cached facts. */
  cache: RealmCache | null;
}

/** Sends the COMMIT behind the pipeline of writes; returns what the pipeline returns. */
export async function commitBehind<T>(
  connection: Connection,
  writing: Promise<T>,
  batch: Ready,
  onSent: () => void,
): Promise<T> {
  const committing = connection.run('COMMIT');
  onSent();
  const [written, committed] = await Promise.allSettled([writing, committing]);
  const tag: unknown = committed.status === 'fulfilled' ? committed.value : committed.reason;
  if (tag === 'COMMIT' && written.status === 'fulfilled') return written.value;
  const failure: unknown = written.status === 'rejected' ? written.reason : null;
  // Only ROLLBACK, the tag of a COMMIT after a failed statement, proves that nothing was written.
  if (tag !== 'ROLLBACK') {
    const cause = failure ?? tag;
    connection.destroy(cause as Error);
    throw new OutcomeUnknown(batch, cause);
  }
  const cause = failure ?? new Error('the server rolled a batch back without a reason');
  throw new NotWritten('a batch was rolled back', { cause });
}
