import { BadAnswer, TooLarge } from './rpc-fetch.ts';

/** The node is one of another chain than the settings say. */
export class WrongChain extends Error {}

/**
 * Why a node did not help, in a word that is fit for logs: the errors themselves carry the URL of
 * the node, and with it often an API key.
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

/** How nodes say that they have not come to a block yet; there is no code for it. */
const NO_SUCH_BLOCK = /(header|block)( is)? not found|(unknown|missing|future) (header|block)/i;
const RATE_LIMITED = [-32005, -32029, -32097, 429];

export function failureOf(error: unknown): Failure {
  const chain = causesOf(error);
  if (chain.some((one) => one instanceof WrongChain)) return 'wrong-chain';
  if (chain.some((one) => one instanceof TooLarge)) return 'too-large';
  if (chain.some((one) => one instanceof BadAnswer || one instanceof SyntaxError)) {
    return 'bad-answer';
  }
  if (chain.some(({ name }) => name === 'TimeoutError' || name === 'AbortError')) return 'timeout';
  if (chain.some(({ code, status }) => RATE_LIMITED.includes(Number(code ?? status)))) {
    return 'rate-limited';
  }
  const http = chain.find(({ name }) => name === 'HttpRequestError');
  if (http) return http.status === undefined ? 'unreachable' : 'refused';
  const rpc = chain.find(({ name }) => name === 'RpcRequestError');
  if (rpc) return isOfABlock(rpc.details ?? '') ? 'no-such-block' : 'rpc-error';
  return 'bad-answer';
}

/** Whether it is the node that fails, and not the one call that was asked of it. */
export const isOfTheNode = (error: unknown): boolean =>
  !['rpc-error', 'too-large'].includes(failureOf(error));

/** A contract may revert with any text: what it says is not the node's word. */
const isOfABlock = (text: string): boolean => !/revert/i.test(text) && NO_SUCH_BLOCK.test(text);

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
