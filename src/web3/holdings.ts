import type { Asset, Holding } from '../domain/model.ts';
import { LruMap, MAX_CONTRACTS, within } from './bounds.ts';
import { failureOf } from './chain-failure.ts';
import { ChainReader } from './chain-reader.ts';
import { type ChainEvents, ChainWatch } from './chain-watch.ts';
import type { ChainClients } from './rpc-client.ts';
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
  /** The number of cached balances, each of one wallet in one asset. */
  entries: 50_000,
};
export type HoldingsOptions = typeof DEFAULTS;

/** Symbols hardly ever change; a missing one may appear later. */
const SYMBOL_MS = 24 * 60 * 60 * 1000;
const NO_SYMBOL_MS = 10 * 60 * 1000;

interface Chain {
  reader: ChainReader;
  watch: ChainWatch;
}

/** The balances of wallets, read from the chains and cached. It never fails and never hangs. */
export class ChainHoldings {
  readonly #options: HoldingsOptions;
  readonly #chains = new Map<string, Chain>();
  readonly #balances: LruMap<CachedBalance>;
  readonly #symbols = new LruMap<{ symbol: string | null; dueAt: number }>(MAX_CONTRACTS);
  readonly #reads = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(
    clients: ReadonlyMap<string, ChainClients>,
    events: ChainEvents,
    options: Partial<HoldingsOptions>,
  ) {
    this.#options = { ...DEFAULTS, ...options };
    this.#balances = new LruMap(this.#options.entries);
    for (const [name, own] of clients) {
      const watch = new ChainWatch(name, events, this.#options.retryMs);
      this.#chains.set(name, { reader: new ChainReader(own), watch });
    }
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

  counts() {
    const chains = Array.from(this.#chains.values(), ({ watch }) => watch.counts());
    return { entries: this.#balances.size, chains };
  }

  #cached(asset: Asset, wallets: readonly string[]) {
    return wallets.map((wallet) => this.#balances.get(balanceKey(asset, wallet)));
  }

  /** Starts a read if one is due; returns it if there is nothing to show until it is complete. */
  #refresh(asset: Asset, wallets: readonly string[]): Promise<void> | undefined {
    const chain = this.#chains.get(asset.chain);
    if (!chain || this.#isStopped) return undefined;
    const { oldMs, retryMs } = this.#options;
    const now = Date.now();
    const cached = this.#cached(asset, wallets);
    const due = cached.filter((one) => !one || one.dueAt <= now);
    const isSymbolDue = this.#isSymbolDue(asset, now);
    const isDue = isSymbolDue || due.length > 0 || isInconsistentSince(now - retryMs, cached);
    if (!isDue) return undefined;
    if (chain.watch.isPaused(now)) {
      this.#markStale(asset, wallets);
      return undefined;
    }
    const reading = this.#read(chain, asset, wallets);
    const lacksBalance = due.some((one) => one?.state !== 'known' || one.asOf < now - oldMs);
    const lacksSymbol = isSymbolDue && !this.#symbols.has(contractKey(asset));
    return lacksBalance || lacksSymbol ? reading : undefined;
  }

  #isSymbolDue(asset: Asset, now: number): boolean {
    if (asset.symbol !== null || asset.standard === 'erc1155') return false;
    return (this.#symbols.get(contractKey(asset))?.dueAt ?? 0) <= now;
  }

  /** Reads all wallets at once, so that their balances are of one block. */
  #read(chain: Chain, asset: Asset, wallets: readonly string[]): Promise<void> {
    return this.#reads.getOrInsertComputed(balanceKey(asset, wallets.join(' ')), (key) =>
      this.#readNow(chain, asset, wallets).finally(() => this.#reads.delete(key)),
    );
  }

  async #readNow({ reader, watch }: Chain, asset: Asset, wallets: readonly string[]) {
    const { freshMs, retryMs } = this.#options;
    const asOf = Date.now();
    const calls = wallets.map((wallet) => balanceCall(asset, wallet));
    if (this.#isSymbolDue(asset, asOf)) calls.push(symbolCall(asset));
    try {
      const { block, answers } = await reader.read(calls);
      const now = Date.now();
      const isStale = watch.answered(block, now);
      const soonMs = Math.min(retryMs, freshMs);
      for (const [index, wallet] of wallets.entries()) {
        const answer = answers[index] ?? 'unknown';
        const balance = balanceOf(answer);
        // If the node did not answer, the contract is not to blame.
        if (balance === null && answer !== 'unknown') watch.unanswered(asset.contract, now);
        const dueAt = now + (isStale || answer === 'unknown' ? soonMs : freshMs);
        const read: CachedBalance =
          balance === null
            ? { state: 'unreadable', dueAt }
            : { state: 'known', balance, block, asOf, isStale, dueAt };
        const key = balanceKey(asset, wallet);
        this.#balances.set(key, afterRead(this.#balances.get(key), read, watch.highest));
      }
      const symbol = answers[wallets.length];
      if (symbol !== undefined) this.#cacheSymbol(asset, symbol);
    } catch (error) {
      if (this.#isStopped) return;
      watch.failed(failureOf(error), Date.now());
      this.#markStale(asset, wallets);
    }
  }

  #cacheSymbol(asset: Asset, answer: CallAnswer): void {
    const key = contractKey(asset);
    const symbol = symbolOf(answer);
    const noSymbolMs = answer === 'unknown' ? this.#options.retryMs : NO_SYMBOL_MS;
    const dueAt = Date.now() + (symbol === null ? noSymbolMs : SYMBOL_MS);
    this.#symbols.set(key, { symbol: symbol ?? this.#symbols.get(key)?.symbol ?? null, dueAt });
  }

  /** The balances that are due could not be read. */
  #markStale(asset: Asset, wallets: readonly string[]): void {
    const now = Date.now();
    for (const one of this.#cached(asset, wallets)) {
      if (one?.state === 'known' && one.dueAt <= now) one.isStale = true;
    }
  }
}

/** By chain and contract, not by realm or asset id: realms with the same asset share the cache. */
const contractKey = ({ chain, contract }: Asset): string => `${chain} ${contract}`;

const balanceKey = (asset: Asset, wallet: string): string =>
  `${contractKey(asset)} ${asset.tokenId ?? ''} ${wallet}`;

/**
 * The balance of one wallet in one asset. It is unreadable until the contract first returns one;
 * from then on it is known, and stale while the last read failed or came from a lagging node. From
 * `dueAt` on it has to be read again.
 */
type CachedBalance =
  | { state: 'unreadable'; dueAt: number }
  | {
      state: 'known';
      balance: bigint;
      block: number;
      asOf: number;
      isStale: boolean;
      dueAt: number;
    };

/** The state after a read; `highest` is the highest block that the chain has reported. */
function afterRead(
  before: CachedBalance | undefined,
  read: CachedBalance,
  highest: number,
): CachedBalance {
  if (before?.state !== 'known') return read;
  const { dueAt } = read;
  if (read.state === 'unreadable') return { ...before, dueAt, isStale: true };
  // An earlier block does not replace a later one, unless the chain has been reset.
  const isEarlier = read.block < before.block && before.block <= highest;
  return isEarlier ? { ...before, dueAt, isStale: read.isStale } : read;
}

/** The balances of all wallets of a member; undefined where none was ever read. */
type CachedBalances = readonly (CachedBalance | undefined)[];

const knownOf = (balances: CachedBalances) => balances.filter((one) => one?.state === 'known');

/** Whether none was read after this time, at different blocks: a token may be counted twice. */
function isInconsistentSince(time: number, balances: CachedBalances): boolean {
  const known = knownOf(balances);
  const blocks = new Set(known.map(({ block }) => block));
  return blocks.size > 1 && known.every(({ asOf }) => asOf <= time);
}

/** The sum, which is unknown if any balance is; stale if any was read before `oldAt`. */
function sumOf(balances: CachedBalances, oldAt: number): Omit<Holding, 'symbol'> {
  // Without wallets nothing has to be read, and nothing can be out of date.
  if (balances.length === 0) return { balance: '0', block: null, asOf: Date.now(), stale: false };
  const known = knownOf(balances);
  if (known.length < balances.length) {
    return { balance: null, block: null, asOf: null, stale: true };
  }
  return {
    balance: String(known.reduce((sum, { balance }) => sum + balance, 0n)),
    block: Math.min(...known.map(({ block }) => block)),
    asOf: Math.min(...known.map(({ asOf }) => asOf)),
    stale: known.some(({ isStale, asOf }) => isStale || asOf < oldAt),
  };
}
