import type { Asset, Holding } from '../domain/model.ts';
import {
  afterFailure,
  afterRead,
  type CachedBalance,
  type CachedBalances,
  isInconsistentSince,
  isKnownSince,
  sumOf,
} from './cached-balance.ts';
import { failureOf } from './chain-failure.ts';
import { ChainReader } from './chain-reader.ts';
import { type ChainCounts, type ChainEvents, ChainWatch } from './chain-watch.ts';
import type { Chains } from './chains.ts';
import { LruMap } from './lru-map.ts';
import { balanceCall, balanceOf, type CallAnswer, symbolCall, symbolOf } from './token-calls.ts';
import { within } from './within.ts';

export interface HoldingsOptions {
  /** How long a balance is shown without being read again. */
  freshMs: number;
  /** A balance older than this is stale: callers wait for a new one, up to the deadline. */
  oldMs: number;
  /** How long a caller waits for the chains at most. */
  deadlineMs: number;
  /** How long a chain is not asked again after a failure. */
  retryMs: number;
  /** The number of cached balances, each of one wallet in one asset. */
  entries: number;
}

const DEFAULTS: HoldingsOptions = {
  freshMs: 60_000,
  oldMs: 5 * 60_000,
  deadlineMs: 2_000,
  retryMs: 5_000,
  entries: 50_000,
};

/** Symbols hardly ever change; a missing one may appear later. */
const SYMBOL_MS = 24 * 60 * 60 * 1000;
const NO_SYMBOL_MS = 10 * 60 * 1000;
const MAX_CONTRACTS = 5_000;
/** How often a contract that does not answer like a token is reported at most. */
const REPORT_MS = 10 * 60 * 1000;

interface Chain {
  reader: ChainReader;
  watch: ChainWatch;
}

/** The balances of wallets, read from the chains and cached. It never fails and never hangs. */
export class ChainHoldings {
  readonly #options: HoldingsOptions;
  readonly #chains: ReadonlyMap<string, Chain>;
  readonly #balances: LruMap<CachedBalance>;
  readonly #symbols = new LruMap<{ symbol: string | null; dueAt: number }>(MAX_CONTRACTS);
  readonly #reportedAt = new LruMap<number>(MAX_CONTRACTS);
  readonly #reads = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(chains: Chains, events: ChainEvents, options: Partial<HoldingsOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#balances = new LruMap(this.#options.entries);
    this.#chains = new Map(
      Array.from(chains.clients, ([name, clients]) => {
        const watch = new ChainWatch(name, events, this.#options.retryMs);
        return [name, { reader: new ChainReader(clients), watch }];
      }),
    );
  }

  async of(assets: readonly Asset[], wallets: readonly string[]): Promise<Holding[]> {
    const awaited = assets.flatMap((asset) => this.#refresh(asset, wallets) ?? []);
    if (awaited.length > 0) await within(this.#options.deadlineMs, Promise.all(awaited), []);
    const oldAt = Date.now() - this.#options.oldMs;
    return assets.map((asset) => ({
      symbol: asset.symbol ?? this.#symbols.get(contractKey(asset))?.symbol ?? null,
      ...sumOf(this.#cached(asset, wallets), oldAt),
    }));
  }

  /** No read starts after this. */
  stop(): void {
    this.#isStopped = true;
  }

  counts(): { entries: number; chains: ChainCounts[] } {
    const chains = Array.from(this.#chains.values(), ({ watch }) => watch.counts());
    return { entries: this.#balances.size, chains };
  }

  #cached(asset: Asset, wallets: readonly string[]): CachedBalances {
    return wallets.map((wallet) => this.#balances.get(balanceKey(asset, wallet)));
  }

  /** Starts a read if one is due; returns it if there is nothing to show until it is complete. */
  #refresh(asset: Asset, wallets: readonly string[]): Promise<void> | undefined {
    const chain = this.#chains.get(asset.chain);
    if (!chain || this.#isStopped) return undefined;
    const { oldMs, retryMs } = this.#options;
    const now = Date.now();
    const cached = this.#cached(asset, wallets);
    const isSymbolDue = this.#isSymbolDue(asset, now);
    const due = cached.filter((one) => !one || one.dueAt <= now);
    const isDue = due.length > 0 || isInconsistentSince(now - retryMs, cached);
    if (!isSymbolDue && !isDue) return undefined;
    if (chain.watch.isPaused(now)) {
      this.#markStale(asset, wallets, now);
      return undefined;
    }
    const reading = this.#read(chain, asset, wallets);
    const lacksBalance = due.some((one) => !isKnownSince(now - oldMs, one));
    const lacksSymbol = isSymbolDue && !this.#symbols.get(contractKey(asset));
    return lacksBalance || lacksSymbol ? reading : undefined;
  }

  #isSymbolDue({ standard, symbol, ...asset }: Asset, now: number): boolean {
    if (symbol !== null || standard === 'erc1155') return false;
    return (this.#symbols.get(contractKey(asset))?.dueAt ?? 0) <= now;
  }

  /** Reads all wallets at once, so that their balances are of one block. */
  #read(chain: Chain, asset: Asset, wallets: readonly string[]): Promise<void> {
    const key = balanceKey(asset, wallets.join(' '));
    const reading =
      this.#reads.get(key) ??
      this.#readNow(chain, asset, wallets).finally(() => this.#reads.delete(key));
    this.#reads.set(key, reading);
    return reading;
  }

  async #readNow({ reader, watch }: Chain, asset: Asset, wallets: readonly string[]) {
    const asOf = Date.now();
    const calls = wallets.map((wallet) => balanceCall(asset, wallet));
    if (this.#isSymbolDue(asset, asOf)) calls.push(symbolCall(asset));
    try {
      const { block, answers } = await reader.read(calls);
      const isStale = watch.answered(block, Date.now());
      const read = { block, asOf, isStale, highest: watch.highest };
      for (const [index, wallet] of wallets.entries()) {
        const answer = answers[index] ?? 'unknown';
        const balance = balanceOf(answer);
        // If the node did not answer, the contract is not to blame.
        if (balance === null && answer !== 'unknown') this.#report(watch, asset);
        const key = balanceKey(asset, wallet);
        const dueAt = this.#dueAt(isStale || answer === 'unknown');
        this.#balances.set(key, afterRead(this.#balances.get(key), { ...read, balance, dueAt }));
      }
      const symbol = answers[wallets.length];
      if (symbol !== undefined) this.#cacheSymbol(asset, symbol);
    } catch (error) {
      if (this.#isStopped) return;
      watch.failed(failureOf(error), Date.now());
      this.#markStale(asset, wallets, Date.now());
    }
  }

  #dueAt(isSoon: boolean): number {
    const { freshMs, retryMs } = this.#options;
    return Date.now() + (isSoon ? Math.min(retryMs, freshMs) : freshMs);
  }

  #cacheSymbol(asset: Asset, answer: CallAnswer): void {
    const key = contractKey(asset);
    const symbol = symbolOf(answer);
    const noSymbolMs = answer === 'unknown' ? this.#options.retryMs : NO_SYMBOL_MS;
    const dueAt = Date.now() + (symbol === null ? noSymbolMs : SYMBOL_MS);
    this.#symbols.set(key, { symbol: symbol ?? this.#symbols.get(key)?.symbol ?? null, dueAt });
  }

  #markStale(asset: Asset, wallets: readonly string[], now: number): void {
    for (const wallet of wallets) {
      const key = balanceKey(asset, wallet);
      const before = this.#balances.get(key);
      if (before) this.#balances.set(key, afterFailure(before, now));
    }
  }

  #report(watch: ChainWatch, asset: Asset): void {
    const key = contractKey(asset);
    const now = Date.now();
    const isNews = now - (this.#reportedAt.get(key) ?? 0) > REPORT_MS;
    if (isNews) this.#reportedAt.set(key, now);
    watch.unanswered(asset.contract, isNews);
  }
}

/** By chain and contract, not by realm or asset id: realms with the same asset share the cache. */
const contractKey = ({ chain, contract }: Pick<Asset, 'chain' | 'contract'>): string =>
  `${chain} ${contract}`;

const balanceKey = (asset: Asset, wallet: string): string =>
  `${contractKey(asset)} ${asset.tokenId ?? ''} ${wallet}`;
