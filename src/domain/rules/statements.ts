import type { Reversal } from '../facts.ts';
import type { Metadata, Remarks } from '../model.ts';
import { descriptionOf, movementOf, type Posting, postingsOf } from '../movements.ts';
import type { Records } from '../records.ts';
import { instantOf, type JournalRecord } from './journal.ts';
import { jsonBytes, type PageUpTo } from './pages.ts';

/** A movement of points from the perspective of one member. */
export interface Transaction extends Omit<Posting, 'seq'> {
  transactionId: number;
  at: number;
  counterpartyId: string | null;
  /** Of the counterparty, afterwards. */
  counterpartyBalance: number | null;
  description: string | null;
  reference?: string;
  metadata?: Metadata;
  /** Whether what was said of it, or for whom it was, was erased. */
  erased?: true;
  actor: string;
  onBehalfOf?: string;
  reversalOf: number | null;
  reversedBy: number | null;
  reversedTokens: number;
  /** Of a reversal: what the original moved, and its description. */
  originalTokens?: number;
  originalDescription?: string;
}

/** The next page has what is before the `seq` in `next`. */
export type StatementPage = PageUpTo<Transaction, number>;

/** A page of one type looks through so many entries: an index by type would cost every write. */
const MAX_ENTRIES = 10_000;

/** How many at first, which do if one in ten is of the type, and in all. */
export const scanBudgets = (limit: number): number[] => [
  Math.min(10 * (limit + 1), MAX_ENTRIES),
  MAX_ENTRIES,
];

/** About the size of a transaction. Nothing but the texts of its record can be large. */
export const transactionBytes = (data: string, personal: string | null): number =>
  256 + jsonBytes(data) + jsonBytes(personal);

/** Which postings of a record are shown: by default those of the member in `memberId`. */
export interface Side {
  memberId?: string | undefined;
  realmPointId?: string | null;
}

/** A record as the transactions of one of its members: of a claim, one for each kind of points. */
export function transactionsOf(
  record: Omit<JournalRecord, 'hash'>,
  reversal: Reversal | undefined,
  { memberId, realmPointId = null }: Side = {},
): Transaction[] {
  const movement = movementOf(record);
  if (!movement) return [];
  const { type, data } = movement;
  const { reference, metadata }: Remarks = data;
  const postings = postingsOf(movement);
  const isMine = (each: Posting) => each.memberId === (memberId ?? data.memberId);
  const theirs = postings.find((each) => !isMine(each));
  const isShown = (each: Posting) =>
    isMine(each) && (realmPointId === null || each.realmPointId === realmPointId);
  return postings.filter(isShown).map((mine) => ({
    transactionId: mine.seq,
    at: instantOf(record.at, data),
    type,
    memberId: mine.memberId,
    tokens: mine.tokens,
    balance: mine.balance,
    realmPointId: mine.realmPointId,
    counterpartyId: theirs?.memberId ?? null,
    counterpartyBalance: theirs?.balance ?? null,
    description: descriptionOf(movement),
    ...(reference !== undefined && { reference }),
    ...(metadata && { metadata }),
    ...(data.erased && { erased: data.erased }),
    actor: record.actor,
    ...(data.onBehalfOf !== undefined && { onBehalfOf: data.onBehalfOf }),
    reversalOf: type === 'points.reversed' ? data.reversalOf : null,
    reversedBy: reversal?.by ?? null,
    reversedTokens: reversal?.tokens ?? 0,
    ...(type === 'points.reversed' && originalIn(data)),
  }));
}

/** Without a part of the last record's: pages go on before a record. A larger one is whole. */
export function wholeRecords<Row extends { transactionId: number }>(
  rows: readonly Row[],
  limit: number,
): Row[] {
  const cut = rows[limit]?.transactionId;
  if (cut === undefined || cut !== rows[limit - 1]?.transactionId) return rows.slice(0, limit);
  const isFirst = cut === rows[0]?.transactionId;
  return rows.filter(({ transactionId }) =>
    isFirst ? transactionId === cut : transactionId > cut,
  );
}

const originalIn = ({ originalTokens, originalDescription }: Records['points.reversed']) => ({
  ...(originalTokens !== undefined && { originalTokens }),
  ...(originalDescription !== undefined && { originalDescription }),
});
