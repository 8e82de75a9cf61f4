/** A node answers a hundred balances in some 20 kB; anything this large is a fault or an attack. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** An answer that does not fit the request or is malformed. */
export class BadAnswer extends Error {}

/** An answer that is not read to its end. A contract may return as much as its gas pays for. */
export class TooLarge extends Error {}

/** Limits the number of concurrent requests; those that wait can be aborted. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(permits: number) {
    this.#free = permits;
  }

  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

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
    await semaphore.acquire(aborted);
    try {
      const signal = AbortSignal.any([aborted, AbortSignal.timeout(timeoutMs)]);
      // A node has no reason to redirect, and the API key in its URL is for that host alone.
      const response = await fetch(input, { ...init, signal, redirect: 'error' });
      const text = await readText(response);
      if (response.ok) checkBatch(init.body, text);
      return new Response(text, { status: response.status, headers: response.headers });
    } finally {
      semaphore.release();
    }
  };
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new TooLarge('the answer is too large');
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
    throw new BadAnswer('the ids in the answer to a batch are not those of its calls');
  }
}

function idsOf(batch: unknown): unknown[] {
  if (!Array.isArray(batch)) throw new BadAnswer('the answer to a batch is not a list');
  return batch.map((one) => Number(one?.id)).sort((a, b) => a - b);
}
