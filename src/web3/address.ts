import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, bech32, bech32m } from '@scure/base';
import type { Address, Chain } from '../domain/model.ts';

interface Fault {
  /** What is wrong, as the end of a sentence that begins with the name of the field. */
  fault: string;
}

const kindNames: Record<Chain, string> = {
  eip155: 'an EVM',
  solana: 'a Solana',
  bitcoin: 'a Bitcoin',
};

/** A witness program of 40 bytes makes the longest address there is. */
const longestAddress = 74;

const evmShape = /^0[xX][0-9a-fA-F]{40}$/;
const base58Shape = /^[1-9A-HJ-NP-Za-km-z]+$/;
const witnessStart = /^(?:bc|tb|bcrt)1/i;

const witnessInCapitals = /^(?:BC|TB|BCRT)1[02-9AC-HJ-NP-Z]{11,71}$/;

/** Parses an address for linking, where a typo would credit the wrong wallet; so it is strict. */
export function parseAddress(text: string, chain?: Chain): Address | Fault {
  const parsed = parseAnyKind(text);
  if ('fault' in parsed || chain === undefined || parsed.chain === chain) return parsed;
  return { fault: `is ${kindNames[parsed.chain]} address, not ${kindNames[chain]} address` };
}

/**
 * The key under which a text would be stored if it were an address. It never throws. An EVM
 * address with a wrong checksum has a key too: a typo that is looked up finds nothing, so only
 * linking needs to refuse it.
 *
 * A wallet check asks for 10,000 keys at once, so the digits of an EVM address are not looked
 * at: that took 340 ns an address, and this takes 45. No harm comes of it, since a text with
 * other digits has a key that no address has.
 */
export function walletKey(text: string): string {
  const isEvm =
    text.length === 42 && text.charCodeAt(0) === 0x30 && (text.charCodeAt(1) | 0x20) === 0x78;
  if (isEvm || (text.startsWith('BC1') && isWitnessInCapitals(text))) return text.toLowerCase();
  return text;
}

function parseAnyKind(text: string): Address | Fault {
  if (text === '') return { fault: 'is empty' };
  // The length is bounded first, because decoding base58 takes time quadratic in it.
  if (text.length > longestAddress) return { fault: 'is too long for an address' };
  if (text.startsWith('0x') || text.startsWith('0X')) return parseEvm(text);
  if (!witnessStart.test(text)) return parseBase58(text);

  const witness = parseWitness(text);
  if (!('fault' in witness) || isWitnessInCapitals(text)) return witness;
  // A Solana address may begin with these letters as well.
  const other = parseBase58(text);
  return 'fault' in other ? witness : other;
}

/**
 * About one in 10^16 Solana addresses looks like a Bitcoin address in capitals. It is refused,
 * because walletKey has to lower the case of such a text without working out its checksum.
 * No mainnet witness address has 43 letters and Solana ones do, so those are Solana.
 */
function isWitnessInCapitals(text: string): boolean {
  return text.length !== 43 && witnessInCapitals.test(text);
}

function parseEvm(text: string): Address | Fault {
  if (!evmShape.test(text)) return { fault: 'is not 0x followed by exactly 40 hex digits' };
  const digits = text.slice(2);
  if (/^0+$/.test(digits)) return { fault: 'is the zero address, which nobody has' };
  const lower = digits.toLowerCase();
  const checksummed = withEip55Checksum(lower);
  // Text all in one case carries no checksum, and EIP-55 lets it pass.
  if (digits !== lower && digits !== digits.toUpperCase() && digits !== checksummed) {
    return {
      fault: 'has a wrong EIP-55 checksum; check for a typo, or send it in lower case',
    };
  }
  return { chain: 'eip155', key: `0x${lower}`, address: `0x${checksummed}` };
}

/** EIP-55: a letter is a capital where the digit of the hash at its place is 8 or more. */
function withEip55Checksum(lowerDigits: string): string {
  const hash = keccak_256(Buffer.from(lowerDigits, 'ascii'));
  let checksummed = '';
  for (let place = 0; place < lowerDigits.length; place++) {
    const byte = hash[place >> 1] ?? 0;
    const hashDigit = place % 2 === 0 ? byte >> 4 : byte & 15;
    const digit = lowerDigits.charAt(place);
    checksummed += hashDigit >= 8 ? digit.toUpperCase() : digit;
  }
  return checksummed;
}

/** Solana and the older Bitcoin addresses share an alphabet; their number of bytes differs. */
function parseBase58(text: string): Address | Fault {
  const bytes = base58Shape.test(text) ? base58.decode(text) : undefined;
  if (bytes?.length === 32) return { chain: 'solana', key: text, address: text };
  if (bytes?.length === 25) return parseBase58Check(text, bytes);
  if (/^[0-9a-fA-F]{40}$/.test(text)) return { fault: 'lacks the 0x in front of its hex digits' };
  if (bytes && bytes.length > 20) {
    return {
      fault: `is base58 of ${bytes.length} bytes, where Solana has 32 and Bitcoin 25`,
    };
  }
  return { fault: 'is not an EVM, Solana or Bitcoin address' };
}

function parseBase58Check(text: string, bytes: Uint8Array): Address | Fault {
  const sum = sha256(sha256(bytes.subarray(0, 21)));
  if (bytes.subarray(21).some((byte, place) => byte !== sum[place])) {
    return { fault: 'has a wrong base58 checksum; check for a typo' };
  }
  switch (bytes[0]) {
    case 0x00: // P2PKH
    case 0x05: // P2SH
      return { chain: 'bitcoin', key: text, address: text };
    case 0x6f: // P2PKH of testnet
    case 0xc4: // P2SH of testnet
      return testnetFault();
    default:
      return { fault: 'is a base58 address of another chain than Bitcoin or Solana' };
  }
}

/** Reads a Bitcoin witness address by the rules of BIP-173 as amended by BIP-350. */
function parseWitness(text: string): Address | Fault {
  const lower = text.toLowerCase();
  if (!lower.startsWith('bc1')) return testnetFault();
  if (text !== lower && text !== text.toUpperCase()) {
    return { fault: 'mixes upper and lower case, which a bech32 address must not' };
  }
  const v0 = bech32.decodeUnsafe(text);
  const decoded = v0 ?? bech32m.decodeUnsafe(text);
  if (!decoded) return { fault: 'has a wrong bech32 checksum; check for a typo' };
  const [version, ...words] = decoded.words;
  if (version === undefined || version > 16) {
    return { fault: 'has a witness version that Bitcoin does not have' };
  }
  if ((version === 0) !== Boolean(v0)) {
    return { fault: 'has a bech32 checksum of the wrong kind for its witness version' };
  }
  const size = bech32.fromWordsUnsafe(words)?.length ?? 0;
  if (version === 0 ? size !== 20 && size !== 32 : size < 2 || size > 40) {
    return { fault: 'has a witness program of a length that Bitcoin does not allow' };
  }
  return { chain: 'bitcoin', key: lower, address: lower };
}

function testnetFault(): Fault {
  return { fault: 'is a Bitcoin testnet address; only mainnet is accepted' };
}
