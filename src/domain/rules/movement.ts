import type { PointKind } from '../model.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';

/** Only an id that was never a member is enrolled by a credit: a removed member stays removed. */
export function canEnrol(books: Books, memberId: string): boolean {
  return books.realm.settings.autoEnroll && books.status(memberId) === undefined;
}

export function refuseTooMany(books: Books, tokens: number): void {
  const limit = books.realm.settings.maxTokensPerRequest;
  if (limit !== null && Math.abs(tokens) > limit) {
    throw new Refused('too-many-tokens', { limit, requested: Math.abs(tokens) });
  }
}

export function refuseFrozen(books: Books, memberId: string): void {
  if (books.status(memberId) === 'frozen') {
    throw new Refused('member-frozen', { memberId });
  }
}

/** Changes one balance within its bounds and returns the new one. What is held is not spent. */
export function move(books: Books, memberId: string, kind: PointKind, tokens: number): number {
  if (tokens < 0 && books.available(memberId, kind.id) + tokens < kind.minimumBalance) {
    throw new Refused('insufficient-points', insufficiency(books, memberId, kind, -tokens));
  }
  return shift(books, memberId, kind, tokens);
}

/** Changes one balance by what a hold has already set aside, or by what comes in. */
export function shift(books: Books, memberId: string, kind: PointKind, tokens: number): number {
  const balance = books.balance(memberId, kind.id);
  const next = balance + tokens;
  if (tokens > 0 && next > kind.maximumBalance) {
    throw new Refused('balance-limit', { memberId, balance, limit: kind.maximumBalance });
  }
  books.setBalance(memberId, kind.id, next);
  return next;
}

/** What the caller may know of a balance that is too small; `held` where that is the cause. */
export function insufficiency(books: Books, memberId: string, kind: PointKind, requested: number) {
  const balance = books.balance(memberId, kind.id);
  const held = balance - books.available(memberId, kind.id);
  return { memberId, balance, requested, ...(held > 0 && { held }) };
}
