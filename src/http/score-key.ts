import { isParameter } from '../contract/validation.ts';

/** The place of a member in a list that is sorted by a number. */
interface ScoreKey {
  score: number;
  memberId: string;
}

const isMemberId = isParameter('memberID');
const FORM = /^(0|-?[1-9]\d{0,15}):(\d+)$/;

export const scoreKeyText = ({ score, memberId }: ScoreKey): string => `${score}:${memberId}`;

/** Null if the text is no such key. */
export function scoreKeyIn(text: string): ScoreKey | null {
  const [, score, memberId = ''] = FORM.exec(text) ?? [];
  const isKey = Number.isSafeInteger(Number(score)) && isMemberId(memberId);
  return isKey ? { score: Number(score), memberId } : null;
}
