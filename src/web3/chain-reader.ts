import { type Hex, numberToHex, type PublicClient } from 'viem';
import { BlockRead, type ReadRequest, type ReadResult } from './block-read.ts';
import { type Failure, failureOf, WrongChain } from './chain-failure.ts';
import { TOLERATED_LAG } from './chain-watch.ts';
import type { ChainClients } from './chains.ts';
import { decodeAggregate, encodeAggregate, MULTICALL3 } from './multicall.ts';
import { Quarantine } from './quarantine.ts';
import { ReadQueue } from './read-queue.ts';
import { BadAnswer } from './rpc-fetch.ts';
import type { TokenCall } from './token-calls.ts';

/** The number of calls in one multicall: some 25 kB, far below what any node refuses. */
const MULTICALL_SIZE = 100;
/** How many batches of each queue are read at once; later requests are collected meanwhile. */
const CONCURRENCY = { shared: 4, quarantine: 2 };
/** How long a chain is taken to have no Multicall3 before the next look. */
const NO_MULTICALL_MS = 10 * 60 * 1000;

/** How a multicall fails if one of its contracts misbehaves. Any other failure is the node's. */
const CONTRACT_FAILURES: Failure[] = ['rpc-error', 'timeout', 'bad-answer', 'too-large'];

interface FailedCall {
  call: TokenCall;
  error: unknown;
}

/**
 * Reads one chain. Contracts are read together in multicalls; those that failed or were slow are
 * quarantined for a while, so that they delay nobody else.
 */
export class ChainReader {
  readonly #clients: ChainClients;
  readonly #quarantine = new Quarantine();
  readonly #shared = new ReadQueue(CONCURRENCY.shared, (requests, release) =>
    this.#readAtOneBlock(requests, (read) => this.#readShared(read, release)),
  );
  readonly #quarantined = new ReadQueue(CONCURRENCY.quarantine, (requests) =>
    this.#readAtOneBlock(requests, (read) => this.#readByContract(read, this.#clients.quarantine)),
  );
  #multicall: { isDeployed: boolean; checkedAt: number } | null = null;

  constructor(clients: ChainClients) {
    this.#clients = clients;
  }

  /** Rejects if the node fails. A call that fails on its own is reported in its answer. */
  read(calls: readonly TokenCall[]): Promise<ReadResult> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadResult>();
    const isQuarantined = calls.some(({ to }) => this.#quarantine.has(to));
    const queue = isQuarantined ? this.#quarantined : this.#shared;
    queue.add({ calls, resolve, reject });
    return promise;
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
        const earlier = Math.max(read.block - TOLERATED_LAG, 0);
        await readAll(new BlockRead(read.openRequests, earlier));
      });
    } catch (error) {
      // This has no effect on requests that are already resolved.
      for (const request of requests) request.reject(error);
    }
  }

  /** Asks for the chain id in the same request, because a URL may change to another chain. */
  async #latestBlock(): Promise<number> {
    const { batch } = this.#clients;
    const [id, number] = await Promise.all([
      batch.request({ method: 'eth_chainId' }),
      batch.request({ method: 'eth_blockNumber' }),
    ]);
    if (Number(id) !== batch.chain?.id) throw new WrongChain();
    const block = Number(toHex(number, /./));
    if (!Number.isSafeInteger(block)) throw new BadAnswer('the block number is not a number');
    return block;
  }

  async #readShared(read: BlockRead, release: () => void): Promise<void> {
    if (!(await this.#hasMulticall())) {
      await this.#readByContract(read, this.#clients.batch);
      return;
    }
    // Sorted by contract, so that a bad contract affects few calls besides its own.
    const sorted = read.unanswered.sort((a, b) => (a.to < b.to ? -1 : Number(a.to > b.to)));
    const abort = new AbortController();
    await Promise.all(
      chunks(sorted, MULTICALL_SIZE).map((calls) =>
        this.#readMulticall(calls, read, abort.signal).catch((error) => {
          abort.abort(error);
          throw error;
        }),
      ),
    );
    release();
    // A contract can use up the gas or the time of a whole multicall: the calls without an answer
    // are repeated, separately for each contract.
    await this.#readByContract(read, this.#clients.quarantine);
  }

  async #readMulticall(calls: TokenCall[], read: BlockRead, signal: AbortSignal): Promise<void> {
    try {
      const answers = await this.#aggregate(calls, read.block, signal);
      for (const [index, { success, returnData }] of answers.entries()) {
        const call = calls[index];
        if (call && success && returnData !== '0x') read.answer(call, returnData);
      }
    } catch (error) {
      // A node that refuses this request would refuse separate ones as well.
      if (signal.aborted || !CONTRACT_FAILURES.includes(failureOf(error))) throw error;
      // Until it is known which of these contracts is bad, none of them may affect other reads.
      for (const { to } of calls) this.#quarantine.add(to);
    }
  }

  async #aggregate(calls: TokenCall[], block: number, signal: AbortSignal) {
    const call = { to: MULTICALL3, data: encodeAggregate(calls) } as const;
    const answer = await ethCall(this.#clients.single, call, block, signal);
    if (answer !== '0x') return decodeAggregate(answer, calls.length);
    // It was deployed before: another node answers now, or the chain was reset.
    this.#multicall = { isDeployed: false, checkedAt: Date.now() };
    return [];
  }

  /** Sends one JSON-RPC batch per contract, so that a slow contract delays only its own calls. */
  async #readByContract(read: BlockRead, client: PublicClient): Promise<void> {
    const calls = read.unanswered;
    const byContract = Map.groupBy(calls, ({ to }) => to);
    const abort = new AbortController();
    const failed = await Promise.all(
      Array.from(byContract, ([contract, own]) =>
        this.#readContract(contract, own, read, client, abort),
      ),
    );
    const failures = failed.flat();
    const [first] = failures;
    if (first && failures.length === calls.length && !read.hasData()) throw first.error;
    for (const { call } of failures) read.answer(call, 'unknown');
  }

  /** Answers what the contract answers, and returns the calls at which the node failed. */
  async #readContract(
    contract: Hex,
    calls: readonly TokenCall[],
    read: BlockRead,
    client: PublicClient,
    abort: AbortController,
  ): Promise<FailedCall[]> {
    // viem batches the calls that share a signal, so each contract has its own.
    const signal = AbortSignal.any([abort.signal]);
    const failures: FailedCall[] = [];
    let isHealthy = true;
    const readCall = async (call: TokenCall): Promise<void> => {
      try {
        const answer = await ethCall(client, call, read.block, signal);
        read.answer(call, answer === '0x' ? 'nothing' : answer);
        if (answer === '0x' && !call.isOptional) isHealthy = false;
      } catch (error) {
        const failure = failureOf(error);
        if (failure === 'rate-limited') abort.abort(error);
        // The node has just reported its block in time, so the contract may be what is slow.
        const isSlow = failure === 'timeout' && !abort.signal.aborted;
        const isContractFailure = failure === 'rpc-error' || failure === 'too-large';
        if (isSlow || (isContractFailure && !call.isOptional)) isHealthy = false;
        if (isSlow) read.answer(call, 'unknown');
        else if (isContractFailure) read.answer(call, 'nothing');
        else failures.push({ call, error });
      }
    };
    await Promise.all(calls.map(readCall));
    if (!isHealthy) this.#quarantine.add(contract);
    else if (failures.length === 0) this.#quarantine.release(contract);
    return failures;
  }

  async #hasMulticall(): Promise<boolean> {
    const known = this.#multicall;
    const isRecent = known && Date.now() - known.checkedAt < NO_MULTICALL_MS;
    if (known && (known.isDeployed || isRecent)) return known.isDeployed;
    const code = await this.#clients.single.request({
      method: 'eth_getCode',
      params: [MULTICALL3, 'latest'],
    });
    const isDeployed = toHex(code) !== '0x';
    this.#multicall = { isDeployed, checkedAt: Date.now() };
    return isDeployed;
  }
}

async function ethCall(
  client: PublicClient,
  { to, data }: TokenCall,
  block: number,
  signal: AbortSignal,
): Promise<Hex> {
  const params = [{ to, data }, numberToHex(block)] as const;
  return toHex(await client.request({ method: 'eth_call', params }, { signal }));
}

function toHex(value: unknown, form: RegExp = /^0x([0-9a-f]{2})*$/i): Hex {
  if (typeof value === 'string' && value.startsWith('0x') && form.test(value)) return value as Hex;
  throw new BadAnswer('the node did not answer with hex digits');
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < all.length; start += size) parts.push(all.slice(start, start + size));
  return parts;
}
