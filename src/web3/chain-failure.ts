import { BadAnswer, TooLarge } from './rpc-fetch.ts';

/** The node serves another chain than the configured one. */
export class WrongChain extends Error {}

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

/** How nodes say that they have not seen a block yet; there is no error code for it. */
const NO_SUCH_BLOCK = /(header|block)( is)? not found|(unknown|missing|future) (header|block)/i;
const RATE_LIMITED = [-32005, -32029, -32097, 429];

export function failureOf(error: unknown): Failure {
  const causes = causesOf(error);
  if (causes.some((one) => one instanceof WrongChain)) return 'wrong-chain';
  if (causes.some((one) => one instanceof TooLarge)) return 'too-large';
  if (causes.some((one) => one instanceof BadAnswer || one instanceof SyntaxError)) {
    return 'bad-answer';
  }
  if (causes.some(({ name }) => name === 'TimeoutError' || name === 'AbortError')) return 'timeout';
  if (causes.some(({ code, status }) => RATE_LIMITED.includes(Number(code ?? status)))) {
    return 'rate-limited';
  }
  const http = causes.find(({ name }) => name === 'HttpRequestError');
  if (http) return http.status === undefined ? 'unreachable' : 'refused';
  const rpc = causes.find(({ name }) => name === 'RpcRequestError');
  if (rpc) return isMissingBlock(rpc.details ?? '') ? 'no-such-block' : 'rpc-error';
  return 'bad-answer';
}

/** Whether the node itself failed, and not just the call that it was asked to run. */
export const isNodeFailure = (error: unknown): boolean =>
  !['rpc-error', 'too-large'].includes(failureOf(error));

/** A contract may revert with any text, which must not pass for the node's own message. */
const isMissingBlock = (text: string): boolean => !/revert/i.test(text) && NO_SUCH_BLOCK.test(text);

interface Cause {
  name?: string;
  details?: string;
  status?: number;
  code?: unknown;
  cause?: unknown;
}

function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let one = error; one instanceof Error && causes.length < 10; one = one.cause) {
    causes.push(one as Cause);
  }
  return causes;
}
