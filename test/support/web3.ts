import { createHash } from 'node:crypto';
import { after } from 'node:test';
import { getAddress, type Hex } from 'viem';
import type { ServiceOptions } from '../../src/service.ts';
import { type Deployed, TestChain } from '../chain/chain.ts';
import { type TestRealm, TestService } from './service.ts';

/** A chain for all tests of a file, ended with it. */
export async function chainForFile(options?: { chainId?: number; multicall?: boolean }) {
  const chain = await TestChain.start(options);
  after(() => chain.stop());
  return chain;
}

/** A service that reads these chains, ended with the file. Its own faults fail the file. */
export async function web3Service(
  rpcUrls: Record<string, string>,
  web3: ServiceOptions['web3'] = {},
): Promise<TestService> {
  const service = await TestService.start({ rpcUrls }, web3);
  after(() => service.stop());
  return service;
}

export interface HoldingBody {
  assetId: string;
  symbol: string | null;
  balance: string | null;
  block: number | null;
  asOf: string | null;
  stale: boolean;
}

const standards = { Token20: 'erc20', Token721: 'erc721', Token1155: 'erc1155' } as const;

/** Names a contract in a realm; what is no token passes for an ERC-20. */
export async function nameAsset(
  realm: TestRealm,
  id: string,
  { name, address }: Pick<Deployed, 'address'> & { name?: string },
  more: object = {},
): Promise<void> {
  const standard = standards[name as keyof typeof standards] ?? 'erc20';
  const body = { id, chain: 'eip155:1', standard, contract: address, ...more };
  await realm.expect(201, 'POST', '/assets', { body });
}

export async function holdings(realm: TestRealm, memberId: string): Promise<HoldingBody[]> {
  return (await realm.expect(200, 'GET', `/web3/members/${memberId}`)).json.assets;
}

export async function holding(realm: TestRealm, memberId: string): Promise<HoldingBody> {
  const [first] = await holdings(realm, memberId);
  if (!first) throw new Error('the realm has no assets');
  return first;
}

/** Asks until the answer is as it should be; the runner's time limit ends what never is. */
export async function eventually<T>(ask: () => Promise<T>, cacheValid: (answer: T) => boolean) {
  for (;;) {
    const answer = await ask();
    if (cacheValid(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** An address of nobody, the same for the same name. */
export function walletOf(name: string): Hex {
  return getAddress(`0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`);
}

/** The log lines about chains, read. */
export function chainLogs(service: TestService) {
  return service.logs.map((line) => JSON.parse(line)).filter((line) => line.chain !== undefined);
}
