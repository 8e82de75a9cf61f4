/** A node answers a hundred balances in some 20 kB; what is larger is a fault or an attack. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** An answer that is no answer: not what was asked, not what it should look like. */
export class BadAnswer extends Error {}

/** An answer that nobody reads to its end. A contract may return as much as its gas pays for. */
export class TooLarge extends Error {}

/** Lets a number of requests through at a time; the others wait for their turn, or give up. */
export class Gate {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  leave(): void {
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
 * A `fetch` for JSON-RPC that waits its turn, ends with the service, and reads the whole answer
 * before the time is up. The time begins when the gate is passed, since waiting there is not the
 * node's doing, and it ends with the body: viem's own limit ends with the headers, so that a node
 * which sends its body drop by drop would never be left.
 */
export function rpcFetch(gate: Gate, timeoutMs: number, stopping: AbortSignal): typeof fetch {
  return async (input, init = {}) => {
    const unwanted = init.signal ? AbortSignal.any([init.signal, stopping]) : stopping;
    await gate.enter(unwanted);
    try {
      const signal = AbortSignal.any([unwanted, AbortSignal.timeout(timeoutMs)]);
      // A node has no reason to send us elsewhere, and the key in its URL is for it alone.
      const response = await fetch(input, { ...init, signal, redirect: 'error' });
      const text = await boundedText(response);
      if (response.ok) checkBatch(init.body, text);
      return new Response(text, { status: response.status, headers: response.headers });
    } finally {
      gate.leave();
    }
  };
}

async function boundedText(response: Response): Promise<string> {
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
 * A batch is matched with its answers by their order once both are sorted by id. Were one left out,
 * the balances behind it would go to the wrong wallets: so all must be there, each once.
 */
function checkBatch(sent: unknown, text: string): void {
  if (typeof sent !== 'string' || !sent.startsWith('[')) return;
  const asked = idsOf(JSON.parse(sent));
  const answered = idsOf(JSON.parse(text));
  if (asked.length !== answered.length || asked.some((id, index) => id !== answered[index])) {
    throw new BadAnswer('the answers of a batch are not those to its questions');
  }
}

function idsOf(batch: unknown): unknown[] {
  if (!Array.isArray(batch)) throw new BadAnswer('a batch was not answered with a list');
  return batch.map((one) => Number(one?.id)).sort((a, b) => a - b);
}
