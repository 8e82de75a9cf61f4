import type { ChainEvents } from './chain-watch.ts';
import { ChainHoldings, type HoldingsOptions } from './holdings.ts';
import { openChains } from './rpc-client.ts';

export interface Web3Options extends Partial<HoldingsOptions> {
  /** The timeout of a request to a node. */
  timeoutMs?: number;
}

export type Web3 = ReturnType<typeof openWeb3>;

/** Everything that is read from chains. */
export function openWeb3(
  urls: Readonly<Record<string, string>>,
  events: ChainEvents,
  options: Web3Options = {},
) {
  const { clients, close } = openChains(urls, options.timeoutMs);
  const holdings = new ChainHoldings(clients, events, options);
  return {
    holdings,
    /** The client that checks proofs; undefined if the chain is not configured. */
    proofClientFor: (chain: string) => clients.get(chain)?.proofs,
    /** Aborts every read; no caller waits for a chain after this. */
    close: (): void => {
      holdings.stop();
      close();
    },
  };
}
