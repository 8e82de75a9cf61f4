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
/** Enough for milliseconds until 2081. */
const TIME_LENGTH = 7;
const SECRET_START = 3 + ID_LENGTH + 1;
const KEY_LENGTH = SECRET_START + SECRET_LENGTH + CHECKSUM_LENGTH;

export const generateKey = (): IssuedKey => build(randomText(ID_LENGTH));

/** The same key for the same bytes, of which it takes one for each letter. */
export const keyFrom = (bytes: Uint8Array): IssuedKey =>
  build(
    lettersOf(bytes.subarray(0, ID_LENGTH)),
    lettersOf(bytes.subarray(ID_LENGTH, ID_LENGTH + SECRET_LENGTH)),
  );

/** A root key: the same format with a fixed id. The whole key is hashed, as with ROOT_KEY. */
export const generateRootKey = (): string => build('root').key;

export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/** Longer than the id of a key by its first letter: sessions of either can be told apart. */
const PERSON_ID = new RegExp(`^p[${ALPHABET}]{${ID_LENGTH}}$`);

/** In the order of their creation: its first part is the time. */
export function newPersonId(now: number): string {
  const time = inDigits(now, TIME_LENGTH);
  return `p${time}${randomText(ID_LENGTH - TIME_LENGTH)}`;
}

/** The same id for the same text. */
export const personIdFor = (text: string): string =>
  `p${lettersOf(hash('sha256', text, 'buffer').subarray(0, ID_LENGTH))}`;

const lettersOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');

export const isPersonId = (id: string): boolean => PERSON_ID.test(id);

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

/** The text of a key, and what is stored of it. */
type IssuedKey = { key: string; newKey: NewKey };

function build(id: string, secret = randomText(SECRET_LENGTH)): IssuedKey {
  const text = `rk_${id}_${secret}`;
  return { key: text + checksum(text), newKey: { id, secretHash: hashSecret(secret) } };
}

const checksum = (text: string): string => inDigits(crc32(text), CHECKSUM_LENGTH);

function inDigits(value: number, length: number): string {
  let rest = value;
  let out = '';
  for (let i = 0; i < length; i++) {
    out = ALPHABET[rest % ALPHABET.length] + out;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return out;
}

export const randomText = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
