import { Semaphore } from './bounds.ts';
import type { CallAnswer, TokenCall } from './token-calls.ts';

interface ReadResult {
  /** The block after which all the answers were true. */
  block: number;
  /** One for each call, in the order of the calls. */
  answers: CallAnswer[];
}

/** Calls that are answered together, and the promise that waits for them. */
export interface ReadRequest extends PromiseWithResolvers<ReadResult> {
  calls: readonly TokenCall[];
}

/** Reads a batch of requests; `release` lets the next batch start before this one is complete. */
type ReadBatch = (requests: readonly ReadRequest[], release: () => void) => Promise<void>;

/**
 * Collects requests while earlier batches are being read: a thousand members queried at once cause
 * a few dozen requests to the node, not thousands.
 */
export function readQueue(concurrency: number, readBatch: ReadBatch) {
  const semaphore = new Semaphore(concurrency);
  const waiting: ReadRequest[] = [];
  const readWaiting = async (): Promise<void> => {
    const release = await semaphore.acquire();
    await new Promise((resolve) => setImmediate(resolve));
    await readBatch(waiting.splice(0), release).finally(release);
  };
  return (calls: readonly TokenCall[]): Promise<ReadResult> => {
    const request = { calls, ...Promise.withResolvers<ReadResult>() };
    waiting.push(request);
    if (waiting.length === 1) void readWaiting();
    return request.promise;
  };
}

/**
 * Several requests read at the same block. A request resolves as soon as its own calls are
 * answered, whatever happens to the calls of the others.
 */
export class BlockRead {
  readonly block: number;
  /** Whether any call returned data. */
  hasData = false;
  readonly #open = new Map<TokenCall, (answer: CallAnswer) => void>();

  constructor(requests: readonly ReadRequest[], block: number) {
    this.block = block;
    for (const { calls, resolve } of requests) {
      const answers = calls.map(
        (call) => new Promise<CallAnswer>((answered) => this.#open.set(call, answered)),
      );
      void Promise.all(answers).then((all) => resolve({ block, answers: all }));
    }
  }

  get unanswered(): TokenCall[] {
    return [...this.#open.keys()];
  }

  isOpen({ calls }: ReadRequest): boolean {
    return calls.some((call) => this.#open.has(call));
  }

  answer(call: TokenCall, answer: CallAnswer): void {
    this.hasData ||= answer.startsWith('0x');
    this.#open.get(call)?.(answer);
    this.#open.delete(call);
  }
}
