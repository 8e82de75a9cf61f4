import { AbiReader, type Hex, sizedBytes, wordOf } from './abi.ts';
import { ChainError } from './chain-failure.ts';
import type { TokenCall } from './token-calls.ts';

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
/** The call's own data follow the target, the flag and this word. */
const DATA_OFFSET = wordOf(3 * WORD);

const encodeTuple = ({ to, data }: TokenCall): string =>
  `${wordOf(to)}${ALLOW_FAILURE}${DATA_OFFSET}${sizedBytes(data)}`;

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
