import { isProblem } from '@realmkeep/client';

/** A sentence for the caller alone: nothing was changed. */
export class Refusal extends Error {}

/** The service did not answer: whether a write took effect may be unknown. */
export const isAway = (error: unknown): boolean =>
  error instanceof Unanswered ||
  (isProblem(error) &&
    (error.status === 0 || error.status >= 500 || [408, 429].includes(error.status)) &&
    error.code !== 'internal');

/**
 * A write without an answer. Pressing the button repeats it under the same key, and so it takes
 * effect once, even if it already has.
 */
export class Unanswered extends Error {
  /** The `custom_id` of the button, and what it finds in the footer of its message. */
  readonly again: string;
  readonly footer: string | undefined;

  constructor(again: string, cause: unknown, footer?: string) {
    super('the service did not answer', { cause });
    this.again = again;
    this.footer = footer;
  }
}
