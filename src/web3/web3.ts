import type { PublicClient } from 'viem';
import { sumOf } from './cached-balance.ts';
import type { ChainEvents } from './chain-watch.ts';
import type { ChainHoldings, HoldingsOptions } from './holdings.ts';

export interface Web3Options extends Partial<HoldingsOptions> {
  /** The timeout of a request to a node. */
  timeoutMs?: number;
}

/** Everything that is read from chains. */
export interface Web3 {
  holdings: Pick<ChainHoldings, 'of' | 'counts'>;
  /** The client that checks proofs; undefined if the chain is not configured. */
  proofClientFor(chain: string): PublicClient | undefined;
  /** Aborts every read; no caller waits for a chain after this. */
  close(): void;
}

const WITHOUT_CHAINS: Web3 = {
  holdings: {
    of: async (assets, wallets) => {
      const unread = wallets.map(() => undefined);
      return assets.map(({ symbol }) => ({ symbol, ...sumOf(unread, 0) }));
    },
    counts: () => ({ entries: 0, chains: [] }),
  },
  proofClientFor: () => undefined,
  close: () => {},
};

/**
 * viem takes a third of a second and some 50 MB to load, so it is loaded only if a chain is
 * configured: neither the command line nor a service without chains pays for it.
 */
export async function openWeb3(
  urls: Readonly<Record<string, string>>,
  events: ChainEvents,
  options: Web3Options = {},
): Promise<Web3> {
  if (Object.keys(urls).length === 0) return WITHOUT_CHAINS;
  const { openChains } = await import('./chains.ts');
  const { ChainHoldings } = await import('./holdings.ts');
  const { clients, close } = openChains(urls, options.timeoutMs);
  const holdings = new ChainHoldings(clients, events, options);
  return {
    holdings,
    proofClientFor: (chain) => clients.get(chain)?.proofs,
    close: () => {
      holdings.stop();
      close();
    },
  };
}
