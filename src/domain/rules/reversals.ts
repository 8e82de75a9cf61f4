import type { CommandOf, PointsReversed } from '../commands.ts';
import type { PointKind } from '../model.ts';
import type { Movement } from '../records.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { changeBalance, refuseFrozen, refuseOverdraft } from './points.ts';
import { type Posting, postingsOf } from './postings.ts';

/** Reverses a movement in full or in part; over several reversals, never more than it moved. */
export function reversePoints(books: Books, command: CommandOf<'points.reverse'>): PointsReversed {
  const { transactionId, force, description } = command;
  const original = books.movementAt(transactionId);
  if (!original) throw new Refused('transaction-not-found', { transactionId });
  const postings = postingsOf(original);
  for (const { memberId } of postings) books.requireMember(memberId);
  if (original.type === 'points.reversed') throw new Refused('not-reversible', { transactionId });
  const tokens = tokensToReverse(books, original, command.tokens);
  for (const { memberId } of postings) refuseFrozen(books, memberId);
  const kind = books.kind(original.data.realmPointId);
  // Debits first, so that a member who cannot return the points is the one reported.
  const balances = new Map<string, number>();
  for (const posting of postings.toSorted((a, b) => b.tokens - a.tokens)) {
    balances.set(posting.memberId, reversePosting(books, posting, kind, tokens, force));
  }
  const { memberId } = original.data;
  const recipient = postings[1];
  const data = {
    reversalOf: transactionId,
    reversedType: original.type,
    memberId,
    tokens,
    realmPointId: kind.id,
    newBalance: balances.get(memberId) ?? 0,
    ...(recipient && {
      recipientId: recipient.memberId,
      recipientBalance: balances.get(recipient.memberId) ?? 0,
    }),
    ...(description !== null && { description }),
  };
  const seq = books.record('points.reversed', data);
  const before = books.reversals.get(String(transactionId))?.tokens ?? 0;
  books.reversals.set(String(transactionId), {
    seq: transactionId,
    tokens: before + tokens,
    by: seq,
  });
  const { reversedType: _, description: __, ...answer } = data;
  return { transactionId: seq, ...answer };
}

/** How much to reverse: what is requested, or all that has not been reversed yet. */
function tokensToReverse(books: Books, { seq, data }: Movement, tokens: number | null): number {
  const remaining = data.tokens - (books.reversals.get(String(seq))?.tokens ?? 0);
  const requested = tokens ?? remaining;
  if (requested > remaining || remaining === 0) {
    throw new Refused('reversal-exceeded', { transactionId: seq, remaining, requested });
  }
  return requested;
}

/**
 * Points that the member has spent since cannot be taken back, except by force, and even then not
 * below the minimum balance of their kind.
 */
function reversePosting(
  books: Books,
  { memberId, tokens: moved }: Posting,
  kind: PointKind,
  tokens: number,
  force: boolean,
): number {
  if (moved < 0) return changeBalance(books, memberId, kind, tokens);
  const floor = force ? kind.minimumBalance : Math.max(0, kind.minimumBalance);
  refuseOverdraft(books, memberId, kind, tokens, floor);
  return changeBalance(books, memberId, kind, -tokens);
}
