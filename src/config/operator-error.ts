type OperatorErrorCode =
  | 'port-taken'
  | 'node-unusable'
  | 'key-unusable'
  | 'cannot-listen'
  | 'database-unusable'
  | 'database-in-use'
  | 'database-damaged'
  | 'database-newer'
  | 'database-older'
  | 'not-rewritten'
  | 'file-unusable'
  | 'no-such-record'
  | 'nothing-to-copy'
  | 'interrupted'
  | 'no-space'
  | 'import-stopped'
  | 'import-spent'
  | 'nothing-to-undo'
  | 'outcome-unknown'
  | 'cannot-distribute'
  | 'backup-exists'
  | 'backup-failed'
  | 'backup-damaged'
  | 'copy-faulty'
  | 'would-overwrite'
  | 'console-off'
  | 'settings-missing'
  | 'service-unusable';

/** A failure that the operator can act on: a code for programs and a sentence for people. */
export class OperatorError extends Error {
  readonly code: OperatorErrorCode;

  constructor(code: OperatorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
