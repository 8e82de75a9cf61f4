import type { CallAnswer, TokenCall } from './token-calls.ts';

export interface ReadResult {
  /** The block after which all the answers were true. */
  block: number;
  /** One for each call, in the order of the calls. */
  answers: CallAnswer[];
}

/** Calls that are answered together, and the promise that waits for them. */
export interface ReadRequest {
  calls: readonly TokenCall[];
  resolve: (result: ReadResult) => void;
  reject: (error: unknown) => void;
}

interface SharedCall {
  call: TokenCall;
  requests: Set<ReadRequest>;
  answer: CallAnswer | null;
}

/**
 * Several requests read at the same block, each distinct call once. A request resolves as soon as
 * its own calls are answered, whatever happens to the calls of the others.
 */
export class BlockRead {
  readonly block: number;
  readonly #calls = new Map<string, SharedCall>();
  /** The number of unanswered calls of each request that is not resolved. */
  readonly #open = new Map<ReadRequest, number>();

  constructor(requests: Iterable<ReadRequest>, block: number) {
    this.block = block;
    for (const request of requests) {
      const calls = new Set(request.calls.map((call) => this.#share(call)));
      for (const { requests } of calls) requests.add(request);
      this.#open.set(request, calls.size);
      if (calls.size === 0) this.#resolve(request);
    }
  }

  get openRequests(): ReadRequest[] {
    return [...this.#open.keys()];
  }

  get unanswered(): TokenCall[] {
    const calls = [...this.#calls.values()];
    return calls.filter(({ answer }) => answer === null).map(({ call }) => call);
  }

  /** Whether any call returned data. */
  hasData(): boolean {
    return this.#calls.values().some(({ answer }) => answer?.startsWith('0x'));
  }

  answer(call: TokenCall, answer: CallAnswer): void {
    const shared = this.#share(call);
    if (shared.answer !== null) return;
    shared.answer = answer;
    for (const request of shared.requests) {
      const open = (this.#open.get(request) ?? 0) - 1;
      this.#open.set(request, open);
      if (open === 0) this.#resolve(request);
    }
  }

  #share(call: TokenCall): SharedCall {
    const key = `${call.to} ${call.data}`;
    const shared = this.#calls.get(key) ?? { call, requests: new Set(), answer: null };
    this.#calls.set(key, shared);
    return shared;
  }

  #resolve(request: ReadRequest): void {
    this.#open.delete(request);
    const answers = request.calls.map((call) => this.#share(call).answer ?? 'unknown');
    request.resolve({ block: this.block, answers });
  }
}
