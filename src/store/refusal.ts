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

/** Refuses a database that a later program has migrated: this one does not know what it means. */
export function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  const why = `its schema version is ${version}, and this program knows those up to ${known}`;
  throw new StoreRefusal('database-newer', why);
}
