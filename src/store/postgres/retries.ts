import { Unavailable } from '../../engine/errors.ts';
import { isTransient, isUnavailable, toDomainError } from './errors.ts';

const MAX_ATTEMPTS = 4;
/** How long a batch is retried. */
export const RETRY_MS = 5_000;

/** Throws unless what kept a batch from being written may be over, and there is time to retry. */
export function assertRetryable(cause: unknown, failures: number, elapsedMs: number): void {
  const mayBeOver = isUnavailable(cause) || isTransient(cause);
  if (!mayBeOver || failures >= MAX_ATTEMPTS) throw toDomainError(cause);
  if (elapsedMs <= RETRY_MS) return;
  if (isUnavailable(cause)) throw toDomainError(cause);
  throw new Unavailable('overloaded', 'a batch was not written in time', { cause });
}
