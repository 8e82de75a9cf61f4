import { sumOf } from './cached-balance.ts';
import type { ChainEvents } from './chain-watch.ts';
import { openChains } from './chains.ts';
import { ChainHoldings, type HoldingsOptions } from './holdings.ts';
import type { RpcClient } from './rpc-client.ts';

export interface Web3Options extends Partial<HoldingsOptions> {
  /** The timeout of a request to a node. */
  timeoutMs?: number;
}

/** Everything that is read from chains. */
export interface Web3 {
  holdings: Pick<ChainHoldings, 'of' | 'counts'>;
  /** The client that checks proofs; undefined if the chain is not configured. */
  proofClientFor(chain: string): RpcClient | undefined;
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

export function openWeb3(
  urls: Readonly<Record<string, string>>,
  events: ChainEvents,
  options: Web3Options = {},
): Web3 {
  if (Object.keys(urls).length === 0) return WITHOUT_CHAINS;
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
