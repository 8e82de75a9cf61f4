import { hash } from 'node:crypto';

const hashing =
  (name: string) =>
  (data: Uint8Array | string): Buffer =>
    hash(name, data, 'buffer');

export const sha256 = hashing('sha256');
export const ripemd160 = hashing('ripemd160');
/** The one of Ethereum, which differs from SHA3-256 in its padding. */
export const keccak256 = hashing('keccak-256');
