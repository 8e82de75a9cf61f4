import { decodeFunctionResult, type Hex, multicall3Abi } from 'viem';
import { ChainError } from './chain-failure.ts';
import { type TokenCall, wordOf } from './token-calls.ts';

/** The address of Multicall3 on every chain that has it. */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** aggregate3((address target, bool allowFailure, bytes callData)[]) */
const AGGREGATE3 = '0x82ad56cb';
const WORD = 32;

/**
 * Many calls as one, each of which may fail on its own. Encoded by hand, because viem takes a
 * millisecond for a hundred calls, and fifty such chunks are encoded in one go.
 */
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
/** The call's own data follow the target, the flag and this word. */
const DATA_OFFSET = wordOf(3 * WORD);

function encodeTuple({ to, data }: TokenCall): string {
  const digits = data.slice(2);
  const padded = Math.ceil(digits.length / (2 * WORD)) * 2 * WORD;
  const length = wordOf(digits.length / 2);
  return `${wordOf(to)}${ALLOW_FAILURE}${DATA_OFFSET}${length}${digits.padEnd(padded, '0')}`;
}

export function decodeAggregate(data: Hex, count: number) {
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data });
  if (results.length === count) return results;
  throw new ChainError('bad-answer');
}
