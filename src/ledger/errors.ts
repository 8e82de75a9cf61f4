/** Why the service cannot serve a request right now. The edge has a sentence for each. */
export type UnavailableReason =
  | 'overloaded'
  | 'storage-full'
  | 'storage-unavailable'
  | 'storage-damaged';

/** Nothing was changed, and the same request may succeed later. */
export class Unavailable extends Error {
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The storage was lost during a commit: the write may or may not be durable. */
export class InDoubt extends Error {}

/** A host with several addresses fails with one error for each, and no message of its own. */
export const firstOf = (error: unknown): unknown =>
  error instanceof AggregateError ? error.errors[0] : error;

export function reasonOf(error: unknown): string {
  const first = firstOf(error);
  return first instanceof Error ? first.message : String(first);
}
