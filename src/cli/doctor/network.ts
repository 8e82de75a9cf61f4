import { type Config, serviceUrl } from '../../config/config.ts';
import {
  type ChainClients,
  checkChainId,
  type Failure,
  failureOf,
  openChains,
} from '../../web3/rpc-client.ts';
import { type Finding, fault, ok, skipped, warning } from './finding.ts';

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
  if (clients.size === 0) return [skipped('RPC_URLS names no chains.')];
  try {
    return await Promise.all(Array.from(clients, ([chain, client]) => nodeFinding(chain, client)));
  } finally {
    close();
  }
}

async function nodeFinding(chain: string, { chainId, reads }: ChainClients): Promise<Finding> {
  try {
    checkChainId(await reads.call({ method: 'eth_chainId' }), chainId);
    const call = { method: 'eth_getBlockByNumber', params: ['latest', false] };
    const block = (await reads.call(call)) as { timestamp?: unknown } | null;
    const at = Number(block?.timestamp) * 1_000;
    if (!Number.isFinite(at)) return fault(`The node of ${chain} shows no block. Use another one.`);
    const instant = new Date(at).toISOString();
    if (Date.now() - at <= MAX_BLOCK_AGE_MS) return ok(`The node of ${chain} is in sync.`);
    const advice = 'wait until it is in sync, or use another one';
    return warning(`The last block of the node of ${chain} is from ${instant}: ${advice}.`);
  } catch (error) {
    const failure = failureOf(error);
    const reason = reasons[failure] ?? `fails (${failure})`;
    return fault(`The node of ${chain} ${reason}. Check its URL in RPC_URLS.`);
  }
}

const ANSWER_MS = 5_000;
/** What happens to a connection whose other end does not speak HTTP. */
const NOT_HTTP = /^(HTTPParserError|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

/** Asks the service whether it is ready, if one runs at the configured address. */
export async function serviceFinding(config: Config): Promise<Finding> {
  if (config.port === 0) return skipped('PORT is 0, so nobody knows where it listens.');
  const url = serviceUrl(config);
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const answer = JSON.parse(await response.text());
    if (answer?.status === 'ready') return ok(`A service runs at ${url} and is ready.`);
    if (String(answer?.type).startsWith('urn:realmkeep:problem:')) {
      return fault(`A service runs at ${url}, but is not ready: ${answer?.reason ?? ''}`);
    }
    return fault(otherProgram(url));
  } catch (error) {
    const { name, cause } = error as Error;
    const { name: kind = name, code = kind } = (cause ?? {}) as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') return skipped(`No service runs at ${url}.`);
    if (name === 'SyntaxError' || NOT_HTTP.test(code)) return fault(otherProgram(url));
    if (name === 'TimeoutError') {
      return fault(`What listens at ${url} does not answer within ${ANSWER_MS / 1_000} seconds.`);
    }
    return fault(`${url} cannot be reached (${code}). Check HOST and PORT.`);
  }
}

const otherProgram = (url: string): string =>
  `Another program listens at ${url}. Stop it, or set PORT and HOST.`;

const API_URL = 'https://discord.com/api/v10';

export async function discordFinding({ discord }: Config): Promise<Finding> {
  const { token, publicKey, apiUrl } = discord;
  if (token === null) return skipped('DISCORD_TOKEN is not set.');
  const url = `${(apiUrl ?? API_URL).replace(/\/$/, '')}/applications/@me`;
  try {
    const headers = { authorization: `Bot ${token}` };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
    if (response.status === 401) {
      return fault('Discord refuses DISCORD_TOKEN. Reset the token on its page, and set that one.');
    }
    if (!response.ok) return warning(`Discord answers ${response.status}. Try again later.`);
    const { name, verify_key: key } = (await response.json()) as Record<string, unknown>;
    if (publicKey !== null && key !== publicKey.toLowerCase()) {
      return fault(`DISCORD_PUBLIC_KEY is not that of the application: ${key}.`);
    }
    return ok(`Discord knows the token as that of "${name}".`);
  } catch {
    return warning(`Discord cannot be reached at ${new URL(url).origin}. The app retries.`);
  }
}
