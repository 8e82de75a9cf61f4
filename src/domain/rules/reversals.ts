import type { CommandOf, PointsReversed } from '../commands.ts';
import type { PointKind } from '../model.ts';
import type { Movement } from '../records.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { insufficiency, refuseFrozen, shift } from './movement.ts';
import { type Posting, postingsOf } from './postings.ts';

/**
 * Gives back what a transaction moved, whole or in part, never more than it moved. Each reversal
 * names its original, and the original counts what was given back.
 */
export function reversePoints(books: Books, command: CommandOf<'points.reverse'>): PointsReversed {
  const { transactionId, force, description } = command;
  const original = books.movementAt(transactionId);
  if (!original) throw new Refused('transaction-not-found', { transactionId });
  const postings = postingsOf(original);
  for (const { memberId } of postings) {
    if (!books.isPresent(memberId)) throw new Refused('member-not-found', { memberId });
  }
  if (original.type === 'points.reversed') throw new Refused('not-reversible', { transactionId });
  const tokens = tokensLeft(books, original, command.tokens);
  for (const { memberId } of postings) refuseFrozen(books, memberId);
  const kind = books.kind(original.data.realmPointId);
  // Takers first, so that a member who can't give the points back stops the whole.
  const balances = new Map<string, number>();
  for (const posting of postings.toSorted((a, b) => b.tokens - a.tokens)) {
    balances.set(posting.memberId, giveBack(books, posting, kind, tokens, force));
  }
  const [member, recipient] = postings;
  const data = {
    reversalOf: transactionId,
    reversedType: original.type,
    memberId: member?.memberId ?? '',
    tokens,
    realmPointId: kind.id,
    newBalance: balances.get(member?.memberId ?? '') ?? 0,
    ...(recipient && {
      recipientId: recipient.memberId,
      recipientBalance: balances.get(recipient.memberId) ?? 0,
    }),
    ...(description !== null && { description }),
  };
  const seq = books.record('points.reversed', data);
  const before = books.reversed.get(String(transactionId))?.tokens ?? 0;
  const total = { seq: transactionId, tokens: before + tokens, by: seq };
  books.reversed.set(String(transactionId), total);
  const { reversedType: _, description: __, ...answer } = data;
  return { transactionId: seq, ...answer };
}

function tokensLeft(books: Books, { seq, data }: Movement, asked: number | null): number {
  const done = books.reversed.get(String(seq))?.tokens ?? 0;
  const remaining = data.tokens - done;
  const requested = asked ?? remaining;
  if (requested > remaining || remaining === 0) {
    throw new Refused('reversal-exceeded', { transactionId: seq, remaining, requested });
  }
  return requested;
}

/**
 * Undoes one side. Points that were spent since can't be taken back, except by force, and then
 * down to the floor of their kind and no further.
 */
function giveBack(
  books: Books,
  { memberId, tokens: moved }: Posting,
  kind: PointKind,
  tokens: number,
  force: boolean,
): number {
  if (moved < 0) return shift(books, memberId, kind, tokens);
  const floor = force ? kind.minimumBalance : Math.max(0, kind.minimumBalance);
  if (books.available(memberId, kind.id) - tokens < floor) {
    throw new Refused('insufficient-points', insufficiency(books, memberId, kind, tokens));
  }
  return shift(books, memberId, kind, -tokens);
}
