import { Semaphore } from './bounds.ts';

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

export interface RpcCall {
  method: string;
  params?: readonly unknown[];
}

const BATCH_SIZE = 100;

/** How nodes say that they have not seen a block yet; there is no error code for it. */
const NO_SUCH_BLOCK = /(header|block)( is)? not found|(unknown|missing|future) (header|block)/i;
const RATE_LIMITED = [-32005, -32029, -32097, 429];

/**
 * A node answers a hundred balances in some 20 kB; anything this large is a fault or an attack, and
 * is not read to its end. A contract may return as much as its gas pays for.
 */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const TOO_MANY_REQUESTS = 429;

/**
 * How many requests to one node may be in flight: for balances, for quarantined contracts, and for
 * proofs, where the caller decides how much work the node has. Separate limits, so that none of
 * them delays another.
 */
const CONCURRENCY = { reads: 8, quarantine: 4, proofs: 2 };

/**
 * The clients of the configured chains by their CAIP-2 ids, such as `eip155:1`. Sends nothing yet:
 * a node that is down does not keep the service from starting.
 */
export function openChains(urls: Readonly<Record<string, string>>, timeoutMs = 5_000) {
  const closing = new AbortController();
  const clients = new Map<string, ChainClients>();
  for (const [name, url] of Object.entries(urls)) {
    clients.set(name, openClients(name, url, timeoutMs, closing.signal));
  }
  const close = (): void => closing.abort();
  return { clients, close };
}

export type ChainClients = ReturnType<typeof openClients>;

/** Nothing is repeated: the deadline is short, and the caller knows when a retry is worth it. */
function openClients(name: string, url: string, timeoutMs: number, closing: AbortSignal) {
  const chainId = Number(name.slice('eip155:'.length));
  const postOver = (concurrency: number) =>
    rpcPost(url, new Semaphore(concurrency), timeoutMs, closing);
  return {
    chainId,
    reads: new RpcClient(postOver(CONCURRENCY.reads)),
    quarantine: new RpcClient(postOver(CONCURRENCY.quarantine)),
    proofs: new RpcClient(postOver(CONCURRENCY.proofs)),
  };
}

/** Calls a node by JSON-RPC 2.0. Whoever calls checks that it is of the right chain. */
export class RpcClient {
  readonly #post: Post;

  constructor(post: Post) {
    this.#post = post;
  }

  async call(call: RpcCall, signal?: AbortSignal): Promise<unknown> {
    return resultOf(await this.#post(messageOf(call), signal));
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
    const answers = this.#post(messages, signal).then((all) => inOrder(all, calls.length));
    return calls.map(async (_, index) => resultOf((await answers)[index]));
  }
}

const messageOf = ({ method, params = [] }: RpcCall, id = 1): object => {
  return { jsonrpc: '2.0', id, method, params };
};

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

/** Posts a message to a node and parses the answer. Fails with a ChainError only. */
type Post = (message: object, signal?: AbortSignal) => Promise<unknown>;

/**
 * Every message waits for the semaphore, is aborted with the service, and must be answered before
 * the timeout. That starts when the semaphore is acquired, since the wait is not the node's fault,
 * and it covers the body: a node might send it byte by byte.
 */
function rpcPost(url: string, semaphore: Semaphore, timeoutMs: number, closing: AbortSignal): Post {
  const target = targetOf(url);
  return async (message, given) => {
    const release = await semaphore.acquire();
    try {
      const signals = [closing, AbortSignal.timeout(timeoutMs), ...(given ? [given] : [])];
      const signal = AbortSignal.any(signals);
      const body = JSON.stringify(message);
      // A node has no reason to redirect, and the API key in its URL is for that host alone.
      const init = { method: 'POST', headers: target.headers, body, redirect: 'error' } as const;
      return await readAnswer(await fetch(target.url, { ...init, signal }));
    } catch (error) {
      throw toChainError(error);
    } finally {
      release();
    }
  };
}

/** `fetch` accepts no user and password in a URL. */
function targetOf(text: string) {
  const url = new URL(text);
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  url.username = '';
  url.password = '';
  const headers = {
    'content-type': 'application/json',
    ...(user !== '' && { authorization: `Basic ${credentials}` }),
  };
  return { url, headers };
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await readText(response);
  if (response.status === TOO_MANY_REQUESTS) throw new ChainError('rate-limited');
  const answer = parsed(text);
  // Some nodes report the error of a call with the status of an error.
  if (response.ok || (isObject(answer) && isObject(answer.error))) return answer;
  throw new ChainError('refused');
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new ChainError('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined if the text is not JSON, which no answer is either. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toChainError(error: unknown): ChainError {
  if (error instanceof ChainError) return error;
  const isAbort =
    error instanceof DOMException && ['TimeoutError', 'AbortError'].includes(error.name);
  return new ChainError(isAbort ? 'timeout' : 'unreachable');
}
