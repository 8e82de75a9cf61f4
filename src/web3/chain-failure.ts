/** Why a node failed. */
export type Failure = (typeof FAILURES)[number];

export const FAILURES = [
  'timeout',
  'unreachable',
  'refused',
  'rate-limited',
  'wrong-chain',
  'no-such-block',
  'bad-answer',
  'too-large',
  'rpc-error',
] as const;

/**
 * A failure as a word that is safe to log. It has no cause: the errors of `fetch` may contain the
 * node's URL, and with it often an API key.
 */
export class ChainError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure);
    this.failure = failure;
  }
}

/** What is not a failure of the connection is an answer that cannot be decoded. */
export const failureOf = (error: unknown): Failure =>
  error instanceof ChainError ? error.failure : 'bad-answer';

/** Whether the call failed, and not the node that was asked to run it. */
export const isCallFailure = (failure: Failure): boolean =>
  failure === 'rpc-error' || failure === 'too-large';
