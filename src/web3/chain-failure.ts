/**
 * Why a node failed, in a word that is safe to log: the errors themselves contain the node's URL,
 * and with it often an API key.
 */
export type Failure =
  | 'timeout'
  | 'unreachable'
  | 'refused'
  | 'rate-limited'
  | 'wrong-chain'
  | 'no-such-block'
  | 'bad-answer'
  | 'too-large'
  | 'rpc-error';

/** A failure that is detected here. Others are errors of viem, which also wraps this one. */
export class ChainError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure);
    this.failure = failure;
  }
}

type Cause = Error & { details?: string; status?: number; code?: unknown };

/** How nodes say that they have not seen a block yet; there is no error code for it. */
const NO_SUCH_BLOCK = /(header|block)( is)? not found|(unknown|missing|future) (header|block)/i;
const RATE_LIMITED = [-32005, -32029, -32097, 429];

export function failureOf(error: unknown): Failure {
  const causes = causesOf(error);
  const named = (...names: string[]) => causes.find(({ name }) => names.includes(name));
  const detected = causes.find((one) => one instanceof ChainError);
  if (detected) return detected.failure;
  if (named('SyntaxError')) return 'bad-answer';
  if (named('TimeoutError', 'AbortError')) return 'timeout';
  if (causes.some(({ code, status }) => RATE_LIMITED.includes(Number(code ?? status)))) {
    return 'rate-limited';
  }
  const http = named('HttpRequestError');
  if (http) return http.status === undefined ? 'unreachable' : 'refused';
  const rpc = named('RpcRequestError');
  if (rpc) return isMissingBlock(rpc.details ?? '') ? 'no-such-block' : 'rpc-error';
  return 'bad-answer';
}

/** Whether the call failed, and not the node that was asked to run it. */
export const isCallFailure = (failure: Failure): boolean =>
  failure === 'rpc-error' || failure === 'too-large';

/** A contract may revert with any text, which must not pass for the node's own message. */
const isMissingBlock = (text: string): boolean => !/revert/i.test(text) && NO_SUCH_BLOCK.test(text);

function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let one = error; one instanceof Error && causes.length < 10; one = one.cause) {
    causes.push(one);
  }
  return causes;
}
