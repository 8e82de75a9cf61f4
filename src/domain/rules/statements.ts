import type { Reversal } from '../facts.ts';
import { movementOf, type Posting, postingsOf } from '../records.ts';
import { instantOf, type JournalRecord } from './journal.ts';
import { jsonBytes } from './pages.ts';

/** A movement of points from the perspective of one member. */
export interface Transaction extends Omit<Posting, 'seq'> {
  transactionId: number;
  at: number;
  counterpartyId: string | null;
  /** Of the counterparty, afterwards. */
  counterpartyBalance: number | null;
  description: string | null;
  /** Whether it had a description that was erased. */
  erased?: true;
  actor: string;
  reversalOf: number | null;
  reversedBy: number | null;
  reversedTokens: number;
}

export interface StatementPage {
  rows: Transaction[];
  /** The next page has what is before this `seq`; null after the last one. */
  next: number | null;
}

/**
 * The entries of a member that a page of one type looks through at most, over all kinds of points.
 * It then ends, perhaps without a row: an index by type would cost every write.
 */
const MAX_ENTRIES = 10_000;

/**
 * How many entries to look through at first and, if these do not fill the page, in all. The first
 * are enough if one in ten is of the type, so that a page of a common type is as fast as any.
 */
export const scanBudgets = (limit: number): number[] => [
  Math.min(10 * (limit + 1), MAX_ENTRIES),
  MAX_ENTRIES,
];

/** About the size of a transaction. Nothing but the texts of its record can be large. */
export const transactionBytes = (data: string, personal: string | null): number =>
  256 + jsonBytes(data) + jsonBytes(personal);

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
  const isMine = (each: Posting) => each.memberId === (memberId ?? data.memberId);
  const mine = postings.find(isMine);
  if (!mine) return null;
  const theirs = postings.find((each) => !isMine(each));
  return {
    transactionId: mine.seq,
    at: instantOf(record.at, data),
    type,
    memberId: mine.memberId,
    tokens: mine.tokens,
    balance: mine.balance,
    realmPointId: mine.realmPointId,
    counterpartyId: theirs?.memberId ?? null,
    counterpartyBalance: theirs?.balance ?? null,
    description: data.description ?? null,
    ...(data.erased && { erased: data.erased }),
    actor: record.actor,
    reversalOf: type === 'points.reversed' ? data.reversalOf : null,
    reversedBy: reversal?.by ?? null,
    reversedTokens: reversal?.tokens ?? 0,
  };
}
