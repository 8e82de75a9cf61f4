import type { DatabaseSync } from 'node:sqlite';
import type { Reversed } from '../../domain/facts.ts';
import type { JournalRecord } from '../../domain/journal.rules.ts';
import { MOVING_TYPES } from '../../domain/postings.rules.ts';
import type { Reader, StatementAsk } from '../../domain/queries.ts';
import { type Transaction, transactionOf } from '../../domain/statements.rules.ts';
import { prepare } from './database.ts';
import { preparePage } from './pages.ts';
import * as rows from './rows.ts';

type Range = [from: number, before: number];

/** A record of the journal, with what was reversed of it, if anything was. */
type MovementRow = [
  seq: number,
  type: string,
  at: number,
  actor: string,
  data: string,
  hash: string,
  reversed: number | null,
  by: number | null,
];

function statements(db: DatabaseSync) {
  const record = `SELECT ${rows.JOURNAL_COLUMNS} FROM journal WHERE realm_id = ?`;
  return {
    lastSeq: prepare<{ seq: number }, [string]>(db, 'SELECT seq FROM realms WHERE realm_id = ?'),
    at: prepare<{ at: number }, [string, number]>(
      db,
      'SELECT at FROM journal WHERE realm_id = ? AND seq = ?',
    ),
    record: prepare<JournalRecord, [string, number]>(db, `${record} AND seq = ?`),
    records: prepare<JournalRecord, [string, number, number]>(
      db,
      `${record} AND seq > ? ORDER BY seq LIMIT ?`,
    ),
    // One statement for a page: look-ups of their own for each row take a fifth longer.
    movements: preparePage<MovementRow, [string, string]>(
      db,
      `SELECT ${rows.JOURNAL_COLUMNS}, tokens, by_seq
       FROM (SELECT value AS seq FROM json_each(?2)) CROSS JOIN journal USING (seq)
       LEFT JOIN reversed USING (realm_id, seq)
       WHERE realm_id = ?1`,
    ),
    ofType: prepare<{ seq: number }, [string, string, ...Range, string | null, number]>(
      db,
      `SELECT seq FROM movements WHERE realm_id = ?1 AND type = ?2 AND seq >= ?3 AND seq < ?4
         AND (?5 IS NULL OR point_id = ?5)
       ORDER BY seq DESC LIMIT ?6`,
    ),
    reversed: prepare<Reversed, [string, number]>(
      db,
      'SELECT seq, tokens, by_seq AS by FROM reversed WHERE realm_id = ? AND seq = ?',
    ),
    isMember: prepare<{ found: number }, [string, string]>(
      db,
      `SELECT 1 AS found FROM members
       WHERE realm_id = ? AND member_id = ? AND status <> 'removed'`,
    ),
    kinds: prepare<{ point_id: string }, [string]>(
      db,
      'SELECT point_id FROM points WHERE realm_id = ? ORDER BY point_id',
    ),
    entries: prepare<{ seq: number }, [string, string, string, ...Range, string | null, number]>(
      db,
      `SELECT seq FROM entries WHERE realm_id = ?1 AND member_id = ?2 AND point_id = ?3
         AND seq >= ?4 AND seq < ?5 AND (?6 IS NULL OR type = ?6)
       ORDER BY seq DESC LIMIT ?7`,
    ),
    balanceBefore: prepare<{ balance: number }, [string, string, string, number]>(
      db,
      `SELECT balance FROM entries
       WHERE realm_id = ? AND member_id = ? AND point_id = ? AND seq < ?
       ORDER BY seq DESC LIMIT 1`,
    ),
  };
}

type Find = ReturnType<typeof statements>;
type StatementReader = Pick<
  Reader,
  'statement' | 'balancesAt' | 'transactions' | 'transaction' | 'records' | 'lastSeq'
>;

export function statementReader(db: DatabaseSync): StatementReader {
  const find = statements(db);
  const present = (realmId: string, memberId: string) => find.isMember.get(realmId, memberId);
  return {
    statement: (ask) => (present(ask.realmId, ask.memberId) ? memberStatement(find, ask) : null),
    balancesAt: ({ realmId, memberId, at }) =>
      present(realmId, memberId) ? balancesAt(find, realmId, memberId, at) : null,
    transactions: (ask) => realmStatement(find, ask),
    transaction: ({ realmId, seq }) => {
      const record = find.record.get(realmId, seq);
      return record ? transactionOf(record, find.reversed.get(realmId, seq)) : null;
    },
    records: ({ realmId, after, limit }) => find.records.all(realmId, after, limit),
    lastSeq: ({ realmId }) => find.lastSeq.get(realmId)?.seq ?? 0,
  };
}

/** Each kind of points has its own entries in order; the newest of all of them make the page. */
function memberStatement(find: Find, ask: StatementAsk & { memberId: string }): Transaction[] {
  const { realmId, memberId, type, limit } = ask;
  const range = rangeOf(find, ask);
  const kinds =
    ask.pointId === null ? find.kinds.all(realmId).map((kind) => kind.point_id) : [ask.pointId];
  const rowsOf = kinds.flatMap((kind) =>
    find.entries.all(realmId, memberId, kind, ...range, type, limit),
  );
  return newest(find, realmId, rowsOf, limit, memberId);
}

/** Each type of movement lies in order; the newest of all of them make the page. */
function realmStatement(find: Find, ask: StatementAsk): Transaction[] {
  const { realmId, pointId, limit } = ask;
  const range = rangeOf(find, ask);
  const types = MOVING_TYPES.filter((type) => ask.type === null || type === ask.type);
  const rowsOf = types.flatMap((type) => find.ofType.all(realmId, type, ...range, pointId, limit));
  return newest(find, realmId, rowsOf, limit);
}

function newest(
  find: Find,
  realmId: string,
  rowsOf: { seq: number }[],
  limit: number,
  memberId?: string,
): Transaction[] {
  const page = rowsOf.sort((a, b) => b.seq - a.seq).slice(0, limit);
  const seqs = JSON.stringify(page.map(({ seq }) => seq));
  return find.movements(realmId, seqs).flatMap(([seq, type, at, actor, data, hash, tokens, by]) => {
    const reversed = tokens === null || by === null ? undefined : { seq, tokens, by };
    return transactionOf({ seq, type, at, actor, data, hash }, reversed, memberId) ?? [];
  });
}

function balancesAt(find: Find, realmId: string, memberId: string, at: number | null) {
  const before = at === null ? Number.MAX_SAFE_INTEGER : firstSeqFrom(find, realmId, at + 1);
  const balances = find.kinds.all(realmId).map(({ point_id }): [string, number] => {
    const entry = find.balanceBefore.get(realmId, memberId, point_id, before);
    return [point_id, entry?.balance ?? 0];
  });
  return Object.fromEntries(balances);
}

function rangeOf(find: Find, { realmId, from, to, before }: StatementAsk): Range {
  const first = from === null ? 1 : firstSeqFrom(find, realmId, from);
  const end = to === null ? Number.MAX_SAFE_INTEGER : firstSeqFrom(find, realmId, to);
  return [first, Math.min(end, before ?? Number.MAX_SAFE_INTEGER)];
}

/** The first record at or after the instant. Records lie in the order of time: halve and halve. */
function firstSeqFrom(find: Find, realmId: string, at: number): number {
  let low = 1;
  let high = (find.lastSeq.get(realmId)?.seq ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((find.at.get(realmId, middle)?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
