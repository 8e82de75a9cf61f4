import { createHash } from 'node:crypto';
import { after } from 'node:test';
import { getAddress, type Hex } from 'viem';
import type { ServiceOptions } from '../../src/service.ts';
import { type Deployed, TestChain } from '../chain/chain.ts';
import { type TestRealm, TestService } from './service.ts';

/** Shared by the files of a process, since to start one takes longer than most tests. */
let usual: Promise<TestChain> | undefined;

/** The usual chain, with the contracts of other files, or one with options for this file. */
export async function chainForFile(options?: { chainId?: number; multicall?: boolean }) {
  if (!options) {
    usual ??= TestChain.start();
    (await usual).unref();
    return usual;
  }
  const chain = await TestChain.start(options);
  after(() => chain.stop());
  return chain;
}

/** A service that reads these chains, stopped after all tests of the file. */
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

/** Adds a contract as an asset of a realm; one that is not a token is added as an ERC-20. */
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

/** An address that nobody owns, derived from the name. */
export function walletOf(name: string): Hex {
  return getAddress(`0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`);
}

/** The parsed log lines about chains. */
export function chainLogs(service: TestService) {
  return service.logs.map((line) => JSON.parse(line)).filter((line) => line.chain !== undefined);
}
