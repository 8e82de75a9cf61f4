import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, bech32, createBase58check } from '@scure/base';
import { hash160, sha256d } from '../../src/web3/bitcoin-signature.ts';
import type { Reply, TestRealm } from './service.ts';

/** A wallet that can sign. */
interface Signer {
  address: string;
  sign(message: string): string;
}

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

export function evmSigner(secret = secp256k1.utils.randomSecretKey()): Signer {
  const publicKey = secp256k1.getPublicKey(secret, false).subarray(1);
  const address = `0x${Buffer.from(keccak_256(publicKey).subarray(12)).toString('hex')}`;
  const sign = (message: string): string => {
    const prefix = `\x19Ethereum Signed Message:\n${utf8(message).length}`;
    const hash = keccak_256(Buffer.concat([utf8(prefix), utf8(message)]));
    const [recovery = 0, ...rs] = recoverable(hash, secret);
    return `0x${Buffer.from([...rs, 27 + recovery]).toString('hex')}`;
  };
  return { address, sign };
}

function solanaSigner(): Signer {
  const { secretKey, publicKey } = ed25519.keygen();
  const sign = (message: string) => base58.encode(ed25519.sign(utf8(message), secretKey));
  return { address: base58.encode(publicKey), sign };
}

/** A P2PKH address, signing by BIP-137. */
function bitcoinSigner(): Signer {
  const { secretKey, publicKey } = secp256k1.keygen();
  const address = createBase58check(sha256).encode(Uint8Array.of(0, ...hash160(publicKey)));
  return { address, sign: (message) => legacySignature(message, secretKey, 31) };
}

/** A P2WPKH address, signing by BIP-137 with the header for it. */
function segwitSigner(): Signer {
  const { secretKey, publicKey } = secp256k1.keygen();
  const address = bech32.encode('bc', [0, ...bech32.toWords(hash160(publicKey))]);
  return { address, sign: (message) => legacySignature(message, secretKey, 39) };
}

export const signers: Record<string, () => Signer> = {
  EVM: evmSigner,
  Solana: solanaSigner,
  'Bitcoin P2PKH': bitcoinSigner,
  'Bitcoin P2WPKH': segwitSigner,
};

function legacySignature(message: string, secret: Uint8Array, header: number): string {
  const text = utf8(message);
  const length = text.length < 0xfd ? [text.length] : [0xfd, text.length & 255, text.length >> 8];
  const hash = sha256d(Uint8Array.of(...utf8('\x18Bitcoin Signed Message:\n'), ...length, ...text));
  const [recovery = 0, ...rs] = recoverable(hash, secret);
  return Buffer.from([header + recovery, ...rs]).toString('base64');
}

const recoverable = (hash: Uint8Array, secret: Uint8Array): Uint8Array =>
  secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' });

/** Requests a challenge, the text that the signer has to sign. */
export async function challenge(
  realm: TestRealm,
  memberId: string,
  address: string,
  more: object = {},
): Promise<string> {
  const body = { address, ...more };
  const path = `/members/${memberId}/wallets/challenge`;
  return (await realm.expect(201, 'POST', path, { body })).json.message;
}

export function prove(
  realm: TestRealm,
  memberId: string,
  proof: { address: string; message: string; signature: string; primary?: boolean },
  headers: Record<string, string> = {},
): Promise<Reply> {
  return realm.send('POST', `/members/${memberId}/wallets`, { body: proof, headers });
}

/** Links the signer's wallet with a proof. */
export async function linkProved(
  realm: TestRealm,
  memberId: string,
  { address, sign }: Signer,
): Promise<Reply> {
  const message = await challenge(realm, memberId, address);
  const reply = await prove(realm, memberId, { address, message, signature: sign(message) });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply;
}
