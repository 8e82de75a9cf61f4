import { decodeAbiParameters, encodeFunctionData, type Hex, hexToBytes, parseAbi } from 'viem';
import type { Asset } from '../domain/model.ts';

/** What is asked of a token contract, and what its answers mean. */
export interface TokenCall {
  to: Hex;
  data: Hex;
}

const token = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function symbol() view returns (string)',
]);
const multiToken = parseAbi(['function balanceOf(address, uint256) view returns (uint256)']);

const MAX_SYMBOL = 32;
/** A symbol of more bytes than this is not worth decoding. */
const MAX_SYMBOL_DATA = 2 + 2 * 1_024;

export function balanceCall({ contract, tokenId }: Asset, wallet: string): TokenCall {
  const owner = wallet as Hex;
  const data =
    tokenId === null
      ? encodeFunctionData({ abi: token, functionName: 'balanceOf', args: [owner] })
      : encodeFunctionData({
          abi: multiToken,
          functionName: 'balanceOf',
          args: [owner, BigInt(tokenId)],
        });
  return { to: contract as Hex, data };
}

export const symbolCall = ({ contract }: Asset): TokenCall => ({
  to: contract as Hex,
  data: encodeFunctionData({ abi: token, functionName: 'symbol' }),
});

/**
 * A balance is one word. An address without a contract answers nothing, a contract of another sort
 * anything: whatever is not exactly a word tells no balance.
 */
export function balanceOf(answer: Hex | null): bigint | null {
  return answer?.length === 66 ? BigInt(answer) : null;
}

/** The symbol, or null for what is none. The oldest tokens have it in a word, not as a string. */
export function symbolOf(answer: Hex | null): string | null {
  if (answer === null || answer.length > MAX_SYMBOL_DATA) return null;
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
