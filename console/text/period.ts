import type { Activity, Transaction } from '@realmkeep/client';
import { DAY_MS, type Figure } from './format.ts';

type Day = Activity['days'][number];

/** What a period adds up to, and the one before it. */
export interface Compared {
  value: Figure;
  before: Figure;
}

export const sumOf = (days: readonly Day[], name: 'issued' | 'spent'): bigint =>
  days.reduce((sum, day) => sum + BigInt(day[name]), 0n);

export interface Week {
  /** Its Monday. */
  from: number;
  newMembers: number;
  returningMembers: number;
}

/** How many days it is since the Monday of so many weeks, the last of which is not over yet. */
export const daysOfWeeks = (weeks: number, now: number): number =>
  7 * (weeks - 1) + ((new Date(now).getUTCDay() + 6) % 7) + 1;

/** The weeks of days that begin on a Monday. */
export const weeksOf = (days: readonly Day[]): Week[] =>
  Array.from({ length: Math.ceil(days.length / 7) }, (_, index) => {
    const own = days.slice(7 * index, 7 * index + 7);
    return {
      from: Date.parse(own[0]?.day ?? ''),
      newMembers: own.reduce((sum, { newMembers }) => sum + newMembers, 0),
      returningMembers: own.reduce((sum, { returningMembers }) => sum + returningMembers, 0),
    };
  });

export interface Reason {
  description: string | null;
  tokens: bigint;
}

const ISSUING = ['points.added', 'offer.claimed', 'claim.rejected'];
const SPENDING = ['points.subtracted', 'points.captured', 'offer.claimed', 'claim.rejected'];

/** What most points were issued or spent for, without what was undone or went to a member. */
export function topReasons(movements: readonly Transaction[], isSpent: boolean): Reason[] {
  const reasons = new Map<string | null, bigint>();
  for (const { type, description, tokens, reversedTokens, counterpartyId } of movements) {
    // Of what is rejected, the opposite was done before.
    const isBack = type === 'claim.rejected';
    const isCounted = tokens < 0 === (isSpent !== isBack) && counterpartyId === null;
    if (!isCounted || !(isSpent ? SPENDING : ISSUING).includes(type)) continue;
    const left = BigInt(Math.abs(tokens) - reversedTokens) * (isBack ? -1n : 1n);
    reasons.set(description, (reasons.get(description) ?? 0n) + left);
  }
  return Array.from(reasons, ([description, tokens]) => ({ description, tokens }))
    .filter(({ tokens }) => tokens > 0n)
    .sort((a, b) => Number(b.tokens - a.tokens))
    .slice(0, SHOWN);
}

const SHOWN = 4;

/** The last instant of the period before one of so many days that ends now. */
export const endBefore = (days: number, now: number): Date => new Date(now - days * DAY_MS);
