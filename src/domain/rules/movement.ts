import type { PointKind } from '../model.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';

/** A credit enrols only an id that was never a member's: a removed member stays removed. */
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
  if (books.status(memberId) === 'frozen') throw new Refused('member-frozen', { memberId });
}

/** Refuses to pass points between members where the realm or the kind does not allow it. */
export function refuseTransfer(
  books: Books,
  memberId: string,
  recipientId: string,
  kind: PointKind,
): void {
  if (memberId === recipientId) throw new Refused('self-transfer', { memberId });
  if (!books.realm.settings.transfers) throw new Refused('transfers-disabled');
  if (!kind.isTransferable) throw new Refused('not-transferable', { realmPointId: kind.id });
}

/** Refuses to spend points that are held, or that would take the balance below the floor. */
export function refuseOverdraft(
  books: Books,
  memberId: string,
  kind: PointKind,
  tokens: number,
  floor = kind.minimumBalance,
): void {
  const available = books.available(memberId, kind.id);
  if (available - tokens >= floor) return;
  const balance = books.balance(memberId, kind.id);
  const held = balance - available;
  const extra = { memberId, balance, requested: tokens, ...(held > 0 && { held }) };
  throw new Refused('insufficient-points', extra);
}

/** Adds to a balance, or subtracts where `tokens` is negative, and returns the new balance. */
export function changeBalance(
  books: Books,
  memberId: string,
  kind: PointKind,
  tokens: number,
): number {
  const balance = books.balance(memberId, kind.id);
  const next = balance + tokens;
  if (tokens > 0 && next > kind.maximumBalance) {
    throw new Refused('balance-limit', { memberId, balance, limit: kind.maximumBalance });
  }
  books.setBalance(memberId, kind.id, next);
  return next;
}
