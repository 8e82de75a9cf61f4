import { hash } from 'node:crypto';

const KECCAK_256 = 'keccak-256';

const hashing =
  (name: string) =>
  (data: Uint8Array | string): Buffer =>
    hash(name, data, 'buffer');

export const sha256 = hashing('sha256');
export const ripemd160 = hashing('ripemd160');
/** The one of Ethereum, which differs from SHA3-256 in its padding. */
export const keccak256 = hashing(KECCAK_256);
/** Takes half the time of the bytes. */
export const keccak256Hex = (data: string): string => hash(KECCAK_256, data, 'hex');

/** Whether this Node can compute all of them: that depends on the OpenSSL that it uses. */
export function hasHashes(): boolean {
  try {
    for (const each of [sha256, ripemd160, keccak256]) each('');
    return true;
  } catch {
    return false;
  }
}
