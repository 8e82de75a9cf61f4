import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  numberToHex,
  type PublicClient,
} from 'viem';
import { failureOf, isOfTheNode } from './chain-failure.ts';
import { TOLERATED_LAG } from './chain-watch.ts';
import type { Chains } from './chains.ts';
import { BadAnswer } from './rpc-fetch.ts';
import type { TokenCall } from './token-calls.ts';

/** Where Multicall3 is on every chain that has it. */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
/** How many calls one multicall carries: some 25 kB, far from what any node refuses. */
const CALLS_IN_ONE = 100;
const READS_AT_ONCE = 4;
/** How long a chain counts as one without Multicall3 before it is looked for again. */
const ABSENT_MS = 10 * 60 * 1000;

export interface Answers {
  /** The block at whose end everything was so. */
  block: number;
  /** What each call returned; null where it failed. */
  data: (Hex | null)[];
}

interface Asked {
  calls: readonly TokenCall[];
  resolve: (answers: Answers) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads one chain. What is asked while earlier reads are under way gathers and goes together, each
 * call once: a thousand members at the same time make a few dozen requests, not thousands.
 */
export class ChainReader {
  readonly #client: PublicClient;
  readonly #batchClient: PublicClient;
  readonly #timeoutMs: number;
  #gathered: Asked[] = [];
  #running = 0;
  #willFlush = false;
  #multicall: { present: boolean; at: number } | null = null;

  constructor(chains: Chains, client: PublicClient, batchClient: PublicClient) {
    this.#client = client;
    this.#batchClient = batchClient;
    this.#timeoutMs = chains.timeoutMs;
  }

  static of(chains: Chains, name: string): ChainReader | undefined {
    const client = chains.clientFor(name);
    const batchClient = chains.batchClientFor(name);
    return client && batchClient && new ChainReader(chains, client, batchClient);
  }

  /** Rejects when the node fails. A call that fails by itself does so alone. */
  read(calls: readonly TokenCall[]): Promise<Answers> {
    const { promise, resolve, reject } = Promise.withResolvers<Answers>();
    this.#gathered.push({ calls, resolve, reject });
    this.#flushSoon();
    return promise;
  }

  #flushSoon(): void {
    if (this.#willFlush || this.#running >= READS_AT_ONCE || this.#gathered.length === 0) return;
    this.#willFlush = true;
    setImmediate(() => {
      this.#willFlush = false;
      const asked = this.#gathered;
      this.#gathered = [];
      this.#running += 1;
      void this.#answer(asked).finally(() => {
        this.#running -= 1;
        this.#flushSoon();
      });
    });
  }

  async #answer(asked: readonly Asked[]): Promise<void> {
    try {
      const calls = new Map(asked.flatMap((one) => one.calls.map((call) => [keyOf(call), call])));
      const { block, found } = await this.#callAtOneBlock([...calls.values()]);
      for (const one of asked) {
        one.resolve({ block, data: one.calls.map((call) => found.get(keyOf(call)) ?? null) });
      }
    } catch (error) {
      for (const one of asked) one.reject(error);
    }
  }

  /**
   * What is read at one block fits together. Behind one URL there are often several nodes: one may
   * name a block that the next has not seen yet, and then an earlier one does.
   */
  async #callAtOneBlock(calls: readonly TokenCall[]) {
    const newest = await this.#block();
    try {
      return { block: newest, found: await this.#call(calls, newest) };
    } catch (error) {
      if (failureOf(error) !== 'no-such-block') throw error;
      const block = Math.max(newest - TOLERATED_LAG, 0);
      return { block, found: await this.#call(calls, block) };
    }
  }

  async #block(): Promise<number> {
    const block = Number(hexOf(await this.#client.request({ method: 'eth_blockNumber' }), /./));
    if (!Number.isSafeInteger(block)) throw new BadAnswer('there is no such block');
    return block;
  }

  async #call(calls: readonly TokenCall[], block: number): Promise<Map<string, Hex>> {
    const found = new Map<string, Hex>();
    if (await this.#hasMulticall()) {
      // By contract, so that one which spoils its neighbours spoils few but its own.
      const sorted = calls.toSorted((a, b) => (a.to < b.to ? -1 : Number(a.to > b.to)));
      const parts = inParts(sorted, CALLS_IN_ONE);
      await Promise.all(parts.map((part) => this.#multicallOf(part, block, found)));
    }
    // A contract may use up the gas or the time of all that are asked with it: who got no answer
    // is asked apart from the others.
    const left = calls.filter((call) => !found.has(keyOf(call)));
    if (left.length > 0) await this.#callApart(left, block, found);
    return found;
  }

  async #multicallOf(part: TokenCall[], block: number, found: Map<string, Hex>): Promise<void> {
    const answers = await this.#aggregate(part, block).catch(() => []);
    for (const [index, { success, returnData }] of answers.entries()) {
      const call = part[index];
      if (call && success && returnData !== '0x') found.set(keyOf(call), returnData);
    }
  }

  async #aggregate(
    calls: TokenCall[],
    block: number,
  ): Promise<readonly { success: boolean; returnData: Hex }[]> {
    const args = calls.map(({ to, data }) => ({ target: to, callData: data, allowFailure: true }));
    const abi = multicall3Abi;
    const data = encodeFunctionData({ abi, functionName: 'aggregate3', args: [args] });
    const answer = hexOf(
      await this.#client.request({
        method: 'eth_call',
        params: [{ to: MULTICALL3, data }, numberToHex(block)],
      }),
    );
    if (answer === '0x') {
      // It was there before: the node is another, or the chain began anew.
      this.#multicall = { present: false, at: Date.now() };
      return [];
    }
    return decoded(answer, calls.length);
  }

  /** One batch of JSON-RPC for each contract: one that keeps the node busy holds up its own. */
  async #callApart(calls: TokenCall[], block: number, found: Map<string, Hex>): Promise<void> {
    const byContract = Object.values(Object.groupBy(calls, ({ to }) => to));
    const outcomes = await Promise.all(
      byContract.map((batch = []) => {
        // viem puts together what has the same signal.
        const signal = AbortSignal.timeout(this.#timeoutMs);
        return Promise.allSettled(batch.map((call) => this.#callOne(call, block, signal, found)));
      }),
    );
    const failures = outcomes
      .flat()
      .flatMap((one) => (one.status === 'rejected' && isTheNodes(one.reason) ? [one.reason] : []));
    if (failures.length === calls.length && found.size === 0) throw failures[0];
  }

  async #callOne(
    { to, data }: TokenCall,
    block: number,
    signal: AbortSignal,
    found: Map<string, Hex>,
  ): Promise<void> {
    const answer = hexOf(
      await this.#batchClient.request(
        { method: 'eth_call', params: [{ to, data }, numberToHex(block)] },
        { signal },
      ),
    );
    if (answer !== '0x') found.set(keyOf({ to, data }), answer);
  }

  async #hasMulticall(): Promise<boolean> {
    const known = this.#multicall;
    if (known && (known.present || Date.now() - known.at < ABSENT_MS)) return known.present;
    const code = hexOf(
      await this.#client.request({ method: 'eth_getCode', params: [MULTICALL3, 'latest'] }),
    );
    this.#multicall = { present: code !== '0x', at: Date.now() };
    return this.#multicall.present;
  }
}

/** It named the block in time a moment ago: if time is up now, the contract used it. */
const isTheNodes = (error: unknown): boolean =>
  isOfTheNode(error) && failureOf(error) !== 'timeout';

const keyOf = ({ to, data }: TokenCall): string => `${to} ${data}`;

function decoded(answer: Hex, count: number): readonly { success: boolean; returnData: Hex }[] {
  let answers: readonly { success: boolean; returnData: Hex }[];
  try {
    answers = decodeFunctionResult({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      data: answer,
    });
  } catch (error) {
    throw new BadAnswer('what a multicall returned makes no sense', { cause: error });
  }
  if (answers.length !== count) throw new BadAnswer('a multicall has another number of answers');
  return answers;
}

function hexOf(value: unknown, form: RegExp = /^0x([0-9a-f]{2})*$/i): Hex {
  if (typeof value === 'string' && value.startsWith('0x') && form.test(value)) return value as Hex;
  throw new BadAnswer('the node answered with something else than bytes');
}

function inParts<T>(all: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}
