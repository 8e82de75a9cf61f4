import type {
  BatchEntryOutcome,
  CommandOf,
  PointsChanged,
  PointsEntry,
  PointsTransferred,
} from '../commands.ts';
import type { Records } from '../records.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { enrol } from './members.ts';
import {
  canEnrol,
  changeBalance,
  refuseFrozen,
  refuseOverdraft,
  refuseTooMany,
  refuseTransfer,
} from './movement.ts';

/** Credits points to a member, or debits them where `tokens` is negative. */
export function changePoints(books: Books, entry: PointsEntry): PointsChanged {
  const { memberId, tokens, description } = entry;
  const isNew = tokens > 0 && canEnrol(books, memberId);
  if (!isNew) books.requireMember(memberId);
  const kind = books.kind(entry.realmPointId);
  refuseTooMany(books, tokens);
  if (isNew) enrol(books, memberId, {});
  refuseFrozen(books, memberId);
  if (tokens < 0) refuseOverdraft(books, memberId, kind, -tokens);
  const data = {
    memberId,
    tokens: Math.abs(tokens),
    realmPointId: kind.id,
    newBalance: changeBalance(books, memberId, kind, tokens),
    ...(description !== null && { description }),
  };
  const seq = books.record(tokens > 0 ? 'points.added' : 'points.subtracted', data);
  return changeAnswer(seq, data);
}

export function transferPoints(
  books: Books,
  command: CommandOf<'points.transfer'>,
): PointsTransferred {
  const { memberId, recipientId, tokens, description } = command;
  books.requireMember(memberId);
  const isNew = canEnrol(books, recipientId);
  if (!isNew) books.requireRecipient(recipientId);
  const kind = books.kind(command.realmPointId);
  refuseTransfer(books, memberId, recipientId, kind);
  refuseTooMany(books, tokens);
  if (isNew) enrol(books, recipientId, {});
  refuseFrozen(books, memberId);
  refuseFrozen(books, recipientId);
  refuseOverdraft(books, memberId, kind, tokens);
  const data = {
    memberId,
    recipientId,
    tokens,
    realmPointId: kind.id,
    senderBalance: changeBalance(books, memberId, kind, -tokens),
    recipientBalance: changeBalance(books, recipientId, kind, tokens),
    ...(description !== null && { description }),
  };
  return transferAnswer(books.record('points.transferred', data), data);
}

/** Many changes at once: all or none if `atomic`, otherwise each on its own. */
export function changeMany(books: Books, command: CommandOf<'points.batch'>): BatchEntryOutcome[] {
  return command.entries.map((entry, index) => {
    const savepoint = books.undo.savepoint();
    try {
      const { memberId, newBalance, transactionId } = changePoints(books, entry);
      return { memberId, newBalance, transactionId };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { code, extra } = error.refusal;
      if (command.atomic) throw new Refused(code, extra, `/entries/${index}`);
      books.undo.rollBack(savepoint);
      return { memberId: entry.memberId, refusal: error.refusal };
    }
  });
}

/** The answer to a change of points, from its record. */
export function changeAnswer(
  transactionId: number,
  { memberId, realmPointId, newBalance }: Records['points.added'],
): PointsChanged {
  return { transactionId, memberId, realmPointId, newBalance };
}

/** The answer to a transfer, from its record. */
export function transferAnswer(
  transactionId: number,
  { description: _, ...answer }: Records['points.transferred'],
): PointsTransferred {
  return { transactionId, ...answer };
}
