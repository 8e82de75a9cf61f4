import type { Asset, Holding } from '../domain/model.ts';
import { LruMap, MAX_CONTRACTS, within } from './bounds.ts';
import { ChainReader } from './chain-reader.ts';
import { type ChainEvents, ChainWatch } from './chain-watch.ts';
import { failureOf, openChains, type RpcClient } from './rpc-client.ts';
import { balanceCall, balanceOf, type CallAnswer, symbolCall, symbolOf } from './token-calls.ts';

const DEFAULTS = {
  /** How long a balance is shown without being read again. */
  freshMs: 60_000,
  /** A balance older than this is stale: callers wait for a new one, up to the deadline. */
  oldMs: 5 * 60_000,
  /** How long a caller waits for the chains at most. */
  deadlineMs: 2_000,
  /** How long a chain is not asked again after a failure. */
  retryMs: 5_000,
  /** The number of cached balances, each of one member in one asset. */
  entries: 20_000,
};

export interface HoldingsOptions extends Partial<typeof DEFAULTS> {
  /** Of a request to a node. */
  timeoutMs?: number;
}

/** Symbols hardly ever change; a missing one may appear later. */
const SYMBOL_MS = 24 * 60 * 60 * 1000;
const NO_SYMBOL_MS = 10 * 60 * 1000;

interface Chain {
  reader: ChainReader;
  watch: ChainWatch;
  proofs: RpcClient;
}

/** What the wallets of a member hold together of one asset, as it was last read. */
interface CachedSum {
  /** Null until the contract has returned the balance of every wallet. */
  sum: { balance: string; block: number; asOf: number } | null;
  /** Whether the last read failed, or came from a lagging node. */
  isStale: boolean;
  /** From then on it has to be read again. */
  dueAt: number;
}

/** The balances of wallets, read from the chains and cached. It never fails and never hangs. */
export class ChainHoldings {
  readonly #options: typeof DEFAULTS;
  readonly #abortReads: () => void;
  readonly #chains = new Map<string, Chain>();
  readonly #sums: LruMap<CachedSum>;
  readonly #symbols = new LruMap<{ symbol: string | null; dueAt: number }>(MAX_CONTRACTS);
  readonly #reads = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(
    urls: Readonly<Record<string, string>>,
    events: ChainEvents,
    options: HoldingsOptions = {},
  ) {
    this.#options = { ...DEFAULTS, ...options };
    this.#sums = new LruMap(this.#options.entries);
    const { clients, close } = openChains(urls, options.timeoutMs);
    this.#abortReads = close;
    for (const [name, own] of clients) {
      const watch = new ChainWatch(name, events, this.#options.retryMs);
      this.#chains.set(name, { reader: new ChainReader(own), watch, proofs: own.proofs });
    }
  }

  /** The client that checks proofs; undefined if the chain is not configured. */
  proofClientFor(chain: string): RpcClient | undefined {
    return this.#chains.get(chain)?.proofs;
  }

  /** The assets, each with the combined balance of the wallets in it. */
  async of(assets: readonly Asset[], wallets: readonly string[]): Promise<(Asset & Holding)[]> {
    const awaited = assets.flatMap((asset) => this.#refresh(asset, wallets) ?? []);
    if (awaited.length > 0) await within(this.#options.deadlineMs, Promise.all(awaited), []);
    return assets.map((asset) => ({
      ...asset,
      symbol: asset.symbol ?? this.#symbols.get(contractKey(asset))?.symbol ?? null,
      ...this.#shown(asset, wallets),
    }));
  }

  #shown(asset: Asset, wallets: readonly string[]): Omit<Holding, 'symbol'> {
    const now = Date.now();
    // Without wallets nothing has to be read, and nothing can be out of date.
    if (wallets.length === 0) return { balance: '0', block: null, asOf: now, stale: false };
    const { sum = null, isStale = true } = this.#sums.get(sumKey(asset, wallets)) ?? {};
    if (!sum) return { balance: null, block: null, asOf: null, stale: true };
    return { ...sum, stale: isStale || sum.asOf < now - this.#options.oldMs };
  }

  /** Aborts every read; no caller waits for a chain after this, and none is read. */
  close(): void {
    this.#isStopped = true;
    this.#abortReads();
  }

  counts() {
    const chains = Array.from(this.#chains.values(), ({ watch }) => watch.counts());
    return { entries: this.#sums.size, chains };
  }

  /** Starts a read if one is due; returns it if there is nothing to show until it is complete. */
  #refresh(asset: Asset, wallets: readonly string[]): Promise<void> | undefined {
    const chain = this.#chains.get(asset.chain);
    if (!chain || this.#isStopped) return undefined;
    const now = Date.now();
    const cached = this.#sums.get(sumKey(asset, wallets));
    const isSumDue = wallets.length > 0 && (!cached || cached.dueAt <= now);
    const isSymbolDue = this.#isSymbolDue(asset, now);
    if (!isSumDue && !isSymbolDue) return undefined;
    if (chain.watch.isPaused(now)) {
      if (cached && isSumDue) cached.isStale = true;
      return undefined;
    }
    const reading = this.#read(chain, asset, wallets);
    const isOld = !cached?.sum || cached.sum.asOf < now - this.#options.oldMs;
    const lacksSymbol = isSymbolDue && !this.#symbols.has(contractKey(asset));
    return (isSumDue && isOld) || lacksSymbol ? reading : undefined;
  }

  #isSymbolDue(asset: Asset, now: number): boolean {
    if (asset.symbol !== null || asset.standard === 'erc1155') return false;
    return (this.#symbols.get(contractKey(asset))?.dueAt ?? 0) <= now;
  }

  /** Reads all wallets at once, so that their balances are of one block. */
  #read(chain: Chain, asset: Asset, wallets: readonly string[]): Promise<void> {
    return this.#reads.getOrInsertComputed(sumKey(asset, wallets), (key) =>
      this.#readNow(chain, asset, wallets, key).finally(() => this.#reads.delete(key)),
    );
  }

  async #readNow(
    { reader, watch }: Chain,
    asset: Asset,
    wallets: readonly string[],
    key: string,
  ): Promise<void> {
    const asOf = Date.now();
    const calls = wallets.map((wallet) => balanceCall(asset, wallet));
    if (this.#isSymbolDue(asset, asOf)) calls.push(symbolCall(asset));
    try {
      const { block, answers } = await reader.read(calls);
      const ofWallets = answers.slice(0, wallets.length);
      if (wallets.length > 0) this.#cacheSum(watch, asset, key, { ofWallets, block, asOf });
      const symbol = answers[wallets.length];
      if (symbol !== undefined) this.#cacheSymbol(asset, symbol);
    } catch (error) {
      if (this.#isStopped) return;
      watch.failed(failureOf(error), Date.now());
      const cached = this.#sums.get(key);
      if (cached && cached.dueAt <= Date.now()) cached.isStale = true;
    }
  }

  #cacheSum(
    watch: ChainWatch,
    asset: Asset,
    key: string,
    { ofWallets, block, asOf }: { ofWallets: CallAnswer[]; block: number; asOf: number },
  ): void {
    const { freshMs, retryMs } = this.#options;
    const now = Date.now();
    const isLagging = watch.answered(block, now);
    const balances = ofWallets.map(balanceOf).filter((balance) => balance !== null);
    const isWhole = balances.length === ofWallets.length;
    const isUnknown = ofWallets.includes('unknown');
    // If the node did not answer, the contract is not to blame.
    if (!isWhole && !isUnknown) watch.unanswered(asset.contract, now);
    const before = this.#sums.get(key)?.sum ?? null;
    // An earlier block does not replace a later one, unless the chain has been reset.
    const isEarlier = before !== null && block < before.block && before.block <= watch.highest;
    const balance = String(balances.reduce((sum, each) => sum + each, 0n));
    this.#sums.set(key, {
      sum: isWhole && !isEarlier ? { balance, block, asOf } : before,
      isStale: isLagging || !isWhole,
      dueAt: now + (isLagging || isUnknown ? Math.min(retryMs, freshMs) : freshMs),
    });
  }

  #cacheSymbol(asset: Asset, answer: CallAnswer): void {
    const key = contractKey(asset);
    const symbol = symbolOf(answer);
    const noSymbolMs = answer === 'unknown' ? this.#options.retryMs : NO_SYMBOL_MS;
    const dueAt = Date.now() + (symbol === null ? noSymbolMs : SYMBOL_MS);
    this.#symbols.set(key, { symbol: symbol ?? this.#symbols.get(key)?.symbol ?? null, dueAt });
  }
}

/** By chain and contract, not by realm or asset id: realms with the same asset share the cache. */
const contractKey = ({ chain, contract }: Asset): string => `${chain} ${contract}`;

const sumKey = (asset: Asset, wallets: readonly string[]): string =>
  `${contractKey(asset)} ${asset.tokenId ?? ''} ${wallets.join(' ')}`;
