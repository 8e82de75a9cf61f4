import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak256 } from './hashes.ts';

/**
 * Whether the key of a plain account signed the text (EIP-191, "personal_sign"). Anybody can
 * compute a second form of a signature, with the higher `s`, which chains do not accept either
 * (EIP-2). Throws if no key can have made the signature.
 */
export function isSignedByAccount(key: string, message: string, signature: Uint8Array): boolean {
  const signed = parseSignature(signature);
  return signed !== null && !signed.hasHighS() && signer(signed, message) === key;
}

function signer(signed: RecoverableSignature, message: string): string {
  const publicKey = signed.recoverPublicKey(messageHash(message)).toBytes(false);
  // The first byte only marks the key as uncompressed.
  return `0x${keccak256(publicKey.subarray(1)).toString('hex', 12)}`;
}

type RecoverableSignature = NonNullable<ReturnType<typeof parseSignature>>;

/** 65 bytes that end in 27 or 28 (some hardware wallets: 0 or 1), or the 64 of EIP-2098. */
function parseSignature(signature: Uint8Array) {
  const rs = signature.slice(0, 64);
  let recovery = signature[64] ?? 0;
  if (recovery >= 27) recovery -= 27;
  if (signature.length === 64) {
    const top = rs[32] ?? 0;
    recovery = top >> 7;
    rs[32] = top & 0x7f;
  }
  if (recovery > 1 || signature.length > 65) return null;
  return secp256k1.Signature.fromBytes(rs).addRecoveryBit(recovery);
}

/** The hash that wallets sign (EIP-191). */
export function messageHash(message: string): Uint8Array {
  const text = Buffer.from(message, 'utf8');
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`, 'latin1');
  return keccak256(Buffer.concat([prefix, text]));
}
