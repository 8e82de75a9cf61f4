import type { Salts } from '../domain/rules/journal.ts';

const SALT_BYTES = 16;
/** Drawn at once: a call for a few random bytes costs more than the hash that they are for. */
const POOL_BYTES = 4096;

const pool = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/** 128 random bits, never used twice. */
export const randomSalts: Salts = () => {
  if (used === POOL_BYTES) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += SALT_BYTES;
  return pool
    .subarray(used - SALT_BYTES, used)
    .toBase64({ alphabet: 'base64url', omitPadding: true });
};
