import { ChainError, type Failure, failureOf, isCallFailure } from './chain-failure.ts';
import { isObject, type Post } from './rpc-post.ts';

export interface RpcCall {
  method: string;
  params?: readonly unknown[];
}

/** The number of calls in one batch. */
const BATCH_SIZE = 100;

/** How nodes say that they have not seen a block yet; there is no error code for it. */
const NO_SUCH_BLOCK = /(header|block)( is)? not found|(unknown|missing|future) (header|block)/i;
const RATE_LIMITED = [-32005, -32029, -32097, 429];

/** Calls a node by JSON-RPC 2.0, once it has proved to be of the right chain. */
export class RpcClient {
  readonly #post: Post;
  readonly #check: ChainCheck;

  constructor(post: Post, check: ChainCheck) {
    this.#post = post;
    this.#check = check;
  }

  call(call: RpcCall, signal?: AbortSignal): Promise<unknown> {
    return this.#check.before(async () => resultOf(await this.#post(messageOf(call), signal)));
  }

  /** A promise for each call; the calls are sent in as few requests as possible. */
  callAll(calls: readonly RpcCall[], signal?: AbortSignal): Promise<unknown>[] {
    const results: Promise<unknown>[] = [];
    for (let start = 0; start < calls.length; start += BATCH_SIZE) {
      results.push(...this.#callBatch(calls.slice(start, start + BATCH_SIZE), signal));
    }
    return results;
  }

  #callBatch(calls: readonly RpcCall[], signal?: AbortSignal): Promise<unknown>[] {
    const messages = calls.map((call, index) => messageOf(call, index + 1));
    const answers = this.#check.before(async () =>
      inOrder(await this.#post(messages, signal), calls.length),
    );
    return calls.map(async (_, index) => resultOf((await answers)[index]));
  }
}

/**
 * Asks the node for its chain id before the first call, so that no answer is another chain's, and
 * again after a failure, when another node may answer.
 */
export class ChainCheck {
  readonly #post: Post;
  readonly #chainId: number;
  #passed: Promise<void> | null = null;

  constructor(post: Post, chainId: number) {
    this.#post = post;
    this.#chainId = chainId;
  }

  async before<T>(call: () => Promise<T>): Promise<T> {
    this.#passed ??= this.#ask();
    await this.#passed;
    try {
      return await call();
    } catch (error) {
      if (!isCallFailure(failureOf(error))) this.#passed = null;
      throw error;
    }
  }

  async #ask(): Promise<void> {
    try {
      const answer = await this.#post(messageOf({ method: 'eth_chainId' }));
      checkChainId(resultOf(answer), this.#chainId);
    } catch (error) {
      this.#passed = null;
      throw error;
    }
  }
}

const messageOf = ({ method, params = [] }: RpcCall, id = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

export function checkChainId(reported: unknown, expected: number): void {
  const isExpected = typeof reported === 'string' && Number(reported) === expected;
  if (!isExpected) throw new ChainError('wrong-chain');
}

/** If an answer were missing or doubled, the balances after it would go to the wrong wallets. */
function inOrder(answers: unknown, count: number): unknown[] {
  if (!Array.isArray(answers) || answers.length !== count) throw new ChainError('bad-answer');
  const byId = new Map(answers.map((one) => [Number(one?.id), one]));
  return Array.from({ length: count }, (_, index) => {
    if (byId.has(index + 1)) return byId.get(index + 1);
    throw new ChainError('bad-answer');
  });
}

function resultOf(answer: unknown): unknown {
  if (!isObject(answer)) throw new ChainError('bad-answer');
  if (isObject(answer.error)) throw new ChainError(failureIn(answer.error));
  return answer.result;
}

function failureIn({ code, message }: Record<string, unknown>): Failure {
  if (RATE_LIMITED.includes(Number(code))) return 'rate-limited';
  return isMissingBlock(String(message)) ? 'no-such-block' : 'rpc-error';
}

/** A contract may revert with any text, which must not pass for the node's own message. */
const isMissingBlock = (text: string): boolean => !/revert/i.test(text) && NO_SUCH_BLOCK.test(text);
