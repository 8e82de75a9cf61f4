import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import { type ClientLookup, proofChecker } from '../../src/web3/proofs.ts';
import { openChains } from '../../src/web3/rpc-client.ts';

/** Contract wallets: the service's own client and a scripted chain. */
const CONTRACT = '0x52908400098527886E0F7030069857D2E4169EE7';
const wallet = { chain: 'eip155' as const, key: CONTRACT.toLowerCase(), address: CONTRACT };
const ANSWERS_ONE = '0x600160005360016000f3';

interface Rpc {
  id: number;
  method: string;
  params: [{ data?: string }];
}

/** How the chain behaves: an answer, a revert, or a failure of the node. */
type Behaviour = { chainId: number; verify: 'yes' | 'no' | 'revert' | 'fail'; calls?: 'fail' };

let behaviour: Behaviour = { chainId: 1, verify: 'yes' };
const asked: string[] = [];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, method, params } = (await json(request)) as Rpc;
  asked.push(method);
  const reply = (body: object) => response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  if (method === 'eth_chainId')
    return void reply({ result: `0x${behaviour.chainId.toString(16)}` });
  const isProbe = params[0].data === ANSWERS_ONE;
  if (behaviour.calls === 'fail') return void response.writeHead(429).end('slow down');
  if (isProbe) return void reply({ result: '0x01' });
  if (behaviour.verify === 'fail') return void response.writeHead(500).end();
  if (behaviour.verify === 'revert') {
    return void reply({ error: { code: 3, message: 'execution reverted' } });
  }
  reply({ result: behaviour.verify === 'yes' ? '0x01' : '0x00' });
}

const server = createServer((request, response) => void answer(request, response));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const { port } = server.address() as AddressInfo;

const lookupAt = (url: string): ClientLookup => {
  const { clients } = openChains({ 'eip155:1': url });
  return (chain) => clients.get(chain)?.proofs;
};
const connected = proofChecker(lookupAt(`http://127.0.0.1:${port}`));

const ask = (checker = connected, network = 'eip155:1') =>
  checker.verify({ wallet, network, message: 'hello', signature: '0x1234' });

test('the chain says yes or no, and a revert counts as no', async () => {
  behaviour = { chainId: 1, verify: 'yes' };
  assert.equal(await ask(), 'by-contract');
  behaviour = { chainId: 1, verify: 'no' };
  assert.equal(await ask(), 'no');
  behaviour = { chainId: 1, verify: 'revert' };
  assert.equal(await ask(), 'no');
});

test('a chain that fails is unavailable, which is not a no', async () => {
  behaviour = { chainId: 1, verify: 'no', calls: 'fail' };
  assert.equal(await ask(), 'unavailable');
  behaviour = { chainId: 1, verify: 'fail', calls: 'fail' };
  assert.equal(await ask(), 'unavailable');
  // Nothing listens on the port of a closed server.
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const { port: closed } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  assert.equal(await ask(proofChecker(lookupAt(`http://127.0.0.1:${closed}`))), 'unavailable');
});

test('the answer of another chain does not count', async () => {
  // The same address may have another owner there.
  behaviour = { chainId: 10, verify: 'yes' };
  assert.equal(await ask(proofChecker(lookupAt(`http://127.0.0.1:${port}`))), 'unavailable');
});

test('without a configured chain only a key can sign', async () => {
  behaviour = { chainId: 1, verify: 'yes' };
  assert.equal(await ask(connected, 'eip155:8453'), 'no');
  assert.equal(await ask(proofChecker(() => undefined)), 'no');
});

test('a plain account needs no chain', async () => {
  asked.length = 0;
  const account = privateKeyToAccount(`0x${'5'.repeat(64)}`);
  const { address } = account;
  const signature = await account.signMessage({ message: 'hello' });
  const own = { ...wallet, key: address.toLowerCase(), address };
  const text = { wallet: own, network: 'eip155:1', message: 'hello', signature };
  assert.equal(await connected.verify(text), 'by-key');
  assert.deepEqual(asked, []);
});
