import { hash } from 'node:crypto';

const hashing =
  (name: string) =>
  (data: Uint8Array | string): Buffer =>
    hash(name, data, 'buffer');

export const sha256 = hashing('sha256');
export const ripemd160 = hashing('ripemd160');
/** The one of Ethereum, which differs from SHA3-256 in its padding. */
export const keccak256 = hashing('keccak-256');

/** Whether this Node can compute all of them: that depends on the OpenSSL that it uses. */
export function hasHashes(): boolean {
  try {
    for (const each of [sha256, ripemd160, keccak256]) each('');
    return true;
  } catch {
    return false;
  }
}
