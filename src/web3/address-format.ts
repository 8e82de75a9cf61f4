import { base58, bech32, bech32m } from '@scure/base';
import type { Address } from '../domain/model.ts';

/** What computes checksums. Browsers have others than Node. */
interface Hashes {
  keccak256Hex(text: string): string;
  sha256(bytes: Uint8Array): Uint8Array;
}

/** What is wrong, as the end of a sentence that begins with the name of the field. */
export type Fault = { fault: string };

/** The length of an address with a witness program of 40 bytes, the longest there is. */
const longestAddress = 74;

const evmShape = /^0[xX][0-9a-fA-F]{40}$/;
const witnessStart = /^(?:bc|tb|bcrt)1/i;
const witnessInCapitals = /^(?:BC|TB|BCRT)1[02-9AC-HJ-NP-Z]{11,71}$/;

/** The versions of P2PKH and P2SH in base58. */
const MAINNET_VERSIONS = [0x00, 0x05];
const TESTNET_VERSIONS = [0x6f, 0xc4];

const TESTNET: Fault = { fault: 'is a Bitcoin testnet address; only mainnet is accepted' };

/**
 * The key under which a text would be stored if it were an address. It never throws. An EVM
 * address with a wrong checksum also has a key: looking it up finds nothing, so only linking needs
 * to refuse it.
 *
 * A wallet check computes 10,000 keys at once, so the digits of an EVM address are not validated:
 * that took 340 ns per address, and this takes 45. It is safe, since the key of a text with other
 * characters is not the key of any address.
 */
export function walletKey(text: string): string {
  if (mayBeEvm(text) || (text.startsWith('BC1') && isWitnessInCapitals(text)))
    return text.toLowerCase();
  return text;
}

/** Whether a text has the length and the start of an EVM address. */
const mayBeEvm = (text: string): boolean =>
  text.length === 42 && (text.startsWith('0x') || text.startsWith('0X'));

/** It is strict, because a typo would link the wrong wallet. */
export function parseAnyKind(text: string, hashes: Hashes): Address | Fault {
  if (text === '') return { fault: 'is empty' };
  if (text.length > longestAddress) return { fault: 'is too long for an address' };
  if (text.startsWith('0x') || text.startsWith('0X')) return parseEvm(text, hashes);
  if (!witnessStart.test(text)) return parseBase58(text, hashes);

  const witness = parseWitness(text);
  if (!('fault' in witness) || isWitnessInCapitals(text)) return witness;
  // A Solana address may start with the same letters.
  const other = parseBase58(text, hashes);
  return 'fault' in other ? witness : other;
}

/**
 * About one in 10^16 Solana addresses looks like a Bitcoin address in capitals. It is refused,
 * because walletKey must convert such a text to lower case without computing its checksum. No
 * mainnet witness address has 43 characters, so a text of that length is a Solana address.
 */
function isWitnessInCapitals(text: string): boolean {
  return text.length !== 43 && witnessInCapitals.test(text);
}

function parseEvm(text: string, hashes: Hashes): Address | Fault {
  if (!evmShape.test(text)) return { fault: 'is not 0x followed by exactly 40 hex digits' };
  const digits = text.slice(2);
  if (/^0+$/.test(digits)) return { fault: 'is the zero address, which nobody owns' };
  const lower = digits.toLowerCase();
  const checksummed = withEip55Checksum(lower, hashes);
  // An address in a single case has no checksum, which EIP-55 allows.
  const hasChecksum = digits !== lower && digits !== digits.toUpperCase();
  if (hasChecksum && digits !== checksummed) {
    return { fault: 'has a wrong EIP-55 checksum; check for a typo, or send it in lower case' };
  }
  return { chain: 'eip155', key: `0x${lower}`, address: `0x${checksummed}` };
}

/** EIP-55: a letter is upper case if the hash has a digit of 8 or more at its position. */
function withEip55Checksum(lowerDigits: string, { keccak256Hex }: Hashes): string {
  const hash = keccak256Hex(lowerDigits);
  let checksummed = '';
  for (let place = 0; place < lowerDigits.length; place += 1) {
    const digit = lowerDigits.charAt(place);
    checksummed += hash.charAt(place) >= '8' ? digit.toUpperCase() : digit;
  }
  return checksummed;
}

/** Takes quadratic time, so callers limit the length. */
export const fromBase58 = (text: string): Uint8Array | null =>
  /^[1-9A-HJ-NP-Za-km-z]+$/.test(text) ? base58.decode(text) : null;

/** Solana and legacy Bitcoin addresses share an alphabet and differ in length. */
function parseBase58(text: string, hashes: Hashes): Address | Fault {
  const bytes = fromBase58(text);
  if (bytes?.length === 32) return { chain: 'solana', key: text, address: text };
  if (bytes?.length === 25) return parseBase58Check(text, bytes, hashes);
  if (/^[0-9a-fA-F]{40}$/.test(text)) return { fault: 'lacks the prefix 0x' };
  if (bytes && bytes.length > 20) {
    return { fault: `is base58 of ${bytes.length} bytes; Solana addresses have 32, Bitcoin 25` };
  }
  return { fault: 'is not an EVM, Solana or Bitcoin address' };
}

function parseBase58Check(text: string, bytes: Uint8Array, { sha256 }: Hashes): Address | Fault {
  const sum = sha256(sha256(bytes.subarray(0, 21)));
  if (bytes.subarray(21).some((byte, place) => byte !== sum[place])) {
    return { fault: 'has a wrong base58 checksum; check for a typo' };
  }
  const [version = 0] = bytes;
  if (MAINNET_VERSIONS.includes(version)) return { chain: 'bitcoin', key: text, address: text };
  if (TESTNET_VERSIONS.includes(version)) return TESTNET;
  return { fault: 'is a base58 address of neither Bitcoin nor Solana' };
}

/** Bitcoin witness addresses, by BIP-173 as amended by BIP-350. */
function parseWitness(text: string): Address | Fault {
  const lower = text.toLowerCase();
  if (!lower.startsWith('bc1')) return TESTNET;
  if (text !== lower && text !== text.toUpperCase()) {
    return { fault: 'mixes upper and lower case, which bech32 does not allow' };
  }
  const v0 = bech32.decodeUnsafe(text);
  const decoded = v0 ?? bech32m.decodeUnsafe(text);
  if (!decoded) return { fault: 'has a wrong bech32 checksum; check for a typo' };
  const [version, ...words] = decoded.words;
  if (version === undefined || version > 16) return { fault: 'has an invalid witness version' };
  if ((version === 0) !== Boolean(v0)) {
    return { fault: 'has a bech32 checksum of the wrong kind for its witness version' };
  }
  const size = bech32.fromWordsUnsafe(words)?.length ?? 0;
  if (version === 0 ? size !== 20 && size !== 32 : size < 2 || size > 40) {
    return { fault: 'has a witness program of an invalid length' };
  }
  return { chain: 'bitcoin', key: lower, address: lower };
}
