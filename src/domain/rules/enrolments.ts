import type {
  CommandOf,
  Enrolment,
  EnrolmentOutcome,
  Opened,
  OpeningBalance,
} from '../commands.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { addMember, setStatus } from './members.ts';
import {
  changeBalance,
  executeEach,
  refuseFrozen,
  refuseOverdraft,
  refuseTooMany,
} from './points.ts';
import { rollBack } from './tables.ts';

export function enrolMany(
  books: Books,
  { atomic, description, members, opensPresent, isImport, isDryRun }: CommandOf<'member.batch'>,
): EnrolmentOutcome[] {
  const before = books.undo.length;
  const outcomes = executeEach<Enrolment, EnrolmentOutcome>(
    books,
    { atomic, list: 'members' },
    members,
    (enrolment) => {
      const { memberId } = enrolment;
      if (isImport) refuseRemoved(books, memberId);
      if (opensPresent && memberId !== null && books.isPresent(memberId)) {
        return openPresent(books, memberId, enrolment.balances, description);
      }
      const member = addMember(books, enrolment);
      const { id } = member;
      const opened = enrolment.balances.flatMap((one) => open(books, id, one, description) ?? []);
      if (enrolment.status === 'frozen') setStatus(books, member, 'frozen');
      return { memberId: id, opened };
    },
    ({ memberId }, refusal) => ({ memberId, refusal }),
  );
  if (isDryRun) rollBack(books.undo, before);
  return outcomes;
}

/** A file that is imported again would bring back who has left since, with the opening balance. */
function refuseRemoved(books: Books, memberId: string | null): void {
  if (memberId !== null && books.status(memberId) === 'removed') {
    throw new Refused('member-exists', { memberId, status: 'removed' });
  }
}

/** Of kinds of points that have never moved: what has moved may have been opened before. */
function openPresent(
  books: Books,
  memberId: string,
  balances: readonly OpeningBalance[],
  description: string | null,
): EnrolmentOutcome {
  const unmoved = balances.filter(
    ({ realmPointId, tokens }) =>
      tokens !== 0 && books.balances.movedAt(memberId, realmPointId) === null,
  );
  if (unmoved.length === 0) throw new Refused('member-exists', { memberId });
  refuseFrozen(books, memberId);
  const opened = unmoved.flatMap((one) => open(books, memberId, one, description) ?? []);
  return { memberId, opened, wasPresent: true };
}

/** The opening balance of a member, which may be a debt; null if there is nothing to record. */
function open(
  books: Books,
  memberId: string,
  { realmPointId, tokens }: OpeningBalance,
  description: string | null,
): Opened | null {
  if (tokens === 0) {
    books.kind(realmPointId);
    return null;
  }
  const kind = books.movableKind(realmPointId);
  refuseTooMany(books, tokens);
  if (tokens < 0) refuseOverdraft(books, memberId, kind, -tokens);
  const newBalance = changeBalance(books, memberId, kind, tokens, false);
  const transactionId = books.record('points.opened', {
    memberId,
    tokens,
    realmPointId,
    newBalance,
    ...(description !== null && { description }),
  });
  return { transactionId, realmPointId, newBalance };
}
