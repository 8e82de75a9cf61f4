import { getHashes, hash } from 'node:crypto';

/** Fails at the start rather than at the first address. */
function hashing(name: string): (data: Uint8Array | string) => Buffer {
  if (!getHashes().includes(name)) {
    throw new Error(
      `this Node has no ${name}: its OpenSSL must be 3.2 or newer, and not FIPS only`,
    );
  }
  return (data) => hash(name, data, 'buffer');
}

export const sha256 = hashing('sha256');
export const ripemd160 = hashing('ripemd160');
/** The one of Ethereum, which differs from SHA3-256 in its padding. */
export const keccak256 = hashing('keccak-256');
