/** One side of a movement of points: the journal's arithmetic, from which every balance follows. */
export interface Posting {
  seq: number;
  type: string;
  memberId: string;
  realmPointId: string;
  tokens: number;
  /** The balance after it. */
  balance: number;
}

interface Movement {
  memberId: string;
  recipientId?: string;
  tokens: number;
  realmPointId: string;
  newBalance?: number;
  senderBalance?: number;
  recipientBalance?: number;
  reversedType?: string;
}

/** Which way a record of this type moves the points of its `memberId`; 0 where it moves none. */
function direction(type: string, reversedType: string | undefined): number {
  switch (type) {
    case 'points.added':
      return 1;
    case 'points.subtracted':
    case 'points.transferred':
    case 'points.captured':
      return -1;
    case 'points.reversed':
      return -direction(reversedType ?? '', undefined);
    default:
      return 0;
  }
}

/** The types of records that move points, in the words of the feed. */
export const MOVING_TYPES: readonly string[] = [
  'points.added',
  'points.subtracted',
  'points.transferred',
  'points.captured',
  'points.reversed',
];

/**
 * What a record does to balances. The member's side carries the direction of the type, the
 * recipient's, if there is one, the opposite.
 */
export function postingsOf(seq: number, type: string, data: unknown): Posting[] {
  const movement = data as Movement;
  const sign = direction(type, movement.reversedType);
  if (sign === 0) return [];
  const { memberId, recipientId, tokens, realmPointId } = movement;
  const balance = movement.newBalance ?? movement.senderBalance ?? 0;
  const postings = [{ seq, type, memberId, realmPointId, tokens: sign * tokens, balance }];
  if (recipientId !== undefined) {
    const theirs = movement.recipientBalance ?? 0;
    postings.push({
      seq,
      type,
      memberId: recipientId,
      realmPointId,
      tokens: -sign * tokens,
      balance: theirs,
    });
  }
  return postings;
}

/** The members whose balances a record speaks of. */
export function membersOf(data: unknown): string[] {
  const { memberId, recipientId } = data as Partial<Movement>;
  return [memberId, recipientId].filter((id) => id !== undefined);
}
