import { type Hex, isHex } from './abi.ts';
import { LruMap, MAX_CONTRACTS, Semaphore } from './bounds.ts';
import { TOLERATED_LAG } from './chain-watch.ts';
import {
  type ChainClients,
  ChainError,
  checkChainId,
  type Failure,
  failureOf,
  isCallFailure,
  type RpcCall,
  type RpcClient,
} from './rpc-client.ts';
import {
  type CallAnswer,
  decodeAggregate,
  encodeAggregate,
  MULTICALL3,
  type TokenCall,
} from './token-calls.ts';

interface ReadResult {
  /** The block after which all the answers were true. */
  block: number;
  /** One for each call, in the order of the calls. */
  answers: CallAnswer[];
}

/** Calls that are answered together, and the promise that waits for them. */
interface ReadRequest extends PromiseWithResolvers<ReadResult> {
  calls: readonly TokenCall[];
}

/** Reads a batch of requests; `release` lets the next batch start before this one is complete. */
type ReadBatch = (requests: readonly ReadRequest[], release: () => void) => Promise<void>;

/**
 * Collects requests while earlier batches are being read: a thousand members queried at once cause
 * a few dozen requests to the node, not thousands.
 */
function readQueue(concurrency: number, readBatch: ReadBatch) {
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
class BlockRead {
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

/** The number of calls in one multicall: some 25 kB, far below what any node refuses. */
const MULTICALL_SIZE = 100;
/** How many batches of each queue are read at once; later requests are collected meanwhile. */
const CONCURRENCY = { shared: 4, quarantine: 2 };
const QUARANTINE_MS = 5 * 60 * 1000;
/** How long a chain is taken to have no Multicall3 before the next look. */
const NO_MULTICALL_MS = 10 * 60 * 1000;

/** How a multicall fails if one of its contracts misbehaves. Any other failure is the node's. */
const CONTRACT_FAILURES: Failure[] = ['rpc-error', 'timeout', 'bad-answer', 'too-large'];

const QUANTITY = /^0x[0-9a-fA-F]+$/;

/** How a contract behaved in a call; unclear if the node failed. */
type Verdict = 'good' | 'bad' | 'unclear';

/**
 * Reads one chain. Contracts are read together in multicalls; those that failed or were slow are
 * quarantined for a while, so that they delay nobody else.
 */
export class ChainReader {
  readonly #clients: ChainClients;
  /** Until when contracts are read alone that failed or were slow, or were read with such a one. */
  readonly #quarantine = new LruMap<number>(MAX_CONTRACTS);
  readonly #shared = readQueue(CONCURRENCY.shared, (requests, release) =>
    this.#readAtOneBlock(requests, (read) => this.#readShared(read, release)),
  );
  readonly #quarantined = readQueue(CONCURRENCY.quarantine, (requests) =>
    this.#readAtOneBlock(requests, (read) => this.#readByContract(read, this.#clients.quarantine)),
  );
  #noMulticallUntil = 0;

  constructor(clients: ChainClients) {
    this.#clients = clients;
  }

  /** Rejects if the node fails. A call that fails on its own is reported in its answer. */
  read(calls: readonly TokenCall[]) {
    const isQuarantined = calls.some(({ to }) => (this.#quarantine.get(to) ?? 0) > Date.now());
    return isQuarantined ? this.#quarantined(calls) : this.#shared(calls);
  }

  /**
   * Answers of one block are consistent with each other. One URL often serves several nodes: if
   * one names a block that the next has not seen yet, a slightly earlier block is read instead.
   */
  async #readAtOneBlock(
    requests: readonly ReadRequest[],
    readAll: (read: BlockRead) => Promise<void>,
  ): Promise<void> {
    try {
      const read = new BlockRead(requests, await this.#latestBlock());
      await readAll(read).catch(async (error) => {
        if (failureOf(error) !== 'no-such-block') throw error;
        const open = requests.filter((request) => read.isOpen(request));
        await readAll(new BlockRead(open, Math.max(read.block - TOLERATED_LAG, 0)));
      });
    } catch (error) {
      // This has no effect on requests that are already resolved.
      for (const request of requests) request.reject(error);
    }
  }

  /** Asks for the chain id in the same request, because a URL may change to another chain. */
  async #latestBlock(): Promise<number> {
    const { chainId, reads } = this.#clients;
    const calls = [{ method: 'eth_chainId' }, { method: 'eth_blockNumber' }];
    const [id, number] = await Promise.all(reads.callAll(calls));
    checkChainId(id, chainId);
    const block = QUANTITY.test(String(number)) ? Number(number) : Number.NaN;
    if (!Number.isSafeInteger(block)) throw new ChainError('bad-answer');
    return block;
  }

  async #readShared(read: BlockRead, release: () => void): Promise<void> {
    const { reads } = this.#clients;
    if (Date.now() < this.#noMulticallUntil) return this.#readByContract(read, reads);
    // Sorted by contract, so that a bad contract affects few calls besides its own.
    const sorted = read.unanswered.sort((a, b) => (a.to < b.to ? -1 : Number(a.to > b.to)));
    const chunks = Map.groupBy(sorted, (_, index) => Math.floor(index / MULTICALL_SIZE));
    const abort = new AbortController();
    await Promise.all(chunks.values().map((calls) => this.#readMulticall(calls, read, abort)));
    release();
    // A contract can use up the gas or the time of a whole multicall: the calls without an answer
    // are repeated, separately for each contract.
    await this.#readByContract(read, this.#clients.quarantine);
  }

  async #readMulticall(calls: TokenCall[], read: BlockRead, abort: AbortController): Promise<void> {
    const multicall = { to: MULTICALL3, data: encodeAggregate(calls) } as const;
    try {
      const call = ethCall(multicall, read.block);
      const answer = answerOf(await this.#clients.reads.call(call, abort.signal));
      if (answer === 'nothing') {
        this.#noMulticallUntil = Date.now() + NO_MULTICALL_MS;
        return;
      }
      for (const [index, result] of decodeAggregate(answer, calls.length).entries()) {
        const call = calls[index];
        const hasData = result.success && result.returnData !== '0x';
        if (call && hasData) read.answer(call, result.returnData);
      }
    } catch (error) {
      if (abort.signal.aborted || !CONTRACT_FAILURES.includes(failureOf(error))) {
        // A node that refuses this request would refuse the others as well.
        abort.abort(error);
        throw error;
      }
      // Until it is known which of these contracts is bad, none of them may affect other reads.
      for (const { to } of calls) this.#quarantine.set(to, Date.now() + QUARANTINE_MS);
    }
  }

  /** Sends one JSON-RPC batch per contract, so that a slow contract delays only its own calls. */
  async #readByContract(read: BlockRead, client: RpcClient): Promise<void> {
    const calls = read.unanswered;
    const byContract = Map.groupBy(calls, ({ to }) => to);
    const abort = new AbortController();
    const nodeErrors = new Map<TokenCall, unknown>();
    const judge = async (call: TokenCall, result?: Promise<unknown>): Promise<Verdict> => {
      const answer = await Promise.resolve(result)
        .then(answerOf)
        .catch((error) => {
          const failure = failureOf(error);
          if (isCallFailure(failure)) return 'nothing';
          if (failure === 'rate-limited') abort.abort(error);
          // The node has just reported its block in time, so the contract may be what is slow.
          if (failure === 'timeout' && !abort.signal.aborted) return 'unknown';
          nodeErrors.set(call, error);
          return null;
        });
      if (answer === null) return 'unclear';
      read.answer(call, answer);
      return answer === 'unknown' || (answer === 'nothing' && !call.isOptional) ? 'bad' : 'good';
    };
    const readContract = async ([contract, own]: [Hex, TokenCall[]]): Promise<void> => {
      const sent = own.map((call) => ethCall(call, read.block));
      const results = client.callAll(sent, abort.signal);
      const verdicts = await Promise.all(own.map((call, index) => judge(call, results[index])));
      if (verdicts.includes('bad')) this.#quarantine.set(contract, Date.now() + QUARANTINE_MS);
      else if (!verdicts.includes('unclear')) this.#quarantine.delete(contract);
    };
    await Promise.all(Array.from(byContract, readContract));
    const isAllFailed = calls.length > 0 && nodeErrors.size === calls.length && !read.hasData;
    if (isAllFailed) throw nodeErrors.values().next().value;
    for (const call of nodeErrors.keys()) read.answer(call, 'unknown');
  }
}

const ethCall = ({ to, data }: TokenCall, block: number): RpcCall => ({
  method: 'eth_call',
  params: [{ to, data }, `0x${block.toString(16)}`],
});

/** The returned bytes. A node may answer with anything. */
function answerOf(result: unknown): Hex | 'nothing' {
  if (!isHex(result)) throw new ChainError('bad-answer');
  return result === '0x' ? 'nothing' : result;
}
