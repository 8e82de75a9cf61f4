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

interface SharedCall extends PromiseWithResolvers<CallAnswer> {
  call: TokenCall;
  answer: CallAnswer | null;
}

/**
 * Several requests read at the same block, each distinct call once. A request resolves as soon as
 * its own calls are answered, whatever happens to the calls of the others.
 */
export class BlockRead {
  readonly block: number;
  readonly #calls = new Map<string, SharedCall>();

  constructor(requests: readonly ReadRequest[], block: number) {
    this.block = block;
    for (const { calls, resolve } of requests) {
      const answers = Promise.all(calls.map((call) => this.#share(call).promise));
      void answers.then((all) => resolve({ block, answers: all }));
    }
  }

  get unanswered(): TokenCall[] {
    const calls = [...this.#calls.values()];
    return calls.filter(({ answer }) => answer === null).map(({ call }) => call);
  }

  /** Whether any call returned data. */
  hasData(): boolean {
    return this.#calls.values().some(({ answer }) => answer?.startsWith('0x'));
  }

  isOpen({ calls }: ReadRequest): boolean {
    return calls.some((call) => this.#share(call).answer === null);
  }

  /** The first answer counts. */
  answer(call: TokenCall, answer: CallAnswer): void {
    const shared = this.#share(call);
    shared.answer ??= answer;
    shared.resolve(shared.answer);
  }

  #share(call: TokenCall): SharedCall {
    const begin = () => ({ call, answer: null, ...Promise.withResolvers<CallAnswer>() });
    return this.#calls.getOrInsertComputed(`${call.to} ${call.data}`, begin);
  }
}
