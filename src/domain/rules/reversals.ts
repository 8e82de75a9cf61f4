import type { CommandOf, PointsReversed } from '../commands.ts';
import type { PointKind } from '../model.ts';
import { isClaim, type PointsMovement, type Posting, postingsOf } from '../movements.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { memberState } from './naming.ts';
import { changeBalance, refuseFrozen, refuseOverdraft, remarksOf } from './points.ts';

/** Reverses a movement in full or in part; over several reversals, never more than it moved. */
export function reversePoints(books: Books, command: CommandOf<'points.reverse'>): PointsReversed {
  const { transactionId, force } = command;
  const original = books.movementAt(transactionId);
  if (!original) throw new Refused('transaction-not-found', { transactionId });
  if (isClaim(original)) {
    const claimStatus = books.claims.get(String(transactionId))?.status;
    throw new Refused('not-reversible', { transactionId, claimStatus });
  }
  const postings = postingsOf(original);
  for (const { memberId } of postings) refuseGone(books, memberId, transactionId);
  if (original.type === 'points.reversed') throw new Refused('not-reversible', { transactionId });
  const reversed = books.reversals.get(String(transactionId))?.tokens ?? 0;
  const remaining = Math.abs(original.data.tokens) - reversed;
  const tokens = command.tokens ?? remaining;
  if (tokens > remaining || remaining === 0) {
    throw new Refused('reversal-exceeded', { transactionId, remaining, requested: tokens });
  }
  for (const { memberId } of postings) refuseFrozen(books, memberId);
  const kind = books.movableKind(original.data.realmPointId);
  // Debits first, so that a member who cannot return the points is the one reported.
  const balances = new Map<string, number>();
  for (const posting of postings.toSorted((a, b) => b.tokens - a.tokens)) {
    balances.set(posting.memberId, reversePosting(books, posting, kind, tokens, force));
  }
  const { memberId } = original.data;
  const recipient = postings[1];
  const answer = {
    reversalOf: transactionId,
    memberId,
    tokens,
    realmPointId: kind.id,
    newBalance: balances.get(memberId) ?? 0,
    ...(recipient && {
      recipientId: recipient.memberId,
      recipientBalance: balances.get(recipient.memberId) ?? 0,
    }),
  };
  const seq = books.record('points.reversed', {
    ...answer,
    ...originalIn(original),
    // Signed as the original, since an opening balance may be negative.
    tokens: Math.sign(original.data.tokens) * tokens,
    ...remarksOf(command),
  });
  const reversal = { seq: transactionId, tokens: reversed + tokens, by: seq };
  books.reversals.set(String(transactionId), reversal);
  return { transactionId: seq, ...answer };
}

/** What the record of a reversal says of its original, so that who reads it need not look it up. */
function originalIn<T extends PointsMovement['type']>({
  type,
  data,
}: {
  type: T;
  data: PointsMovement['data'];
}) {
  const { tokens: originalTokens, description: originalDescription } = data;
  const described = originalDescription !== undefined && { originalDescription };
  return { reversedType: type, originalTokens, ...described };
}

/** Nobody who has left is to be enrolled again for the sake of a reversal. */
export function refuseGone(
  books: Books,
  memberId: string,
  transactionId: number,
  reason = `transaction ${transactionId} cannot be reversed`,
): void {
  const state = memberState(books, memberId);
  if (state && state.status !== 'removed') return;
  const memberStatus = state?.isErased ? 'erased' : 'removed';
  throw new Refused('member-not-found', { memberId, memberStatus, transactionId, reason });
}

/** What was spent since is taken back only by force, and not below the minimum balance. */
function reversePosting(
  books: Books,
  { memberId, tokens: moved }: Posting,
  kind: PointKind,
  tokens: number,
  force: boolean,
): number {
  if (moved < 0) return changeBalance(books, memberId, kind, tokens, false);
  const floor = force ? kind.minimumBalance : Math.max(0, kind.minimumBalance);
  refuseOverdraft(books, memberId, kind, tokens, floor);
  return changeBalance(books, memberId, kind, -tokens, false);
}
