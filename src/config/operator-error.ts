/** A failure that the operator can act on: a code for programs and a sentence for people. */
export class OperatorError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
