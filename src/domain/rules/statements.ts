import type { Reversal } from '../facts.ts';
import type { MovementType } from '../records.ts';
import type { JournalRecord } from './journal.ts';
import { movementOf, type Posting, postingsOf } from './postings.ts';

/** A movement of points from the perspective of one member. */
export interface Transaction {
  transactionId: number;
  at: number;
  type: MovementType;
  memberId: string;
  /** Signed: positive for a credit. */
  tokens: number;
  /** The member's balance after it. */
  balance: number;
  counterpartyId: string | null;
  description: string | null;
  realmPointId: string;
  actor: string;
  reversalOf: number | null;
  reversedBy: number | null;
  reversedTokens: number;
}

/** A record as a transaction of one of its members, by default the one in `memberId`. */
export function transactionOf(
  record: Omit<JournalRecord, 'hash'>,
  reversal: Reversal | undefined,
  memberId?: string,
): Transaction | null {
  const movement = movementOf(record);
  if (!movement) return null;
  const { type, data } = movement;
  const postings = postingsOf(movement);
  const isMine = (posting: Posting) => posting.memberId === (memberId ?? data.memberId);
  const mine = postings.find(isMine);
  if (!mine) return null;
  return {
    transactionId: record.seq,
    at: record.at,
    type,
    memberId: mine.memberId,
    tokens: mine.tokens,
    balance: mine.balance,
    counterpartyId: postings.find((posting) => !isMine(posting))?.memberId ?? null,
    description: data.description ?? null,
    realmPointId: mine.realmPointId,
    actor: record.actor,
    reversalOf: type === 'points.reversed' ? data.reversalOf : null,
    reversedBy: reversal?.by ?? null,
    reversedTokens: reversal?.tokens ?? 0,
  };
}
