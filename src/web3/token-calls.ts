import type { Asset } from '../domain/model.ts';
import { AbiReader, encode, type Hex, isHex, wordOf } from './abi.ts';
import { ChainError } from './rpc-client.ts';

export interface TokenCall {
  to: Hex;
  data: Hex;
  /** Whether a healthy contract may fail it. */
  isOptional?: true;
}

/**
 * The returned bytes; or `nothing`, because the call failed or there is no contract; or `unknown`,
 * because the node did not answer.
 */
export type CallAnswer = Hex | 'nothing' | 'unknown';

/** Function selectors: the first four bytes of the hash of the signature. */
const BALANCE_OF = '0x70a08231'; // balanceOf(address)
const BALANCE_OF_TOKEN = '0x00fdd58e'; // balanceOf(address,uint256)
const SYMBOL = '0x95d89b41'; // symbol()

const MAX_SYMBOL = 32;
/** Longer return values are not decoded: they are not symbols. */
const MAX_SYMBOL_DATA = 2 + 2 * 1_024;

/** The length of `0x` and a word of 32 bytes. */
const WORD_LENGTH = 66;

export function balanceCall({ contract, tokenId }: Asset, wallet: string): TokenCall {
  const owner = wordOf(wallet);
  const data: Hex =
    tokenId === null
      ? `${BALANCE_OF}${owner}`
      : `${BALANCE_OF_TOKEN}${owner}${wordOf(BigInt(tokenId))}`;
  return { to: contract as Hex, data };
}

export const symbolCall = ({ contract }: Asset): TokenCall => ({
  to: contract as Hex,
  data: SYMBOL,
  isOptional: true,
});

/**
 * A balance is exactly one word. An address without a contract returns nothing, and a contract that
 * is not a token may return anything.
 */
export function balanceOf(answer: CallAnswer): bigint | null {
  return answer.length === WORD_LENGTH ? BigInt(answer) : null;
}

/** The symbol, if the answer is one. The oldest tokens return a word instead of a string. */
export function symbolOf(answer: CallAnswer): string | null {
  if (answer.length > MAX_SYMBOL_DATA || !isHex(answer)) return null;
  try {
    if (answer.length === WORD_LENGTH) return presentable(textOfWord(answer));
    return presentable(bytesOf(new AbiReader(answer).bytes(0)).toString('utf8'));
  } catch {
    return null;
  }
}

const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex');

function textOfWord(word: Hex): string {
  const bytes = bytesOf(word);
  const end = bytes.indexOf(0);
  const text = new TextDecoder('utf-8', { fatal: true });
  return text.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/**
 * Anyone can deploy a contract with any symbol. Characters that are invisible or change the text
 * direction are removed, and the rest is truncated.
 */
function presentable(text: string): string | null {
  const visible = text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\u{FFFD}]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return visible === '' ? null : [...visible].slice(0, MAX_SYMBOL).join('');
}

/** The address of Multicall3 on every chain that has it. */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** aggregate3((address target, bool allowFailure, bytes callData)[]) */
const AGGREGATE3 = '0x82ad56cb';
const WORD = 32;

/** Many calls as one, each of which may fail on its own. */
export function encodeAggregate(calls: readonly TokenCall[]): Hex {
  const tuples = calls.map(encodeTuple);
  let offset = calls.length * WORD;
  let offsets = '';
  for (const tuple of tuples) {
    offsets += wordOf(offset);
    offset += tuple.length / 2;
  }
  return `${AGGREGATE3}${wordOf(WORD)}${wordOf(calls.length)}${offsets}${tuples.join('')}`;
}

const ALLOW_FAILURE = wordOf(1);

const encodeTuple = ({ to, data }: TokenCall): string =>
  encode([wordOf(to), ALLOW_FAILURE, { bytes: data }]);

/** The results of the calls: (bool success, bytes returnData)[]. Throws if they are malformed. */
export function decodeAggregate(data: Hex, count: number) {
  const reader = new AbiReader(data);
  const list = reader.number(0);
  if (reader.number(list) !== count) throw new ChainError('bad-answer');
  const tuples = list + WORD;
  return Array.from({ length: count }, (_, index) => {
    const tuple = tuples + reader.number(tuples + index * WORD);
    const success = reader.number(tuple);
    if (success > 1) throw new ChainError('bad-answer');
    return { success: success === 1, returnData: reader.bytes(tuple + WORD, tuple) };
  });
}
