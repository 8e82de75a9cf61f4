import { createPublicClient, type HttpTransport, http, type PublicClient } from 'viem';
import { ChainError, failureOf, isCallFailure } from './chain-failure.ts';
import { rpcFetch } from './rpc-fetch.ts';
import { Semaphore } from './semaphore.ts';

/**
 * How many requests to one node may be in flight: for balances, for quarantined contracts, and for
 * proofs, where the caller decides how much work the node has. Separate limits, so that none of
 * them delays another.
 */
const CONCURRENCY = { reads: 8, quarantine: 4, proofs: 2 };
/** The number of calls in one JSON-RPC batch. */
const BATCH_SIZE = 100;

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

function openClients(name: string, url: string, timeoutMs: number, closing: AbortSignal) {
  const chainId = Number(name.slice('eip155:'.length));
  // viem's own timeout is off, because it would include the wait for the semaphore. It does not
  // retry either: the deadline is short, and the caller knows better when a retry is worth it.
  const limited = (concurrency: number) => ({
    fetchFn: rpcFetch(new Semaphore(concurrency), timeoutMs, closing),
    timeout: 0,
    retryCount: 0,
  });
  const checked = chainCheck(http(url, limited(1)), chainId);
  const clientOver = (transport: HttpTransport): PublicClient =>
    // With ERC-3668 a contract could make the service call URLs of its choice.
    createPublicClient({ transport: checked(transport), ccipRead: false });
  const batch = { batchSize: BATCH_SIZE };
  const reads = limited(CONCURRENCY.reads);
  return {
    chainId,
    /** Sends every call as a request of its own. */
    single: clientOver(http(url, reads)),
    /** Sends the calls of one turn of the event loop in one request. */
    batch: clientOver(http(url, { ...reads, batch })),
    /** Like `batch`, for contracts in quarantine. */
    quarantine: clientOver(http(url, { ...limited(CONCURRENCY.quarantine), batch })),
    proofs: clientOver(http(url, limited(CONCURRENCY.proofs))),
  };
}

/**
 * Transports that ask the node for its chain id before the first call, so that no answer is another
 * chain's, and again after a failure, when another node may answer.
 */
function chainCheck(transport: HttpTransport, chainId: number) {
  const node = transport({});
  let passing: Promise<void> | null = null;
  const ask = async (): Promise<void> => {
    try {
      const reported = await node.request({ method: 'eth_chainId' });
      if (typeof reported === 'string' && Number(reported) === chainId) return;
      throw new ChainError('wrong-chain');
    } catch (error) {
      passing = null;
      throw error;
    }
  };
  return (transport: HttpTransport): HttpTransport =>
    (parameters) => {
      const { request, ...rest } = transport(parameters);
      const checkedRequest = async (...args: Parameters<typeof request>): Promise<unknown> => {
        passing ??= ask();
        await passing;
        try {
          return await request(...args);
        } catch (error) {
          if (!isCallFailure(failureOf(error))) passing = null;
          throw error;
        }
      };
      return { ...rest, request: checkedRequest as typeof request };
    };
}
