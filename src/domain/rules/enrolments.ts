import type {
  CommandOf,
  Enrolment,
  EnrolmentOutcome,
  Opened,
  OpeningBalance,
} from '../commands.ts';
import { executeEach } from './batches.ts';
import type { Books } from './books.ts';
import { addMember } from './members.ts';
import { changeBalance, refuseBelowFloor, refuseTooMany } from './points.ts';
import type { Steps } from './steps.ts';

/** Enrols many members, with the points that they bring along. */
export function enrolMany(
  books: Books,
  { atomic, description, members }: CommandOf<'member.batch'>,
): Steps<EnrolmentOutcome[]> {
  return executeEach<Enrolment, EnrolmentOutcome>(
    books,
    { atomic, list: 'members' },
    members,
    (enrolment) => {
      const { id } = addMember(books, enrolment);
      const opened = enrolment.balances.flatMap((one) => open(books, id, one, description) ?? []);
      return { memberId: id, opened };
    },
    ({ memberId }, refusal) => ({ memberId, refusal }),
  );
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
