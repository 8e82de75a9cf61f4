import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { NewKey } from './commands.ts';

/**
 * An API key is `rk_<public id>_<secret><checksum>`. The checksum detects typing errors without a
 * look-up, and the fixed format lets secret scanners find leaked keys.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SECRET_START = 3 + ID_LENGTH + 1;
const KEY_LENGTH = SECRET_START + SECRET_LENGTH + CHECKSUM_LENGTH;

/** A new key: the text for the caller, and what is stored. */
export function generateKey(): { key: string; newKey: NewKey } {
  const id = randomText(ID_LENGTH);
  const { key, secret } = build(id);
  return { key, newKey: { id, secretHash: hashSecret(secret) } };
}

/** A root key: the same format with a fixed id. The whole key is hashed, as with ROOT_KEY. */
export const generateRootKey = (): string => build('root').key;

export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/** What sessions of a root key are stored under. No API key has such an id. */
export function rootSessionKeyId(rootHash: string): string {
  return `root:${hash('sha256', `sessions of ${rootHash}`, 'hex').slice(0, 24)}`;
}

/** The parts of a well-formed key; null for anything else. Hashes nothing, so it is cheap. */
export function parseKey(key: string): { id: string; secret: string } | null {
  if (key.length !== KEY_LENGTH || !key.startsWith('rk_') || key[SECRET_START - 1] !== '_') {
    return null;
  }
  return {
    id: key.slice(3, SECRET_START - 1),
    secret: key.slice(SECRET_START, SECRET_START + SECRET_LENGTH),
  };
}

export function hasValidChecksum(key: string): boolean {
  return checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

function build(id: string): { key: string; secret: string } {
  const secret = randomText(SECRET_LENGTH);
  const text = `rk_${id}_${secret}`;
  return { key: text + checksum(text), secret };
}

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out = ALPHABET[rest % ALPHABET.length] + out;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return out;
}

export const randomText = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
