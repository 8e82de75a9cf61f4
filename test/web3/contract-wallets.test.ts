import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import {
  type Hex,
  numberToHex,
  parseSignature,
  serializeErc6492Signature,
  serializeSignature,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { proofChecker } from '../../src/web3/proofs.ts';
import { openChains } from '../../src/web3/rpc-client.ts';
import { RpcProxy } from '../chain/proxies.ts';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { eventually } from '../support/eventually.ts';
import { challenge, prove } from '../support/signers.ts';
import { chainForFile, holding, nameAsset, web3Service } from '../support/web3.ts';

/** Contract wallets are verified over HTTP, on a real chain. */
const NETWORK = 'eip155:1';
const chain = await chainForFile();
const proxy = await RpcProxy.before(chain.url);
after(() => proxy.stop());
const service = await web3Service({ [NETWORK]: proxy.url, 'eip155:5': chain.url });
let realms = 0;
const newRealm = () => service.realm(`contracts-${++realms}`);

const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const deployed = await chain.deploy('OwnedWallet', owner.address);

test('a contract wallet is verified by the signature of its owner only', async () => {
  const realm = await newRealm();
  await realm.member('1');
  const { address } = deployed;
  const message = await challenge(realm, '1', address, { chain: NETWORK });
  const foreign = await stranger.signMessage({ message });
  const refused = await changesNothing(realm, () =>
    prove(realm, '1', { address, message, signature: foreign }),
  );
  assertProblem(refused, 'signature-invalid');
  const signature = await owner.signMessage({ message });
  const reply = await prove(realm, '1', { address, message, signature });
  assert.equal(reply.status, 201, reply.text);
  assert.deepEqual([reply.json.verified, reply.json.verifiedOn], [true, NETWORK]);
  const [shown] = (await realm.expect(200, 'GET', '/web3/members/1')).json.wallets;
  assert.deepEqual(shown, reply.json);
  const { items } = (await realm.expect(200, 'GET', '/events?limit=500')).json;
  assert.equal(items.at(-1).data.verifiedOn, NETWORK);
  const again = await prove(realm, '1', { address, message, signature });
  assertProblem(again, 'challenge-used');
});

test('a contract wallet is verified before it is deployed', async () => {
  const realm = await newRealm();
  await realm.member('1');
  const factory = await chain.deploy('WalletFactory');
  const salt: Hex = `0x${'07'.repeat(32)}`;
  const asked = chain.callData('WalletFactory', 'addressOf', owner.address, salt);
  const word: Hex = await chain.rpc('eth_call', { to: factory.address, data: asked }, 'latest');
  const address: Hex = `0x${word.slice(-40)}`;
  const message = await challenge(realm, '1', address, { chain: NETWORK });
  const data = chain.callData('WalletFactory', 'create', owner.address, salt);
  const wrap = (signature: Hex) =>
    serializeErc6492Signature({ address: factory.address, data, signature });
  const foreign = wrap(await stranger.signMessage({ message }));
  const refused = await prove(realm, '1', { address, message, signature: foreign });
  assertProblem(refused, 'signature-invalid');
  const signature = wrap(await owner.signMessage({ message }));
  const reply = await prove(realm, '1', { address, message, signature });
  assert.equal(reply.status, 201, reply.text);
  assert.equal(reply.json.verified, true);
});

test('a proof is neither accepted nor rejected unless the right chain answers', async () => {
  const realm = await newRealm();
  await realm.member('1');
  const { address } = deployed;
  const message = await challenge(realm, '1', address, { chain: NETWORK });
  const signature = await owner.signMessage({ message });
  proxy.status = 503;
  const refused = await changesNothing(realm, () =>
    prove(realm, '1', { address, message, signature }),
  );
  assertProblem(refused, 'chain-unavailable');
  assert.match(String(refused.headers['retry-after']), /^\d+$/);
  proxy.status = 200;
  assert.equal((await prove(realm, '1', { address, message, signature })).status, 201);

  const elsewhere = await challenge(realm, '1', address, { chain: 'eip155:5' });
  const signed = await owner.signMessage({ message: elsewhere });
  const wrong = await prove(realm, '1', { address, message: elsewhere, signature: signed });
  assertProblem(wrong, 'chain-unavailable');
});

test('on a chain that is not configured only plain accounts can be verified', async () => {
  const realm = await newRealm();
  await realm.member('1');
  const { address } = deployed;
  const message = await challenge(realm, '1', address, { chain: 'eip155:8453' });
  const signature = await owner.signMessage({ message });
  assertProblem(await prove(realm, '1', { address, message, signature }), 'signature-invalid');
});

test('a key proves its address on all chains, whatever chain the text names', async () => {
  const realm = await newRealm();
  await realm.member('1');
  const { address } = owner;
  const message = await challenge(realm, '1', address, { chain: NETWORK });
  const before = proxy.asked.length;
  const signature = await owner.signMessage({ message });
  const reply = await prove(realm, '1', { address, message, signature });
  assert.deepEqual([reply.status, reply.json.verifiedOn], [201, null]);
  assert.equal(proxy.asked.length, before);
});

test('the other form of a signature is refused for a plain account', async () => {
  const realm = await newRealm();
  await realm.member('1');
  const { address } = owner;
  const message = await challenge(realm, '1', address, { chain: NETWORK });
  const signature = await owner.signMessage({ message });
  const refused = await changesNothing(realm, () =>
    prove(realm, '1', { address, message, signature: otherForm(signature) }),
  );
  assertProblem(refused, 'signature-invalid');
  assert.equal((await prove(realm, '1', { address, message, signature })).status, 201);
});

/** The same signature with the higher `s`, which anybody can compute. */
function otherForm(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature);
  const higher = numberToHex(secp256k1.Point.Fn.ORDER - BigInt(s), { size: 32 });
  return serializeSignature({ r, s: higher, yParity: 1 - yParity });
}

test('a proof is checked on the chain of its challenge; both calls accept it', async () => {
  const realm = await newRealm();
  await realm.member('1');
  const { address } = deployed;
  const message = await challenge(realm, '1', address, { chain: NETWORK });
  const proof = { address, message, signature: await owner.signMessage({ message }) };
  const send = (body: object) => realm.send('POST', '/members/1/wallets', { body });
  assertFaults(await send({ ...proof, chain: 'eip155:8453' }), '/chain');
  assert.equal((await send({ ...proof, chain: NETWORK })).status, 201);
  const plain = await send({ address: stranger.address, chain: 'eip155:8453' });
  assert.deepEqual([plain.status, plain.json.chain], [201, 'eip155']);
});

test('no chain is asked unless the challenge exists, is unused and matches', async () => {
  const realm = await newRealm();
  const other = await newRealm();
  for (const id of ['1', '2']) await realm.member(id);
  await other.member('1');
  const { address } = deployed;
  const message = await challenge(realm, '1', address, { chain: NETWORK });
  const signature = await owner.signMessage({ message });
  const proof = { address, message, signature };
  const before = proxy.asked.length;
  const refused = [
    await prove(realm, '2', proof),
    await prove(realm, '99', proof),
    await prove(other, '1', proof),
    await prove(realm, '1', { ...proof, address: stranger.address }),
    await prove(realm, '1', { ...proof, message: `${message} ` }),
    await prove(realm, '1', { ...proof, message: message.replace(/Nonce: ./, 'Nonce: z') }),
    await prove(realm, '1', { ...proof, message: 'Chain ID: 1' }),
  ];
  assert.deepEqual([...new Set(refused.map(({ status }) => status))].sort(), [404, 422]);
  assert.equal(proxy.asked.length, before, 'no request reached the chain');
  const headers = { 'idempotency-key': 'once' };
  const first = await prove(realm, '1', proof, headers);
  assert.equal(first.status, 201, first.text);
  const after = proxy.asked.length;
  assert.ok(after > before);
  const replayed = await prove(realm, '1', proof, headers);
  assert.deepEqual([replayed.status, replayed.json], [201, first.json]);
  assertProblem(await prove(realm, '1', proof), 'challenge-used');
  const reused = await prove(realm, '1', { ...proof, primary: true }, headers);
  assertProblem(reused, 'idempotency-key-reused');
  assert.equal(proxy.asked.length, after, 'no request reached the chain');
});

test('slow proofs do not delay balances, and two run at a time', async () => {
  const slow = await RpcProxy.before(chain.url);
  after(() => slow.stop());
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let [underWay, most] = [0, 0];
  const needle = deployed.address.slice(2).toLowerCase();
  slow.twist = async (asked, answer) => {
    if (JSON.stringify(asked).toLowerCase().includes(needle)) {
      most = Math.max(most, ++underWay);
      await released;
      underWay -= 1;
    }
    return JSON.stringify(answer);
  };
  const busy = await web3Service({ [NETWORK]: slow.url }, { deadlineMs: 20_000 });
  const realm = await busy.realm('busy');
  const ids = Array.from({ length: 20 }, (_, index) => String(index + 10));
  const texts = await Promise.all(
    ids.map(async (id) =>
      challenge(realm, await realm.member(id), deployed.address, { chain: NETWORK }),
    ),
  );
  const proving = texts.map(async (message, index) => {
    const signature = await stranger.signMessage({ message });
    const proof = { address: deployed.address, message, signature };
    return await prove(realm, ids[index] ?? '', proof);
  });
  const coin = await chain.deploy('Token20', 'COIN');
  await realm.member('1', 0, { wallets: [owner.address] });
  await nameAsset(realm, 'coin', coin);
  await eventually(
    async () => underWay,
    (count) => count === 2,
  );
  assert.equal((await holding(realm, '1')).balance, '0', 'read while proofs are being checked');
  release();
  for (const { status } of await Promise.all(proving)) assert.ok([422, 503].includes(status));
  assert.equal(most, 2);
});

/** Signatures from which no key is recovered, or nobody's. */
const garbage: Hex[] = [
  `0x${'00'.repeat(64)}1b`,
  `0x${'00'.repeat(64)}1c`,
  `0x${'00'.repeat(65)}`,
  `0x${'ff'.repeat(64)}1b`,
  `0x${'11'.repeat(64)}1b`,
  `0x${'11'.repeat(64)}1d`,
  `0x${'00'.repeat(64)}`,
  '0x00',
];
const low = (digits: string): Hex => `0x${digits.padStart(40, '0')}`;
const ZERO = low('0');
const reserved = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', '100', 'dead'].map(low);

test('no chain is asked about an address that has no key and no code', async () => {
  const chains = openChains({ [NETWORK]: proxy.url });
  after(() => chains.close());
  const proofs = proofChecker((network) => chains.clients.get(network)?.proofs);
  const before = proxy.asked.length;
  for (const address of [ZERO, ...reserved]) {
    const wallet = { chain: 'eip155' as const, key: address, address };
    assert.match(proofs.walletFault(wallet) ?? '', /nobody can prove it/);
    for (const signature of garbage) {
      const text = { wallet, network: NETWORK, message: 'It is mine', signature };
      assert.equal(await proofs.verify(text), 'no', `${address} ${signature}`);
    }
  }
  assert.equal(proxy.asked.length, before, 'the chain is not asked');
});

test('the zero address is neither linked nor proved nor found by a check', async () => {
  const realm = await newRealm();
  await realm.member('1');
  await changesNothing(realm, async () => {
    for (const address of [ZERO, ZERO.replace('x', 'X')]) {
      const body = { address };
      assertFaults(await realm.send('POST', '/members/1/wallets', { body }), '/address');
      const asked = await realm.send('POST', '/members/1/wallets/challenge', { body });
      assertFaults(asked, '/address');
      const enrolled = { body: { id: '2', wallets: [address] } };
      assertFaults(await realm.send('POST', '/members', enrolled), '/wallets/0');
      for (const signature of garbage) {
        const proof = { address, message: 'Nonce: 12345678', signature };
        assertFaults(await prove(realm, '1', proof), '/address');
      }
    }
    for (const address of reserved) {
      const asked = { body: { address } };
      const reply = await realm.send('POST', '/members/1/wallets/challenge', asked);
      assertFaults(reply, '/address');
    }
  });
  const check = { body: { wallets: [ZERO] } };
  const { results } = (await realm.expect(200, 'POST', '/members/includes', check)).json;
  assert.equal(results[0].included, false);
});
