/** Why a store refuses what an operator asked for. */
export type StoreRefusalReason =
  | 'database-in-use'
  | 'database-damaged'
  | 'database-newer'
  | 'not-rewritten'
  | 'nothing-to-copy'
  | 'interrupted'
  | 'no-space'
  | 'cannot-distribute'
  | 'backup-exists'
  | 'backup-damaged'
  | 'copy-faulty'
  | 'would-overwrite';

/**
 * Nothing was changed, except that some tables may have been rewritten. The message completes the
 * sentence that storage.ts has for the reason.
 */
export class StoreRefusal extends Error {
  readonly reason: StoreRefusalReason;

  constructor(reason: StoreRefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
