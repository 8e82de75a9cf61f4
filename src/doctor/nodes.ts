import { type Failure, failureOf } from '../web3/chain-failure.ts';
import { type ChainClients, openChains } from '../web3/chains.ts';
import { about, type Finding } from './finding.ts';

/** Chains have a block at least every quarter of a minute; a node this late is not in sync. */
const MAX_BLOCK_AGE_MS = 10 * 60_000;

const reasons: Partial<Record<Failure, string>> = {
  timeout: 'does not answer in time',
  unreachable: 'cannot be reached',
  refused: 'refuses the call, perhaps because of its API key',
  'rate-limited': 'allows no more calls at the moment',
  'wrong-chain': 'is of another chain',
};

/** Asks each node for its chain and its last block. Their URLs are secrets and not shown. */
export async function rpcFindings(urls: Readonly<Record<string, string>>): Promise<Finding[]> {
  const { clients, close } = openChains(urls);
  if (clients.size === 0) return [about('rpc').skipped('RPC_URLS names no chains.')];
  try {
    return await Promise.all(Array.from(clients, ([chain, client]) => nodeFinding(chain, client)));
  } finally {
    close();
  }
}

async function nodeFinding(chain: string, { reads }: ChainClients): Promise<Finding> {
  const { ok, warning, fault } = about('rpc');
  try {
    const call = { method: 'eth_getBlockByNumber', params: ['latest', false] };
    const block = (await reads.call(call)) as { timestamp?: unknown } | null;
    const at = Number(block?.timestamp) * 1_000;
    if (!Number.isFinite(at)) return fault(`The node of ${chain} shows no block. Use another one.`);
    const instant = new Date(at).toISOString();
    if (Date.now() - at <= MAX_BLOCK_AGE_MS) return ok(`The node of ${chain} is in sync.`);
    return warning(
      `The last block of the node of ${chain} is from ${instant}: wait until it is in sync, or ` +
        'use another one.',
    );
  } catch (error) {
    const failure = failureOf(error);
    const reason = reasons[failure] ?? `fails (${failure})`;
    return fault(`The node of ${chain} ${reason}. Check its URL in RPC_URLS.`);
  }
}
