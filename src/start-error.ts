/** Thrown with a sentence for whoever wants to start something. */
export class StartError extends Error {
  readonly code:
    | 'port-taken'
    | 'cannot-listen'
    | 'database-unusable'
    | 'database-in-use'
    | 'nothing-to-copy'
    | 'interrupted'
    | 'cannot-distribute';

  constructor(code: StartError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
