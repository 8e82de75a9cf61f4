import { ChainCheck, RpcClient } from './rpc-client.ts';
import { rpcPost } from './rpc-post.ts';
import { Semaphore } from './semaphore.ts';

/**
 * How many requests to one node may be in flight: for balances, for quarantined contracts, and for
 * proofs, where the caller decides how much work the node has. Separate limits, so that none of
 * them delays another.
 */
const CONCURRENCY = { reads: 8, quarantine: 4, proofs: 2 };

/**
 * The clients of the configured chains by their CAIP-2 ids, such as `eip155:1`. Sends nothing yet:
 * a node that is down does not keep the service from starting.
 */
export function openChains(urls: Readonly<Record<string, string>>, timeoutMs = 5_000) {
  const closing = new AbortController();
  const clients = new Map<string, ChainClients>();
  for (const [name, url] of Object.entries(urls)) {
    clients.set(name, openClients(name, url, timeoutMs, closing.signal));
  }
  /** Aborts every request in flight. */
  const close = (): void => closing.abort();
  return { clients, close };
}

export type ChainClients = ReturnType<typeof openClients>;

/** Nothing is repeated: the deadline is short, and the caller knows when a retry is worth it. */
function openClients(name: string, url: string, timeoutMs: number, closing: AbortSignal) {
  const chainId = Number(name.slice('eip155:'.length));
  const postOver = (concurrency: number) =>
    rpcPost(url, new Semaphore(concurrency), timeoutMs, closing);
  const check = new ChainCheck(postOver(1), chainId);
  return {
    chainId,
    reads: new RpcClient(postOver(CONCURRENCY.reads), check),
    quarantine: new RpcClient(postOver(CONCURRENCY.quarantine), check),
    proofs: new RpcClient(postOver(CONCURRENCY.proofs), check),
  };
}
