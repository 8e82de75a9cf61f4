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
import { changeBalance, executeEach, refuseBelowFloor, refuseTooMany } from './points.ts';
import { rollBack } from './tables.ts';

export function enrolMany(
  books: Books,
  { atomic, description, members, isImport, isDryRun }: CommandOf<'member.batch'>,
): EnrolmentOutcome[] {
  const before = books.undo.length;
  const outcomes = executeEach<Enrolment, EnrolmentOutcome>(
    books,
    { atomic, list: 'members' },
    members,
    (enrolment) => {
      if (isImport) refuseRemoved(books, enrolment.memberId);
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

/** The opening balance of a new member, which may be a debt; null if there is nothing to record. */
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
  if (tokens < 0) refuseBelowFloor(books, memberId, kind, -tokens);
  const newBalance = changeBalance(books, memberId, kind, tokens);
  const transactionId = books.record('points.opened', {
    memberId,
    tokens,
    realmPointId,
    newBalance,
    ...(description !== null && { description }),
  });
  return { transactionId, realmPointId, newBalance };
}
