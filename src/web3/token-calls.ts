import { decodeAbiParameters, type Hex, hexToBytes } from 'viem';
import type { Asset } from '../domain/model.ts';

/** What is asked of a token contract, and what its answers mean. */
export interface TokenCall {
  to: Hex;
  data: Hex;
  /** Whether a good contract may well fail at it. */
  isOptional?: true;
}

/**
 * What a call came to: its bytes; nothing, because the contract failed or is none; or unknown,
 * because the node did not say.
 */
export type Said = Hex | 'nothing' | 'unknown';

/** The first four bytes of the hash of each function's name and parameters. */
const BALANCE_OF = '0x70a08231'; // balanceOf(address)
const BALANCE_OF_TOKEN = '0x00fdd58e'; // balanceOf(address,uint256)
const SYMBOL = '0x95d89b41'; // symbol()

const MAX_SYMBOL = 32;
/** A symbol of more bytes than this is not worth decoding. */
const MAX_SYMBOL_DATA = 2 + 2 * 1_024;

/** By hand: viem takes 22 us for it, a tenth of a second for 50 assets and 100 wallets. */
export function balanceCall({ contract, tokenId }: Asset, wallet: string): TokenCall {
  const owner = wordOf(wallet);
  const data: Hex =
    tokenId === null
      ? `${BALANCE_OF}${owner}`
      : `${BALANCE_OF_TOKEN}${owner}${wordOf(BigInt(tokenId))}`;
  return { to: contract as Hex, data };
}

/** A number or an address as the 64 digits of a word. */
export function wordOf(value: number | bigint | string): string {
  const digits = typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16);
  return digits.padStart(64, '0');
}

export const symbolCall = ({ contract }: Asset): TokenCall => ({
  to: contract as Hex,
  data: SYMBOL,
  isOptional: true,
});

/**
 * A balance is one word. An address without a contract answers nothing, a contract of another sort
 * anything: whatever is not exactly a word tells no balance.
 */
export function balanceOf(answer: Said): bigint | null {
  return isBytes(answer) && answer.length === 66 ? BigInt(answer) : null;
}

const isBytes = (answer: Said): answer is Hex => answer.startsWith('0x');

/** The symbol, or null for what is none. The oldest tokens have it in a word, not as a string. */
export function symbolOf(answer: Said): string | null {
  if (!isBytes(answer) || answer.length > MAX_SYMBOL_DATA) return null;
  try {
    if (answer.length === 66) return presentable(textOfWord(answer));
    return presentable(decodeAbiParameters([{ type: 'string' }], answer)[0]);
  } catch {
    return null;
  }
}

function textOfWord(word: Hex): string {
  const bytes = hexToBytes(word);
  const end = bytes.indexOf(0);
  const text = new TextDecoder('utf-8', { fatal: true });
  return text.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/**
 * Anyone can deploy a contract with any symbol. Signs that cannot be seen, or that turn the
 * direction of what stands around them, are left out, and the rest is cut to a length.
 */
function presentable(text: string): string | null {
  const seen = text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\u{FFFD}]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return seen === '' ? null : [...seen].slice(0, MAX_SYMBOL).join('');
}
