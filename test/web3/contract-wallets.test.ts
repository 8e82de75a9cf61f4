import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Hex, serializeErc6492Signature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { RpcProxy } from '../chain/proxies.ts';
import { assertProblem, changesNothing } from '../support/checks.ts';
import { challenge, prove } from '../support/signers.ts';
import { chainForFile, web3Service } from '../support/web3.ts';

/** Wallets that are contracts prove themselves over HTTP, on a real chain. */
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

test('a contract wallet is verified by the signature of its owner, and by no other', async () => {
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
  assert.equal(reply.json.verified, true);
  const again = await prove(realm, '1', { address, message, signature });
  assertProblem(again, 'challenge-used');
});

test('a contract wallet that is not there yet is verified by what would make it', async () => {
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

test('a chain that does not answer, or is another one, proves and refuses nothing', async () => {
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

test('on a chain that is not set up only accounts can prove themselves', async () => {
  const realm = await newRealm();
  await realm.member('1');
  const { address } = deployed;
  const message = await challenge(realm, '1', address, { chain: 'eip155:8453' });
  const signature = await owner.signMessage({ message });
  assertProblem(await prove(realm, '1', { address, message, signature }), 'signature-invalid');
});
