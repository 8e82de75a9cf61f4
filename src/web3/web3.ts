import type { PublicClient } from 'viem';
import type { Asset, Holding } from '../domain/model.ts';
import type { ChainCounts, ChainEvents } from './chain-watch.ts';
import type { ChainsOptions } from './chains.ts';
import type { HoldingsOptions } from './holdings.ts';

export type Web3Options = Partial<HoldingsOptions & ChainsOptions>;

/** Everything that is read from chains. */
export interface Web3 {
  holdings: { of(assets: readonly Asset[], wallets: readonly string[]): Promise<Holding[]> };
  /** For proofs alone; undefined for a chain that the settings do not name. */
  proofClientFor(chain: string): PublicClient | undefined;
  counts(): { entries: number; chains: ChainCounts[] };
  /** Ends what is under way; nobody waits for a chain any more. */
  close(): void;
}

/**
 * viem takes a third of a second and some 50 MB to load, so it is loaded only where a chain is
 * named: neither the command line nor a service without chains pays for it.
 */
export async function openWeb3(
  urls: Readonly<Record<string, string>>,
  events: ChainEvents,
  options: Web3Options = {},
): Promise<Web3> {
  if (Object.keys(urls).length === 0) return withoutChains();
  const { openChains } = await import('./chains.ts');
  const { ChainHoldings } = await import('./holdings.ts');
  const chains = openChains(urls, options);
  const holdings = new ChainHoldings(chains, events, options);
  return {
    holdings,
    proofClientFor: chains.proofClientFor,
    counts: () => holdings.counts(),
    close: () => {
      holdings.stop();
      chains.close();
    },
  };
}

function withoutChains(): Web3 {
  const tell = ({ symbol }: Asset, wallets: readonly string[]): Holding =>
    wallets.length === 0
      ? { symbol, balance: '0', block: null, asOf: Date.now(), stale: false }
      : { symbol, balance: null, block: null, asOf: null, stale: true };
  return {
    holdings: { of: async (assets, wallets) => assets.map((asset) => tell(asset, wallets)) },
    proofClientFor: () => undefined,
    counts: () => ({ entries: 0, chains: [] }),
    close: () => {},
  };
}
