import type { Reversal } from '../../domain/facts.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { pageOf } from '../../domain/rules/pages.ts';
import {
  type Side,
  type StatementPage,
  transactionBytes,
  transactionsOf,
  wholeRecords,
} from '../../domain/rules/statements.ts';
import { textOf } from '../rows.ts';
import type { Text } from '../statement.ts';
import type { SqlValue } from '../table.ts';

/** A journal record, and what was reversed of it, if anything. */
export interface MovementRow {
  record: Omit<JournalRecord, 'hash'>;
  reversal: Reversal | undefined;
}

type MovementValues = [
  seq: number,
  type: string,
  at: number,
  actor: string,
  data: string,
  personal: string | null,
  personalHash: string | null,
  tokens: number,
  by: number | null,
];

export function movementRow(values: readonly SqlValue[]): MovementRow {
  const [seq, type, at, actor, data, personal, personalHash, tokens, by] = values as MovementValues;
  return {
    record: { seq, type, at, actor, data, personal, personalHash },
    reversal: by === null ? undefined : { seq, tokens, by },
  };
}

/**
 * The numbers of the newest rows of a table, which are in order within each source, such as a kind
 * of points or a type of its movements.
 */
export const newestSeqs =
  (sources: Text, table: string, condition: string): Text =>
  (dialect) =>
    `SELECT e.seq FROM ${textOf(dialect, sources)} ${dialect.newest(table, 'e', condition)}
     ORDER BY e.seq DESC LIMIT :limit`;

/** A source for each kind of points `p` and each of the types. */
export const kindsAndTypes =
  (kinds: string): Text =>
  ({ list }) =>
    `(SELECT p.realm_point_id, t.value AS type FROM point_kinds p
      CROSS JOIN ${list(':types', 'text', 't')} WHERE ${kinds}) source`;

/**
 * The movements with the numbers that a selection returns; the journal has the rest. Only the hash
 * of an erased text is of use.
 */
export const movementsAt = (seqs: Text): Text => {
  return (dialect) =>
    `SELECT e.seq, j.type, j.at, j.actor, j.data, j.personal, CASE WHEN j.personal IS NULL
         THEN nullif(${dialect.hex('j.personal_hash')}, '') END, r.tokens, r.by_seq
     FROM (${textOf(dialect, seqs)}) e
     ${dialect.each('journal', 'j', 'j.realm_id = :realmId AND j.seq = e.seq')}
     ${dialect.eachOrNone('reversals', 'r', 'r.realm_id = :realmId AND r.seq = e.seq')}`;
};

/**
 * Where all rows found are shown, the list goes on below `rest`, if anywhere. A record of several
 * kinds of points may have been found for each of them.
 */
export function pageOfTransactions(
  found: MovementRow[],
  limit: number,
  rest: number | null,
  side: Side = {},
): StatementPage {
  const records = new Map(found.map((row) => [row.record.seq, row]));
  const newest = [...records.values()].sort((a, b) => b.record.seq - a.record.seq);
  const bytesOf = ({ record }: MovementRow) => transactionBytes(record.data, record.personal);
  const page = pageOf(newest, limit, bytesOf);
  const transactions = page.rows.flatMap(({ record, reversal }) =>
    transactionsOf(record, reversal, side),
  );
  const rows = wholeRecords(transactions, limit);
  const hasMore = page.hasMore || rows.length < transactions.length || found.length > limit;
  const last = rows.at(-1)?.transactionId ?? page.rows.at(-1)?.record.seq ?? null;
  return { rows, next: hasMore ? last : rest };
}
