import { ChainError } from './chain-failure.ts';
import type { Semaphore } from './semaphore.ts';

/**
 * A node answers a hundred balances in some 20 kB; anything this large is a fault or an attack, and
 * is not read to its end. A contract may return as much as its gas pays for.
 */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * A `fetch` for JSON-RPC that waits for the semaphore, stops with the service, and reads the whole
 * answer before the timeout. The timeout starts when the semaphore is acquired, since the wait is
 * not the node's fault, and it covers the body: viem's own timeout ends with the headers, so a node
 * that sends its body byte by byte would block a request for ever.
 */
export function rpcFetch(
  semaphore: Semaphore,
  timeoutMs: number,
  closing: AbortSignal,
): typeof fetch {
  return async (input, init = {}) => {
    const aborted = init.signal ? AbortSignal.any([init.signal, closing]) : closing;
    const release = await semaphore.acquire(aborted);
    try {
      const signal = AbortSignal.any([aborted, AbortSignal.timeout(timeoutMs)]);
      // A node has no reason to redirect, and the API key in its URL is for that host alone.
      const response = await fetch(input, { ...init, signal, redirect: 'error' });
      const text = await readText(response);
      if (response.ok) checkBatch(init.body, text);
      return new Response(text, { status: response.status, headers: response.headers });
    } finally {
      release();
    }
  };
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

/**
 * viem sorts the answers to a batch by id and matches them to the calls by position. If one were
 * missing, the balances after it would go to the wrong wallets, so every id must occur once.
 */
function checkBatch(sent: unknown, text: string): void {
  if (typeof sent !== 'string' || !sent.startsWith('[')) return;
  const asked = idsOf(JSON.parse(sent));
  const answered = idsOf(JSON.parse(text));
  if (asked.length !== answered.length || asked.some((id, index) => id !== answered[index])) {
    throw new ChainError('bad-answer');
  }
}

function idsOf(batch: unknown): unknown[] {
  if (!Array.isArray(batch)) throw new ChainError('bad-answer');
  return batch.map((one) => Number(one?.id)).sort((a, b) => a - b);
}
