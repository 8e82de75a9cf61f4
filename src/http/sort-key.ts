import { isParameter } from '../contract/validation.ts';
import type { NameKey, SortKey } from '../domain/queries.ts';

const isMemberId = isParameter('memberID');
const SCORE_FORM = /^(0|-?[1-9]\d{0,15}):(\d+)$/;
const NAME_FORM = /^(\d+):([^\0]*)$/;

/** The place of a member in a sorted list, as a cursor has it. */
export const sortKeyText = (key: SortKey | NameKey): string =>
  'name' in key ? `${key.memberId}:${key.name}` : `${key.score}:${key.memberId}`;

/** Null if the text is no such key. */
export function scoreKeyIn(text: string): SortKey | null {
  const [, score, memberId = ''] = SCORE_FORM.exec(text) ?? [];
  const isKey = Number.isSafeInteger(Number(score)) && isMemberId(memberId);
  return isKey ? { score: Number(score), memberId } : null;
}

/** The same of a list that is sorted by names. */
export function nameKeyIn(text: string): NameKey | null {
  const [, memberId = '', name = ''] = NAME_FORM.exec(text) ?? [];
  return isMemberId(memberId) ? { name, memberId } : null;
}
