import { ChainError } from './chain-failure.ts';
import type { Semaphore } from './semaphore.ts';

/** Posts a message to a node and parses the answer. Fails with a ChainError only. */
export type Post = (message: object, signal?: AbortSignal) => Promise<unknown>;

/**
 * A node answers a hundred balances in some 20 kB; anything this large is a fault or an attack, and
 * is not read to its end. A contract may return as much as its gas pays for.
 */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const TOO_MANY_REQUESTS = 429;

/**
 * Every message waits for the semaphore, is aborted with the service, and must be answered before
 * the timeout. That starts when the semaphore is acquired, since the wait is not the node's fault,
 * and it covers the body: a node might send it byte by byte.
 */
export function rpcPost(
  url: string,
  semaphore: Semaphore,
  timeoutMs: number,
  closing: AbortSignal,
): Post {
  const target = targetOf(url);
  return async (message, given) => {
    const aborted = given ? AbortSignal.any([given, closing]) : closing;
    let release = (): void => {};
    try {
      release = await semaphore.acquire(aborted);
      const signal = AbortSignal.any([aborted, AbortSignal.timeout(timeoutMs)]);
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

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toChainError(error: unknown): ChainError {
  if (error instanceof ChainError) return error;
  const isAbort =
    error instanceof DOMException && ['TimeoutError', 'AbortError'].includes(error.name);
  return new ChainError(isAbort ? 'timeout' : 'unreachable');
}
