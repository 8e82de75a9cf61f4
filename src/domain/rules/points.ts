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
import { canEnrol, move, refuseFrozen, refuseTooMany } from './movement.ts';

/** Adds points to a member, or takes them away where `tokens` is negative. */
export function changePoints(books: Books, entry: PointsEntry): PointsChanged {
  const { memberId, tokens, description } = entry;
  const known = books.isPresent(memberId);
  const mayEnrol = tokens > 0 && canEnrol(books, memberId);
  if (!known && !mayEnrol) throw new Refused('member-not-found', { memberId });
  const kind = books.kind(entry.realmPointId);
  refuseTooMany(books, tokens);
  if (!known) enrol(books, memberId, {});
  refuseFrozen(books, memberId);
  const newBalance = move(books, memberId, kind, tokens);
  const data = {
    memberId,
    tokens: Math.abs(tokens),
    realmPointId: kind.id,
    newBalance,
    ...(description !== null && { description }),
  };
  const seq = books.record(tokens > 0 ? 'points.added' : 'points.subtracted', data);
  return changedReceipt(seq, data);
}

/** Moves points from one member to another: both sides or neither. */
export function transferPoints(
  books: Books,
  command: CommandOf<'points.transfer'>,
): PointsTransferred {
  const { memberId, recipientId, tokens, description } = command;
  if (!books.isPresent(memberId)) throw new Refused('member-not-found', { memberId });
  const recipientKnown = books.isPresent(recipientId);
  if (!recipientKnown && !canEnrol(books, recipientId)) {
    throw new Refused('recipient-not-found', { recipientId });
  }
  const kind = books.kind(command.realmPointId);
  if (memberId === recipientId) throw new Refused('self-transfer', { memberId });
  if (!books.realm.settings.transfers) throw new Refused('transfers-disabled');
  if (!kind.isTransferable) throw new Refused('not-transferable', { realmPointId: kind.id });
  refuseTooMany(books, tokens);
  if (!recipientKnown) enrol(books, recipientId, {});
  refuseFrozen(books, memberId);
  refuseFrozen(books, recipientId);
  const data = {
    memberId,
    recipientId,
    tokens,
    realmPointId: kind.id,
    senderBalance: move(books, memberId, kind, -tokens),
    recipientBalance: move(books, recipientId, kind, tokens),
    ...(description !== null && { description }),
  };
  return transferredReceipt(books.record('points.transferred', data), data);
}

/** Many changes in one: all or none when atomic, otherwise each on its own. */
export function changeMany(books: Books, command: CommandOf<'points.batch'>): BatchEntryOutcome[] {
  return command.entries.map((entry, index) => {
    const mark = books.undo.mark();
    try {
      const { memberId, newBalance, transactionId } = changePoints(books, entry);
      return { memberId, newBalance, transactionId };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { code, extra } = error.refusal;
      if (command.atomic) throw new Refused(code, extra, `/entries/${index}`);
      books.undo.takeBack(mark);
      return { memberId: entry.memberId, refusal: error.refusal };
    }
  });
}

/** The answer to a change of points: its record has all of it. */
export function changedReceipt(
  transactionId: number,
  { memberId, realmPointId, newBalance }: Records['points.added'],
): PointsChanged {
  return { transactionId, memberId, realmPointId, newBalance };
}

/** The answer to a transfer: its record has all of it. */
export function transferredReceipt(
  transactionId: number,
  { description: _, ...answer }: Records['points.transferred'],
): PointsTransferred {
  return { transactionId, ...answer };
}
