import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** Whether the key of a plain account signed the text (EIP-191, "personal_sign"). */
export function isSignedByAccount(key: string, message: string, signature: Uint8Array): boolean {
  const parts = partsOf(signature);
  if (!parts) return false;
  try {
    const signed = secp256k1.Signature.fromBytes(parts.rs).addRecoveryBit(parts.recovery);
    const publicKey = signed.recoverPublicKey(messageHash(message)).toBytes(false);
    return key === addressOf(publicKey);
  } catch {
    // These numbers are not a signature of any key.
    return false;
  }
}

/** 65 bytes that end in 27 or 28 (some hardware wallets: 0 or 1), or the 64 of EIP-2098. */
function partsOf(signature: Uint8Array): { rs: Uint8Array; recovery: number } | undefined {
  const rs = signature.slice(0, 64);
  if (signature.length === 65) {
    const v = signature[64] ?? 0;
    const recovery = v >= 27 ? v - 27 : v;
    return recovery > 1 ? undefined : { rs, recovery };
  }
  if (signature.length !== 64) return undefined;
  const top = rs[32] ?? 0;
  rs[32] = top & 0x7f;
  return { rs, recovery: top >> 7 };
}

function messageHash(message: string): Uint8Array {
  const text = Buffer.from(message, 'utf8');
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`, 'latin1');
  return keccak_256(Buffer.concat([prefix, text]));
}

/** In lower case, like wallet keys. The first byte only marks the key as uncompressed. */
function addressOf(publicKey: Uint8Array): string {
  const hash = keccak_256(publicKey.subarray(1));
  return `0x${Buffer.from(hash.subarray(12)).toString('hex')}`;
}
