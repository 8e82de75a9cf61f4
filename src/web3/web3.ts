import type { PublicClient } from 'viem';
import type { Asset, Holding } from '../domain/model.ts';
import { sumOf } from './cached-balance.ts';
import type { ChainCounts, ChainEvents } from './chain-watch.ts';
import type { ChainsOptions } from './chains.ts';
import type { HoldingsOptions } from './holdings.ts';

export type Web3Options = Partial<HoldingsOptions & ChainsOptions>;

/** Everything that is read from chains. */
export interface Web3 {
  holdings: { of(assets: readonly Asset[], wallets: readonly string[]): Promise<Holding[]> };
  /** The client that checks proofs; undefined if the chain is not configured. */
  proofClientFor(chain: string): PublicClient | undefined;
  counts(): { entries: number; chains: ChainCounts[] };
  /** Aborts every read; no caller waits for a chain after this. */
  close(): void;
}

/**
 * viem takes a third of a second and some 50 MB to load, so it is loaded only if a chain is
 * configured: neither the command line nor a service without chains pays for it.
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
    proofClientFor: (chain) => chains.clients.get(chain)?.proofs,
    counts: () => holdings.counts(),
    close: () => {
      holdings.stop();
      chains.close();
    },
  };
}

function withoutChains(): Web3 {
  const holdingsOf = async (assets: readonly Asset[], wallets: readonly string[]) => {
    const unknown = wallets.map(() => undefined);
    return assets.map(({ symbol }) => ({ symbol, ...sumOf(unknown, 0) }));
  };
  return {
    holdings: { of: holdingsOf },
    proofClientFor: () => undefined,
    counts: () => ({ entries: 0, chains: [] }),
    close: () => {},
  };
}
