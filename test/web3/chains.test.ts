import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Hex, serializeErc6492Signature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { failureOf } from '../../src/web3/chain-failure.ts';
import { openChains } from '../../src/web3/chains.ts';
import { RpcProxy } from '../chain/proxies.ts';
import { chainForFile } from '../support/web3.ts';

/** The clients through which chains are read. */
const chain = await chainForFile();
const proxy = await RpcProxy.before(chain.url);
after(() => proxy.stop());
const chains = openChains({ 'eip155:1': proxy.url, 'eip155:5': chain.url });
after(() => chains.close());
const client = chains.clients.get('eip155:1')?.single;
assert.ok(client);

test('there is a client for each configured chain', async () => {
  assert.deepEqual([...chains.clients.keys()], ['eip155:1', 'eip155:5']);
  assert.equal(await client.getBlockNumber(), BigInt(await chain.block()));
});

test('a node is asked for its chain id once, and again after a failure', async () => {
  await client.getBlockNumber();
  const before = proxy.count('eth_chainId');
  await Promise.all([client.getBlockNumber({ cacheTime: 0 }), client.getGasPrice()]);
  assert.equal(proxy.count('eth_chainId'), before);
  proxy.status = 503;
  assert.equal(await client.getGasPrice().catch(failureOf), 'refused');
  proxy.status = 200;
  await client.getGasPrice();
  assert.equal(proxy.count('eth_chainId'), before + 1);
});

test('a node of another chain is not read', async () => {
  const wrong = chains.clients.get('eip155:5')?.single;
  const failure = await wrong?.getGasPrice().catch(failureOf);
  assert.equal(failure, 'wrong-chain');
});

test('a contract cannot send the service to URLs of its choice', () => {
  assert.equal(client.ccipRead, false);
});

test('signatures of a contract wallet, deployed or not yet', async () => {
  const owner = privateKeyToAccount(generatePrivateKey());
  const message = 'It is mine';
  const signature = await owner.signMessage({ message });
  const { address } = await chain.deploy('OwnedWallet', owner.address);
  const check = (from: Hex, signed: Hex, text = message) =>
    client.verifyMessage({ address: from, message: text, signature: signed });
  assert.equal(await check(address, signature), true);
  assert.equal(await check(address, signature, 'It is yours'), false);
  const stranger = privateKeyToAccount(generatePrivateKey());
  assert.equal(await check(address, await stranger.signMessage({ message })), false);

  const factory = await chain.deploy('WalletFactory');
  const salt: Hex = `0x${'07'.repeat(32)}`;
  const query = chain.callData('WalletFactory', 'addressOf', owner.address, salt);
  const word: Hex = await chain.rpc('eth_call', { to: factory.address, data: query }, 'latest');
  const later: Hex = `0x${word.slice(-40)}`;
  const data = chain.callData('WalletFactory', 'create', owner.address, salt);
  const wrapped = serializeErc6492Signature({ address: factory.address, data, signature });
  assert.equal(await check(later, wrapped), true);
  assert.equal(await check(later, signature), false, 'no contract is deployed yet');
});
