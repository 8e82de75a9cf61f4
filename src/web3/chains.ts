import {
  createPublicClient,
  defineChain,
  type HttpTransport,
  http,
  type PublicClient,
  type Transport,
} from 'viem';
import { isOfTheNode, WrongChain } from './chain-failure.ts';
import { Gate, rpcFetch } from './rpc-fetch.ts';

/**
 * How many requests may be under way to one node: for what wallets hold, for contracts that were
 * slow or odd before, and for proofs, where the caller chooses what the node has to work out. Each
 * has a gate of its own, so that none waits for another.
 */
const AT_ONCE = { reading: 8, aside: 4, proofs: 2 };
/** How many calls travel in one batch of JSON-RPC. */
const BATCH = 100;

export interface ChainsOptions {
  /** After how long a request to a node is given up. */
  timeoutMs: number;
}

/** The chains that the settings name, each by its CAIP-2 name, such as `eip155:1`. */
export interface Chains {
  names: string[];
  timeoutMs: number;
  /** A client for one question at a time. */
  clientFor(chain: string): PublicClient | undefined;
  /** A client that sends what is asked together in one request. */
  batchClientFor(chain: string): PublicClient | undefined;
  /** The same for what should not hold up the others. */
  quarantineClientFor(chain: string): PublicClient | undefined;
  proofClientFor(chain: string): PublicClient | undefined;
  /** Ends every request that is under way. */
  close(): void;
}

/** Nothing is asked yet: a node that is down does not keep the service from starting. */
export function openChains(
  urls: Readonly<Record<string, string>>,
  { timeoutMs = 5_000 }: Partial<ChainsOptions> = {},
): Chains {
  const stopping = new AbortController();
  const clients = new Map(
    Object.entries(urls).map(([name, url]) => [
      name,
      openClients(name, url, timeoutMs, stopping.signal),
    ]),
  );
  return {
    names: [...clients.keys()],
    timeoutMs,
    clientFor: (chain) => clients.get(chain)?.single,
    batchClientFor: (chain) => clients.get(chain)?.batch,
    quarantineClientFor: (chain) => clients.get(chain)?.aside,
    proofClientFor: (chain) => clients.get(chain)?.proofs,
    close: () => stopping.abort(),
  };
}

function openClients(name: string, url: string, timeoutMs: number, stopping: AbortSignal) {
  const id = Number(name.slice('eip155:'.length));
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const chain = defineChain({ id, name, nativeCurrency, rpcUrls: { default: { http: [url] } } });
  // Connections stay open between requests: Node's fetch keeps them by itself. viem's own time
  // limit is off, because it would count the time in the gate. No retries here: who asks knows
  // better when it is worth it, and the deadline is short.
  const through = (places: number) => ({
    fetchFn: rpcFetch(new Gate(places), timeoutMs, stopping),
    timeout: 0,
    retryCount: 0,
  });
  const check = chainCheck(http(url, through(1))({ chain }), id);
  const clientOver = (transport: HttpTransport): PublicClient =>
    // A contract could otherwise name URLs for us to call (ERC-3668).
    createPublicClient({ chain, transport: checked(transport, check), ccipRead: false });
  const batch = { batchSize: BATCH };
  const reading = through(AT_ONCE.reading);
  return {
    single: clientOver(http(url, reading)),
    batch: clientOver(http(url, { ...reading, batch })),
    aside: clientOver(http(url, { ...through(AT_ONCE.aside), batch })),
    proofs: clientOver(http(url, through(AT_ONCE.proofs))),
  };
}

interface ChainCheck {
  /** Resolves once the node said that it is of this chain. */
  passed(): Promise<void>;
  /** What answers after a failure may be another node. */
  forget(): void;
}

/** Asks a node for its chain id before the first question, so that no answer is another chain's. */
function chainCheck(node: ReturnType<Transport>, id: number): ChainCheck {
  let passing: Promise<void> | null = null;
  const forget = (): void => {
    passing = null;
  };
  const ask = async (): Promise<void> => {
    const told = await node.request({ method: 'eth_chainId' });
    if (typeof told === 'string' && Number(told) === id) return;
    throw new WrongChain('the node is of another chain');
  };
  return {
    forget,
    passed: () => {
      passing ??= ask().catch((error) => {
        forget();
        throw error;
      });
      return passing;
    },
  };
}

function checked(transport: HttpTransport, check: ChainCheck): HttpTransport {
  return (parameters) => {
    const node = transport(parameters);
    const request = async (...asked: Parameters<typeof node.request>): Promise<unknown> => {
      await check.passed();
      try {
        return await node.request(...asked);
      } catch (error) {
        if (isOfTheNode(error)) check.forget();
        throw error;
      }
    };
    return { ...node, request: request as typeof node.request };
  };
}
