import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type Abi, encodeDeployData, encodeFunctionData, getAddress, type Hex } from 'viem';
import { installChain } from './install.ts';

type Child = ChildProcessByStdio<Writable, Readable, null>;

interface Contract {
  abi: Abi;
  bytecode: Hex;
  deployed: Hex;
}

type ContractName =
  | 'Token20'
  | 'Token721'
  | 'Token1155'
  | 'Odd'
  | 'Multicall'
  | 'OwnedWallet'
  | 'WalletFactory'
  | 'ContractSignature';

/** The address of Multicall3 on every chain that has it. */
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** A contract on a test chain. */
export interface Deployed {
  name: ContractName;
  address: Hex;
}

/** A real EVM chain in its own process. Every transaction is a block. */
export class TestChain {
  readonly url: string;
  readonly #process: Child;
  readonly #contracts: Record<ContractName, Contract>;
  #account = '';

  private constructor(url: string, process: Child, contracts: string) {
    this.url = url;
    this.#process = process;
    this.#contracts = JSON.parse(readFileSync(contracts, 'utf8'));
  }

  /** Has Multicall3 by default. */
  static async start({ chainId = 1, multicall = true } = {}): Promise<TestChain> {
    const contracts = await installChain();
    const script = join(import.meta.dirname, 'node.mjs');
    const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit'];
    const child = spawn(process.execPath, [script, String(chainId)], { stdio });
    const [url] = await once(createInterface(child.stdout), 'line');
    const chain = new TestChain(url, child, contracts);
    [chain.#account] = await chain.rpc('eth_accounts');
    if (multicall) await chain.setMulticall(true);
    return chain;
  }

  // biome-ignore lint/suspicious/noExplicitAny: every method has another result.
  async rpc(method: string, ...params: unknown[]): Promise<any> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: unknown; error?: object };
    assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`);
    return result;
  }

  async setMulticall(present: boolean): Promise<void> {
    const code = present ? this.#contracts.Multicall.deployed : '0x';
    await this.rpc('hardhat_setCode', MULTICALL3, code);
  }

  async deploy(name: ContractName, ...args: unknown[]): Promise<Deployed> {
    const receipt = await this.#transact({ data: this.deployData(name, ...args) });
    return { name, address: getAddress(receipt.contractAddress) };
  }

  /** Calls a contract in a transaction. */
  async transact(contract: Deployed, functionName: string, ...args: unknown[]): Promise<void> {
    const { abi } = this.#contracts[contract.name];
    const data = encodeFunctionData({ abi, functionName, args });
    await this.#transact({ to: contract.address, data });
  }

  /** The data that deploy a contract, or run one that is not meant to be deployed. */
  deployData(name: ContractName, ...args: unknown[]): Hex {
    const { abi, bytecode } = this.#contracts[name];
    return encodeDeployData({ abi, bytecode, args });
  }

  /** The data of a call that is sent in another way. */
  callData(name: ContractName, functionName: string, ...args: unknown[]): Hex {
    return encodeFunctionData({ abi: this.#contracts[name].abi, functionName, args });
  }

  async block(): Promise<number> {
    return Number(await this.rpc('eth_blockNumber'));
  }

  mine(blocks: number): Promise<void> {
    return this.rpc('hardhat_mine', `0x${blocks.toString(16)}`);
  }

  /** Lets this process end, and the chain with it. */
  unref(): void {
    this.#process.unref();
    for (const pipe of [this.#process.stdin, this.#process.stdout]) (pipe as Socket).unref();
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  async #transact(transaction: object): Promise<{ status: string; contractAddress: string }> {
    const hash = await this.rpc('eth_sendTransaction', { from: this.#account, ...transaction });
    const receipt = await this.rpc('eth_getTransactionReceipt', hash);
    assert.equal(receipt?.status, '0x1');
    return receipt;
  }
}
