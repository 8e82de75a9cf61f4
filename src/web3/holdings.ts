import type { Asset, Holding } from '../domain/model.ts';
import { failureOf } from './chain-failure.ts';
import { ChainReader } from './chain-reader.ts';
import { type ChainCounts, type ChainEvents, ChainWatch } from './chain-watch.ts';
import type { Chains } from './chains.ts';
import { Recent } from './recent.ts';
import { balanceCall, balanceOf, type Said, symbolCall, symbolOf } from './token-calls.ts';

export interface HoldingsOptions {
  /** For how long a balance is shown without asking again. */
  freshMs: number;
  /** Older than this it is not shown as good: the call waits for a new one, up to the deadline. */
  oldMs: number;
  /** How long a call waits for its chains at most. */
  deadlineMs: number;
  /** For how long a chain that failed is left in peace. */
  retryMs: number;
  /** How many balances are kept, each of one wallet in one asset. */
  entries: number;
}

const DEFAULTS: HoldingsOptions = {
  freshMs: 60_000,
  oldMs: 5 * 60_000,
  deadlineMs: 2_000,
  retryMs: 5_000,
  entries: 50_000,
};

/** A symbol hardly ever changes; one that could not be read may be there later. */
const SYMBOL_MS = 24 * 60 * 60 * 1000;
const NO_SYMBOL_MS = 10 * 60 * 1000;
const SYMBOLS = 5_000;

/** What one wallet holds of one asset; `balance` is null if that was never told. */
interface Known {
  balance: bigint | null;
  block: number;
  asOf: number;
  /** When it has to be asked for again. */
  dueAt: number;
  stale: boolean;
}

interface Chain {
  reader: ChainReader;
  watch: ChainWatch;
}

/** What wallets hold, read from the chains and kept for a while. It never fails and never hangs. */
export class ChainHoldings {
  readonly #options: HoldingsOptions;
  readonly #chains = new Map<string, Chain>();
  readonly #known: Recent<Known>;
  readonly #symbols = new Recent<{ symbol: string | null; dueAt: number }>(SYMBOLS);
  readonly #complained = new Recent<number>(SYMBOLS);
  readonly #running = new Map<string, Promise<void>>();
  #stopped = false;

  constructor(chains: Chains, events: ChainEvents, options: Partial<HoldingsOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#known = new Recent(this.#options.entries);
    for (const name of chains.names) {
      const reader = ChainReader.of(chains, name);
      const watch = new ChainWatch(name, events, this.#options.retryMs);
      if (reader) this.#chains.set(name, { reader, watch });
    }
  }

  async of(assets: readonly Asset[], wallets: readonly string[]): Promise<Holding[]> {
    const awaited = assets.flatMap((asset) => this.#lookAt(asset, wallets) ?? []);
    if (awaited.length > 0) await this.#withinDeadline(awaited);
    return assets.map((asset) => this.#tell(asset, wallets));
  }

  /** From here on nothing is asked any more. */
  stop(): void {
    this.#stopped = true;
  }

  counts(): { entries: number; chains: ChainCounts[] } {
    const chains = Array.from(this.#chains.values(), ({ watch }) => watch.counts());
    return { entries: this.#known.size, chains };
  }

  /** Starts a read if one is due; answers it if there is nothing good to show before it is done. */
  #lookAt(asset: Asset, wallets: readonly string[]): Promise<void> | undefined {
    const chain = this.#chains.get(asset.chain);
    if (!chain || this.#stopped) return undefined;
    const now = Date.now();
    const known = wallets.map((wallet) => this.#known.get(keyOf(asset, wallet)));
    const lacksSymbol = this.#lacksSymbol(asset, now);
    if (!lacksSymbol && !this.#isDue(known, now)) return undefined;
    if (chain.watch.rests(now)) {
      this.#markStale(asset, wallets, now);
      return undefined;
    }
    const reading = this.#read(chain, asset, wallets);
    const isWanting = known.some((one) => !one || (one.dueAt <= now && !this.#isGood(one, now)));
    const hasNoSymbol = lacksSymbol && !this.#symbols.get(contractKey(asset));
    return isWanting || hasNoSymbol ? reading : undefined;
  }

  /** Balances of different blocks may count a token twice that moved between the wallets. */
  #isDue(known: readonly (Known | undefined)[], now: number): boolean {
    if (known.some((one) => !one || one.dueAt <= now)) return true;
    const blocks = new Set(known.map((one) => one?.block));
    const newest = Math.max(...known.map((one) => one?.asOf ?? 0));
    return blocks.size > 1 && now - newest >= this.#options.retryMs;
  }

  /** Whether it can be shown while a new one is read. */
  #isGood(known: Known, now: number): boolean {
    return known.balance !== null && !this.#isOld(known, now);
  }

  #isOld({ asOf }: Known, now: number): boolean {
    return now - asOf > this.#options.oldMs;
  }

  #lacksSymbol({ standard, symbol, ...asset }: Asset, now: number): boolean {
    if (symbol !== null || standard === 'erc1155') return false;
    return (this.#symbols.get(contractKey(asset))?.dueAt ?? 0) <= now;
  }

  /** All wallets are read at once, so that their balances are of one block. */
  #read(chain: Chain, asset: Asset, wallets: readonly string[]): Promise<void> {
    const key = `${keyOf(asset, '')}${wallets.join(' ')}`;
    const reading =
      this.#running.get(key) ??
      this.#readNow(chain, asset, wallets).finally(() => this.#running.delete(key));
    this.#running.set(key, reading);
    return reading;
  }

  async #readNow({ reader, watch }: Chain, asset: Asset, wallets: readonly string[]) {
    const asOf = Date.now();
    const asksSymbol = this.#lacksSymbol(asset, asOf);
    const calls = wallets.map((wallet) => balanceCall(asset, wallet));
    try {
      const answers = await reader.read(asksSymbol ? [...calls, symbolCall(asset)] : calls);
      const isBehind = watch.answered(answers.block, Date.now());
      const read = { block: answers.block, asOf, isBehind, highest: watch.highest };
      for (const [index, wallet] of wallets.entries()) {
        const said = answers.said[index] ?? 'unknown';
        const balance = balanceOf(said);
        // Of what the node did not say, nothing is known that could be held against the contract.
        const isKnown = said !== 'unknown';
        if (balance === null && isKnown) this.#complain(watch, asset);
        this.#keep(keyOf(asset, wallet), balance, { ...read, isKnown });
      }
      if (asksSymbol) this.#keepSymbol(asset, answers.said[calls.length] ?? 'unknown');
    } catch (error) {
      if (this.#stopped) return;
      watch.failed(failureOf(error), Date.now());
      this.#markStale(asset, wallets, Date.now());
    }
  }

  #keep(
    key: string,
    balance: bigint | null,
    read: { block: number; asOf: number; isBehind: boolean; isKnown: boolean; highest: number },
  ): void {
    const { block, asOf, isBehind: stale, isKnown, highest } = read;
    const { freshMs, retryMs } = this.#options;
    const dueAt = Date.now() + (stale || !isKnown ? Math.min(retryMs, freshMs) : freshMs);
    const before = this.#known.get(key);
    if (balance === null) {
      const nothing = { balance: null, block, asOf };
      this.#known.set(key, { ...(before ?? nothing), dueAt, stale: true });
    } else if (
      before &&
      before.balance !== null &&
      before.block > block &&
      before.block <= highest
    ) {
      // A node that lags tells what was; what is known already is newer.
      this.#known.set(key, { ...before, dueAt, stale });
    } else {
      this.#known.set(key, { balance, block, asOf, dueAt, stale });
    }
  }

  #keepSymbol(asset: Asset, said: Said): void {
    const symbol = symbolOf(said);
    const noSymbolMs = said === 'unknown' ? this.#options.retryMs : NO_SYMBOL_MS;
    const dueAt = Date.now() + (symbol === null ? noSymbolMs : SYMBOL_MS);
    const before = this.#symbols.get(contractKey(asset))?.symbol ?? null;
    this.#symbols.set(contractKey(asset), { symbol: symbol ?? before, dueAt });
  }

  /** What was due and could not be read is known no more to be so. */
  #markStale(asset: Asset, wallets: readonly string[], now: number): void {
    for (const wallet of wallets) {
      const known = this.#known.get(keyOf(asset, wallet));
      if (known && known.dueAt <= now) known.stale = true;
    }
  }

  #complain(watch: ChainWatch, asset: Asset): void {
    const now = Date.now();
    const isNews = now - (this.#complained.get(contractKey(asset)) ?? 0) > NO_SYMBOL_MS;
    if (isNews) this.#complained.set(contractKey(asset), now);
    watch.unanswered(asset.contract, isNews);
  }

  async #withinDeadline(awaited: Promise<void>[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.deadlineMs);
    await Promise.race([Promise.all(awaited), promise]);
    clearTimeout(timer);
  }

  #tell(asset: Asset, wallets: readonly string[]): Holding {
    const now = Date.now();
    const symbol = asset.symbol ?? this.#symbols.get(contractKey(asset))?.symbol ?? null;
    // Without wallets there is nothing to ask, and nothing that could be out of date.
    if (wallets.length === 0) return { symbol, balance: '0', block: null, asOf: now, stale: false };
    const known = wallets.map((wallet) => this.#known.get(keyOf(asset, wallet)));
    let [sum, block, asOf, stale] = [0n, Number.POSITIVE_INFINITY, now, false];
    for (const one of known) {
      // A sum that leaves out a wallet would be a lie.
      if (!one || one.balance === null) {
        return { symbol, balance: null, block: null, asOf: null, stale: true };
      }
      sum += one.balance;
      block = Math.min(block, one.block);
      asOf = Math.min(asOf, one.asOf);
      stale ||= one.stale || this.#isOld(one, now);
    }
    return { symbol, balance: String(sum), block, asOf, stale };
  }
}

/** By chain and contract, not by realm or asset id: whoever asks for the same shares it. */
const contractKey = ({ chain, contract }: Pick<Asset, 'chain' | 'contract'>): string =>
  `${chain} ${contract}`;

const keyOf = (asset: Asset, wallet: string): string =>
  `${contractKey(asset)} ${asset.tokenId ?? ''} ${wallet}`;
