import { decodeFunctionResult, type Hex, multicall3Abi } from 'viem';
import { BadAnswer } from './rpc-fetch.ts';
import { type TokenCall, wordOf } from './token-calls.ts';

/** Where Multicall3 is on every chain that has it. */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** aggregate3((address target, bool allowFailure, bytes callData)[]) */
const AGGREGATE3 = '0x82ad56cb';
const WORD = 32;

/**
 * Many calls as one, each allowed to fail by itself. By hand, because viem takes a millisecond for
 * a hundred calls, and fifty such parts are made in one go.
 */
export function aggregateOf(calls: readonly TokenCall[]): Hex {
  const tuples = calls.map(tupleOf);
  let offset = calls.length * WORD;
  let offsets = '';
  for (const tuple of tuples) {
    offsets += wordOf(offset);
    offset += tuple.length / 2;
  }
  return `${AGGREGATE3}${wordOf(WORD)}${wordOf(calls.length)}${offsets}${tuples.join('')}`;
}

const ALLOW_FAILURE = wordOf(1);
/** The call's own data begin behind the target, the flag and this word. */
const DATA_AT = wordOf(3 * WORD);

function tupleOf({ to, data }: TokenCall): string {
  const digits = data.slice(2);
  const whole = Math.ceil(digits.length / (2 * WORD)) * 2 * WORD;
  const length = wordOf(digits.length / 2);
  return `${wordOf(to)}${ALLOW_FAILURE}${DATA_AT}${length}${digits.padEnd(whole, '0')}`;
}

/** What each of the calls came to. */
export function aggregated(
  answer: Hex,
  count: number,
): readonly { success: boolean; returnData: Hex }[] {
  let answers: readonly { success: boolean; returnData: Hex }[];
  try {
    answers = decodeFunctionResult({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      data: answer,
    });
  } catch (error) {
    throw new BadAnswer('what a multicall returned makes no sense', { cause: error });
  }
  if (answers.length !== count) throw new BadAnswer('a multicall has another number of answers');
  return answers;
}
