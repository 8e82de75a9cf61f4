import {
  createPublicClient,
  defineChain,
  type HttpTransport,
  http,
  type PublicClient,
  type Transport,
} from 'viem';
import { isNodeFailure, WrongChain } from './chain-failure.ts';
import { rpcFetch, Semaphore } from './rpc-fetch.ts';

/**
 * How many requests to one node may be in flight: for balances, for quarantined contracts, and for
 * proofs, where the caller decides how much work the node has. Separate limits, so that none of
 * them delays another.
 */
const CONCURRENCY = { reads: 8, quarantine: 4, proofs: 2 };
/** The number of calls in one JSON-RPC batch. */
const BATCH_SIZE = 100;

export interface ChainsOptions {
  /** The timeout of a request to a node. */
  timeoutMs: number;
}

export interface ChainClients {
  /** Sends every call as a request of its own. */
  single: PublicClient;
  /** Sends the calls of one turn of the event loop in one request. */
  batch: PublicClient;
  /** Like `batch`, for contracts in quarantine. */
  quarantine: PublicClient;
  proofs: PublicClient;
}

/** The configured chains by their CAIP-2 ids, such as `eip155:1`. */
export interface Chains {
  clients: ReadonlyMap<string, ChainClients>;
  /** Aborts every request in flight. */
  close(): void;
}

/** Sends nothing yet: a node that is down does not keep the service from starting. */
export function openChains(
  urls: Readonly<Record<string, string>>,
  { timeoutMs = 5_000 }: Partial<ChainsOptions> = {},
): Chains {
  const closing = new AbortController();
  const open = ([name, url]: [string, string]) =>
    [name, openClients(name, url, timeoutMs, closing.signal)] as const;
  return { clients: new Map(Object.entries(urls).map(open)), close: () => closing.abort() };
}

function openClients(
  name: string,
  url: string,
  timeoutMs: number,
  closing: AbortSignal,
): ChainClients {
  const id = Number(name.slice('eip155:'.length));
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const chain = defineChain({ id, name, nativeCurrency, rpcUrls: { default: { http: [url] } } });
  // viem's own timeout is off, because it would include the wait for the semaphore. It does not
  // retry either: the deadline is short, and the caller knows better when a retry is worth it.
  const limited = (concurrency: number) => ({
    fetchFn: rpcFetch(new Semaphore(concurrency), timeoutMs, closing),
    timeout: 0,
    retryCount: 0,
  });
  const check = chainCheck(http(url, limited(1))({ chain }), id);
  const clientOver = (transport: HttpTransport): PublicClient =>
    // With ERC-3668 a contract could make the service call URLs of its choice.
    createPublicClient({ chain, transport: checked(transport, check), ccipRead: false });
  const batch = { batchSize: BATCH_SIZE };
  const reads = limited(CONCURRENCY.reads);
  return {
    single: clientOver(http(url, reads)),
    batch: clientOver(http(url, { ...reads, batch })),
    quarantine: clientOver(http(url, { ...limited(CONCURRENCY.quarantine), batch })),
    proofs: clientOver(http(url, limited(CONCURRENCY.proofs))),
  };
}

interface ChainCheck {
  /** Resolves once the node has reported the expected chain id. */
  passed(): Promise<void>;
  /** After a failure another node may answer. */
  reset(): void;
}

/** Asks a node for its chain id before the first call, so that no answer is another chain's. */
function chainCheck(node: ReturnType<Transport>, id: number): ChainCheck {
  let passing: Promise<void> | null = null;
  const reset = (): void => {
    passing = null;
  };
  const ask = async (): Promise<void> => {
    const reported = await node.request({ method: 'eth_chainId' });
    if (typeof reported !== 'string' || Number(reported) !== id) throw new WrongChain();
  };
  return {
    reset,
    passed: () => {
      passing ??= ask().catch((error) => {
        reset();
        throw error;
      });
      return passing;
    },
  };
}

function checked(transport: HttpTransport, check: ChainCheck): HttpTransport {
  return (parameters) => {
    const node = transport(parameters);
    const request = async (...args: Parameters<typeof node.request>): Promise<unknown> => {
      await check.passed();
      try {
        return await node.request(...args);
      } catch (error) {
        if (isNodeFailure(error)) check.reset();
        throw error;
      }
    };
    return { ...node, request: request as typeof node.request };
  };
}
