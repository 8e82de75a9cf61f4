import { type Hex, numberToHex, type PublicClient } from 'viem';
import { type Answers, type Asked, Round } from './block-read.ts';
import { type Failure, failureOf, WrongChain } from './chain-failure.ts';
import { TOLERATED_LAG } from './chain-watch.ts';
import type { Chains } from './chains.ts';
import { aggregated, aggregateOf, MULTICALL3 } from './multicall.ts';
import { Quarantine } from './quarantine.ts';
import { Lane } from './read-queue.ts';
import { BadAnswer } from './rpc-fetch.ts';
import type { TokenCall } from './token-calls.ts';

/** How many calls one multicall carries: some 25 kB, far from what any node refuses. */
const CALLS_IN_ONE = 100;
/** How many reads of each sort are under way at once; what is asked meanwhile gathers. */
const AT_ONCE = { together: 4, aside: 2 };
/** How long a chain counts as one without Multicall3 before it is looked for again. */
const ABSENT_MS = 10 * 60 * 1000;

/** What a contract can bring about for those that are asked with it. All else is the node's. */
const SPOILT: Failure[] = ['rpc-error', 'timeout', 'bad-answer', 'too-large'];

interface Clients {
  single: PublicClient;
  batch: PublicClient;
  aside: PublicClient;
}

/**
 * Reads one chain. Contracts are read together; those that were slow or failed are read aside for a
 * while, where they hold up nobody else.
 */
export class ChainReader {
  readonly #clients: Clients;
  readonly #quarantine = new Quarantine();
  readonly #together = new Lane(AT_ONCE.together, (asked, free) =>
    this.#answer(asked, (round) => this.#callTogether(round, free)),
  );
  readonly #aside = new Lane(AT_ONCE.aside, (asked) =>
    this.#answer(asked, (round) => this.#callApart(round, this.#clients.aside)),
  );
  #multicall: { present: boolean; at: number } | null = null;

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  static of(chains: Chains, name: string): ChainReader | undefined {
    const single = chains.clientFor(name);
    const batch = chains.batchClientFor(name);
    const aside = chains.quarantineClientFor(name);
    return single && batch && aside && new ChainReader({ single, batch, aside });
  }

  /** Rejects when the node fails. A call that fails by itself does so alone. */
  read(calls: readonly TokenCall[]): Promise<Answers> {
    const { promise, resolve, reject } = Promise.withResolvers<Answers>();
    const lane = calls.some(({ to }) => this.#quarantine.has(to)) ? this.#aside : this.#together;
    lane.add({ calls, resolve, reject });
    return promise;
  }

  /**
   * What is read at one block fits together. Behind one URL there are often several nodes: one may
   * name a block that the next has not seen yet, and then an earlier one does.
   */
  async #answer(asked: readonly Asked[], call: (round: Round) => Promise<void>): Promise<void> {
    try {
      const round = new Round(asked, await this.#block());
      await call(round).catch(async (error) => {
        if (failureOf(error) !== 'no-such-block') throw error;
        await call(new Round(round.waiting, Math.max(round.block - TOLERATED_LAG, 0)));
      });
    } catch (error) {
      // Who has answers already is not concerned.
      for (const one of asked) one.reject(error);
    }
  }

  /** With the chain in the same request: a URL may come to lead to another one at any time. */
  async #block(): Promise<number> {
    const { batch } = this.#clients;
    const [id, told] = await Promise.all([
      batch.request({ method: 'eth_chainId' }),
      batch.request({ method: 'eth_blockNumber' }),
    ]);
    if (Number(id) !== batch.chain?.id) throw new WrongChain('the node is of another chain');
    const block = Number(hexOf(told, /./));
    if (!Number.isSafeInteger(block)) throw new BadAnswer('there is no such block');
    return block;
  }

  async #callTogether(round: Round, free: () => void): Promise<void> {
    if (!(await this.#hasMulticall())) {
      await this.#callApart(round, this.#clients.batch);
      return;
    }
    // By contract, so that one which spoils its neighbours spoils few but its own.
    const sorted = round.untold.sort((a, b) => (a.to < b.to ? -1 : Number(a.to > b.to)));
    const stop = new AbortController();
    const parts = inParts(sorted, CALLS_IN_ONE);
    await Promise.all(
      parts.map((part) =>
        this.#multicallOf(part, round, stop.signal).catch((error) => {
          stop.abort(error);
          throw error;
        }),
      ),
    );
    free();
    // A contract may use up the gas or the time of all that are asked with it: who got no answer
    // is asked apart from the others.
    await this.#callApart(round, this.#clients.aside);
  }

  async #multicallOf(part: TokenCall[], round: Round, stop: AbortSignal): Promise<void> {
    try {
      const answers = await this.#aggregate(part, round.block, stop);
      for (const [index, { success, returnData }] of answers.entries()) {
        const call = part[index];
        if (call && success && returnData !== '0x') round.tell(call, returnData);
      }
    } catch (error) {
      // A node that refuses would refuse each contract apart as well.
      if (stop.aborted || !SPOILT.includes(failureOf(error))) throw error;
      // It is one of them; until it is known which, none should spoil another read.
      for (const { to } of part) this.#quarantine.add(to);
    }
  }

  async #aggregate(calls: TokenCall[], block: number, signal: AbortSignal) {
    const params = [{ to: MULTICALL3, data: aggregateOf(calls) }, numberToHex(block)] as const;
    const told = await this.#clients.single.request({ method: 'eth_call', params }, { signal });
    const answer = hexOf(told);
    if (answer !== '0x') return aggregated(answer, calls.length);
    // It was there before: the node is another, or the chain began anew.
    this.#multicall = { present: false, at: Date.now() };
    return [];
  }

  /** One batch of JSON-RPC for each contract: one that keeps the node busy holds up its own. */
  async #callApart(round: Round, client: PublicClient): Promise<void> {
    const calls = round.untold;
    const byContract = Object.values(Object.groupBy(calls, ({ to }) => to));
    const stop = new AbortController();
    const unanswered = await Promise.all(
      byContract.map((batch = []) => this.#callContract(batch, round, client, stop)),
    );
    const failures = unanswered.flat();
    const [first] = failures;
    if (first && failures.length === calls.length && !round.hasAnswer()) throw first.error;
    for (const { call } of failures) round.tell(call, 'unknown');
  }

  /** Tells what the contract said, and answers what the node failed at. */
  async #callContract(
    batch: readonly TokenCall[],
    round: Round,
    client: PublicClient,
    stop: AbortController,
  ): Promise<{ call: TokenCall; error: unknown }[]> {
    // viem puts together what has the same signal.
    const signal = AbortSignal.any([stop.signal]);
    const failures: { call: TokenCall; error: unknown }[] = [];
    let isQuarantined = false;
    const ask = async (call: TokenCall): Promise<void> => {
      try {
        const answer = await callOne(client, call, round.block, signal);
        round.tell(call, answer === '0x' ? 'nothing' : answer);
        isQuarantined ||= answer === '0x' && !call.isOptional;
      } catch (error) {
        const failure = failureOf(error);
        if (failure === 'rate-limited') stop.abort(error);
        const isTheContracts = failure === 'rpc-error' || failure === 'too-large';
        // It named the block in time a moment ago: the contract may have used the time, or not.
        const isLate = failure === 'timeout' && !stop.signal.aborted;
        isQuarantined ||= isLate || (isTheContracts && !call.isOptional);
        if (isLate || isTheContracts) round.tell(call, isLate ? 'unknown' : 'nothing');
        else failures.push({ call, error });
      }
    };
    await Promise.all(batch.map(ask));
    const [{ to } = { to: '' }] = batch;
    if (isQuarantined) this.#quarantine.add(to);
    else if (failures.length === 0) this.#quarantine.clear(to);
    return failures;
  }

  async #hasMulticall(): Promise<boolean> {
    const known = this.#multicall;
    if (known && (known.present || Date.now() - known.at < ABSENT_MS)) return known.present;
    const told = await this.#clients.single.request({
      method: 'eth_getCode',
      params: [MULTICALL3, 'latest'],
    });
    this.#multicall = { present: hexOf(told) !== '0x', at: Date.now() };
    return this.#multicall.present;
  }
}

async function callOne(
  client: PublicClient,
  { to, data }: TokenCall,
  block: number,
  signal: AbortSignal,
): Promise<Hex> {
  const params = [{ to, data }, numberToHex(block)] as const;
  return hexOf(await client.request({ method: 'eth_call', params }, { signal }));
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
