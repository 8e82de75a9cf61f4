import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPublicClient, type Hex, hashMessage, http, serializeErc6492Signature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { signatureQuery } from '../../src/web3/evm-signature.ts';
import { failureOf, openChains } from '../../src/web3/rpc-client.ts';
import { RpcProxy } from '../chain/proxies.ts';
import { chainForFile, walletOf } from '../support/web3.ts';

/** The clients through which chains are read. */
const chain = await chainForFile();
const proxy = await RpcProxy.before(chain.url);
after(() => proxy.stop());
const chains = openChains({ 'eip155:1': proxy.url, 'eip155:5': chain.url });
after(() => chains.close());
const client = chains.clients.get('eip155:1')?.reads;
assert.ok(client);

const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const message = 'It is mine';
const deployed = (await chain.deploy('OwnedWallet', owner.address)).address;
const factory = (await chain.deploy('WalletFactory')).address;
const viem = createPublicClient({ transport: http(chain.url) });

const BLOCK = { method: 'eth_blockNumber' };
const PRICE = { method: 'eth_gasPrice' };

test('there is a client for each configured chain', async () => {
  assert.deepEqual([...chains.clients.keys()], ['eip155:1', 'eip155:5']);
  assert.equal(Number(await client.call(BLOCK)), await chain.block());
});

test('250 calls are three requests, and each gets its own answer', async () => {
  await client.call(BLOCK);
  const before = proxy.asked.length;
  const addresses = Array.from({ length: 250 }, (_, index) => walletOf(`holder ${index}`));
  await Promise.all(
    addresses.map((address, index) =>
      chain.rpc('hardhat_setBalance', address, `0x${index.toString(16)}`),
    ),
  );
  const calls = addresses.map((address) => ({
    method: 'eth_getBalance',
    params: [address, 'latest'],
  }));
  proxy.twist = (_, answer) => JSON.stringify(answer.toReversed());
  const balances = await Promise.all(client.callAll(calls));
  proxy.twist = (_, answer) => JSON.stringify(answer);
  assert.deepEqual(
    balances.map(Number),
    addresses.map((_, index) => index),
  );
  assert.equal(proxy.asked.length - before, 3);
});

test('the error of one call in a batch is not an error of the others', async () => {
  const unknown = { method: 'eth_noSuchMethod' };
  const settled = await Promise.allSettled(client.callAll([BLOCK, unknown, PRICE]));
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(settled[1]?.status === 'rejected' && failureOf(settled[1].reason), 'rpc-error');
});

test('user and password in the URL of a node are sent as Basic authentication', async () => {
  const own = await RpcProxy.before(chain.url);
  after(() => own.stop());
  const url = own.url.replace('://', '://me:p%40ss@');
  const { clients, close } = openChains({ 'eip155:1': url });
  await clients.get('eip155:1')?.reads.call(BLOCK);
  close();
  const expected = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  assert.deepEqual([...own.authorizations], [expected]);
});

/** What the chain says of a signature; viem, which runs code of its own, has to agree. */
async function isAccepted(address: Hex, signature: Hex, text = message): Promise<boolean> {
  const hash = Buffer.from(hashMessage(text).slice(2), 'hex');
  const data = signatureQuery(address, hash, signature);
  const answer = await client?.call({ method: 'eth_call', params: [{ data }, 'latest'] });
  assert.match(String(answer), /^0x0[01]$/);
  const expected = await viem.verifyMessage({ address, message: text, signature });
  assert.equal(answer === '0x01', expected);
  return expected;
}

/** The address of a wallet that the factory can deploy, and the call that does. */
async function laterWallet(digit: string): Promise<{ address: Hex; data: Hex }> {
  const salt: Hex = `0x${digit.repeat(64)}`;
  const query = chain.callData('WalletFactory', 'addressOf', owner.address, salt);
  const word: Hex = await chain.rpc('eth_call', { to: factory, data: query }, 'latest');
  const data = chain.callData('WalletFactory', 'create', owner.address, salt);
  return { address: `0x${word.slice(-40)}`, data };
}

test('a contract wallet accepts the signature of its owner for this text only', async () => {
  const signature = await owner.signMessage({ message });
  assert.equal(await isAccepted(deployed, signature), true);
  assert.equal(await isAccepted(deployed, signature, 'It is yours'), false);
  assert.equal(await isAccepted(deployed, await stranger.signMessage({ message })), false);
  assert.equal(await isAccepted(deployed, '0x1234'), false);
  assert.equal(await isAccepted(factory, signature), false, 'not a wallet');
});

test('a wallet that is not deployed yet accepts what it will accept', async () => {
  const signature = await owner.signMessage({ message });
  const { address, data } = await laterWallet('7');
  const wrap = (inner: Hex, call = data) =>
    serializeErc6492Signature({ address: factory, data: call, signature: inner });
  assert.equal(await isAccepted(address, wrap(signature)), true);
  assert.equal(await isAccepted(address, signature), false, 'nothing is deployed');
  assert.equal(await isAccepted(address, wrap(await stranger.signMessage({ message }))), false);
  const other = await laterWallet('8');
  assert.equal(await isAccepted(address, wrap(signature, other.data)), false, 'another wallet');
  assert.equal(await isAccepted(address, wrap(signature, '0x12345678')), false, 'not deployed');
  assert.equal(await isAccepted(deployed, wrap(signature)), true, 'deployed already');
});

test('the code that asks a contract wallet is the compiled contract', () => {
  const hash = Buffer.alloc(32, 7);
  const signature: Hex = `0x${'ab'.repeat(65)}`;
  const compiled = chain.deployData(
    'ContractSignature',
    deployed,
    `0x${hash.toString('hex')}`,
    signature,
    `0x${'0'.repeat(40)}`,
    '0x',
  );
  assert.equal(signatureQuery(deployed, hash, signature), compiled);
});
