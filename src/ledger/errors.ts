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
