import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base58 } from '@scure/base';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import type { SignatureCheck } from '../../src/domain/commands.ts';
import type { Address } from '../../src/domain/model.ts';
import { parseAddress, walletKey } from '../../src/web3/address.ts';
import { scriptOf, toSpendId } from '../../src/web3/bitcoin-signature.ts';
import { proofChecker } from '../../src/web3/proofs.ts';
import { signers } from '../support/signers.ts';

/** Signatures: the test vectors of the standards, and other signers. */
const alone = proofChecker(() => undefined);

function walletOf(address: string): Address {
  const parsed = parseAddress(address);
  assert.ok('key' in parsed, address);
  return parsed;
}

function verify(address: string, message: string, signature: string): Promise<SignatureCheck> {
  return alone.verify({ wallet: walletOf(address), network: 'eip155:1', message, signature });
}

async function assertVector(address: string, message: string, signature: string): Promise<void> {
  assert.equal(alone.signatureFault(walletOf(address), signature), null, signature);
  assert.equal(await verify(address, message, signature), 'by-key', `${address} ${signature}`);
  assert.equal(await verify(address, `${message}x`, signature), 'no');
}

test('EVM: a well-known signature in each of its encodings', async () => {
  const address = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23';
  const r = 'b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd';
  const s = '6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a029';
  // v as 28 and as 1; and EIP-2098, where it is the top bit of s.
  for (const text of [`${r}${s}1c`, `${r}${s}01`, `${r}e${s.slice(1)}`]) {
    await assertVector(address, 'Some data', `0x${text}`);
    await assertVector(address.toLowerCase(), 'Some data', `0x${text.toUpperCase()}`);
  }
  for (const text of [`${r}${s}1b`, `${r}${s}1d`, `${r}${s}`, `${r}${s}1c00`, '00', r]) {
    assert.equal(await verify(address, 'Some data', `0x${text}`), 'no', text);
  }
  for (const text of ['0'.repeat(130), 'f'.repeat(130), `${'f'.repeat(128)}1b`]) {
    assert.equal(await verify(address, 'Some data', `0x${text}`), 'no', text);
  }
});

/** The other form of an ECDSA signature, which anybody can compute: n - s, the other parity. */
function mirrored(signature: Buffer, sAt: number, parityAt: number): Buffer {
  const mirror = Buffer.from(signature);
  const s = BigInt(`0x${signature.toString('hex', sAt, sAt + 32)}`);
  const order = secp256k1.Point.CURVE().n;
  mirror.write((order - s).toString(16).padStart(64, '0'), sAt, 'hex');
  mirror[parityAt] = 1 + (((signature[parityAt] ?? 0) - 1) ^ 1);
  return mirror;
}

test('EVM and Bitcoin: the high-s form of a signature is refused', async () => {
  for (const [kind, newSigner] of Object.entries(signers)) {
    if (kind === 'Solana') continue;
    const { address, sign } = newSigner();
    const isEvm = kind === 'EVM';
    const encoding = isEvm ? 'hex' : 'base64';
    const signature = Buffer.from(sign('text').replace(/^0x/, ''), encoding);
    const mirror = isEvm ? mirrored(signature, 32, 64) : mirrored(signature, 33, 0);
    const textOf = (bytes: Buffer) => `${isEvm ? '0x' : ''}${bytes.toString(encoding)}`;
    // Twice mirrored it is the same again, so it is refused for its form only.
    const twice = isEvm ? mirrored(mirror, 32, 64) : mirrored(mirror, 33, 0);
    assert.equal(await verify(address, 'text', textOf(twice)), 'by-key', kind);
    assert.equal(await verify(address, 'text', textOf(mirror)), 'no', kind);
  }
});

test('EVM: signatures by viem are accepted for any text', async () => {
  const account = privateKeyToAccount(`0x${'5'.repeat(64)}`);
  for (const message of ['', 'a', 'Grüße 🦄\n\u0000', 'x'.repeat(2_000)]) {
    await assertVector(account.address, message, await account.signMessage({ message }));
  }
});

// RFC 8032, section 7.1, TEST 1 and TEST 2: the ones whose message is text.
const rfc8032: [publicKey: string, message: string, signature: string][] = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155' +
      '5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    'r',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
      '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
];

test('Solana: the vectors of RFC 8032, in base58 and base64', async () => {
  for (const [publicKey, message, signature] of rfc8032) {
    const address = base58.encode(Buffer.from(publicKey, 'hex'));
    const bytes = Buffer.from(signature, 'hex');
    await assertVector(address, message, base58.encode(bytes));
    await assertVector(address, message, bytes.toString('base64'));
    for (const place of [0, 31, 32, 63]) {
      const wrong = Buffer.from(bytes);
      wrong[place] = (wrong[place] ?? 0) ^ 1;
      assert.equal(await verify(address, message, base58.encode(wrong)), 'no');
    }
  }
});

test('Solana: nobody signs for a key of small order', async () => {
  // For the system program's address, all zeros, an empty signature would match many texts.
  const address = '11111111111111111111111111111111';
  for (const first of [0, 1]) {
    const bytes = new Uint8Array(64);
    bytes[0] = first;
    for (let index = 0; index < 50; index++) {
      assert.equal(await verify(address, `text ${index}`, base58.encode(bytes)), 'no');
    }
  }
});

test('Bitcoin: the transaction hashes of BIP-322', () => {
  const address = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
  const vectors = {
    '': 'c5680aa69bb8d860bf82d4e9cd3504b55dde018de765a91bb566283c545a99a7',
    'Hello World': 'b79d196740ad5217771c1098fc4a4b51e0535c32236c71f1ea4d61a2d603352b',
    'UTF-8 support: öäüéàè 测试文本 😄':
      'c8f4f525fe8afb1bc09b44175bd2096f079c98425e8a1be676b712add1fb62f0',
  };
  for (const [message, hash] of Object.entries(vectors)) {
    const id = Buffer.from(toSpendId(scriptOf(address), message)).reverse();
    assert.equal(id.toString('hex'), hash);
  }
});

const TAPROOT = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3';
const KEY_END = 'ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=';
const KEY_END_2 = 'EhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy';

// BIP-322's own vectors for P2WPKH and P2TR; for P2SH, signatures of common wallets.
const bip322: [address: string, message: string, signature: string][] = [
  [
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    '',
    'smpAkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z4' +
      `6TSDtS40${KEY_END}`,
  ],
  [
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    'Hello World',
    'smpAkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29z' +
      `JLUx9a/s${KEY_END}`,
  ],
  [
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    'Hello World',
    'AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR' +
      `8eGhow${KEY_END_2}`,
  ],
  [
    'bc1pss0zhytly75awhm6x2hhvd5lnzv3vssgrf9axfheq8ldyzn88ges79fler',
    'No prefix fallback',
    'AUCJYOwOjxYAvatTAGYaVlNXBVyFuc4MwNQkOuK2tl8xhfKDONd0NjfYyNSYcRqeCp8hsAnCEPHAVEkO9h6vbQ/R',
  ],
  [
    TAPROOT,
    'Hello World',
    'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ==',
  ],
  [
    '37qyp7jQAzqb2rCBpMvVtLDuuzKAUCVnJb',
    'Hello World',
    'AkcwRAIgRfq2Gfv9guFcXAf2vQEJSHX8FP5OuiHs1DSK1I0wk/0CIGPzqm6QNPTDJuki148OQ2DbJtXyrr71s4xYPwog' +
      `QUup${KEY_END}`,
  ],
];

test('Bitcoin: signatures in the simple form of BIP-322', async () => {
  for (const [address, message, signature] of bip322) {
    await assertVector(address, message, signature);
    for (const [other] of bip322) {
      if (other !== address) assert.equal(await verify(other, message, signature), 'no');
    }
  }
});

test('Bitcoin: signatures that BIP-322 requires to be rejected', async () => {
  const address = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
  const wallet = walletOf(address);
  for (const text of ['not-valid-base64!!!', '', 'smpAA==', 'fooAA==', 'fulAUDZ', 'pofcHNidP8B']) {
    assert.notEqual(alone.signatureFault(wallet, text), null, text);
    assert.equal(await verify(address, '', text), 'no');
  }
  const [first] = bip322;
  const bytes = Buffer.from(first?.[2].slice(3) ?? '', 'base64');
  // Another hash type, another length, another key.
  for (let place = 0; place < bytes.length; place++) {
    const wrong = Buffer.from(bytes);
    wrong[place] = (wrong[place] ?? 0) ^ 1;
    assert.equal(await verify(address, '', `smp${wrong.toString('base64')}`), 'no', String(place));
  }
});

test('Bitcoin: a well-known BIP-137 signature', async () => {
  const message = 'This is an example of a signed message.';
  const signature =
    'H9L5yLFjti0QTHhPyFrZCT1V/MMnBtXKmoiKDZ78NDBjERki6ZTQZdSMCtkgoNmp17By9ItJr8o7ChX0XxY91nk=';
  await assertVector('1F3sAm6ZtwLAUnj7d38pGFxtP3RVEvtsbV', message, signature);
  // Its key does not belong to a Taproot address, whatever the header says.
  for (const [address] of bip322) assert.equal(await verify(address, message, signature), 'no');
});

test('a script address cannot be proved, and that is reported at once', () => {
  const scripts = [
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
  ];
  for (const address of scripts) {
    assert.match(alone.walletFault(walletOf(address)) ?? '', /cannot be checked/);
  }
  const own = Object.values(signers).map((signer) => signer().address);
  for (const address of [...own, ...bip322.map(([one]) => one)]) {
    assert.equal(alone.walletFault(walletOf(address)), null);
  }
});

test('any: arbitrary signatures are rejected without an error', async () => {
  const wallets = [...Object.values(signers).map((signer) => signer().address), TAPROOT];
  const bytes = fc.uint8Array({ maxLength: 120 });
  const text = fc.oneof(
    fc.string(),
    bytes.map((each) => `0x${Buffer.from(each).toString('hex')}`),
    bytes.map((each) => Buffer.from(each).toString('base64')),
    bytes.map((each) => base58.encode(each)),
    // A witness of two arbitrary items.
    fc.tuple(bytes, bytes).map(([one, two]) => {
      const stack = [2, one.length, ...one, two.length, ...two];
      return `smp${Buffer.from(stack).toString('base64')}`;
    }),
  );
  const property = fc.asyncProperty(
    fc.constantFrom(...wallets),
    text,
    async (address, signature) => {
      alone.signatureFault(walletOf(address), signature);
      assert.equal(await verify(address, 'hello', signature), 'no');
    },
  );
  await fc.assert(property, { numRuns: 1_000 });
});

test('EVM: the zero address cannot be linked, but can be looked up', () => {
  const zero = `0x${'0'.repeat(40)}`;
  for (const text of [zero, zero.replace('x', 'X')]) {
    const parsed = parseAddress(text);
    assert.match('fault' in parsed ? parsed.fault : '', /zero address/);
    assert.equal(walletKey(text), zero);
  }
});
