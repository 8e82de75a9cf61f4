import type { DatabaseSync } from 'node:sqlite';
import { MOVING_TYPES } from '../../../domain/postings.rules.ts';
import type { Ask, Reader, StatementAsk } from '../../../domain/queries.ts';
import { type Transaction, transactionOf } from '../../../domain/statements.rules.ts';
import { prepare } from '../database.ts';
import { preparePage } from '../pages.ts';
import * as rows from '../rows.ts';

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
  return {
    lastSeq: prepare<{ seq: number }, [string]>(db, 'SELECT seq FROM realms WHERE realm_id = ?'),
    at: prepare<{ at: number }, [string, number]>(
      db,
      'SELECT at FROM journal WHERE realm_id = ? AND seq = ?',
    ),
    // One statement for a page: look-ups of their own for each row take a fifth longer.
    movements: preparePage<MovementRow, [string, string]>(
      db,
      `SELECT ${rows.JOURNAL_COLUMNS}, tokens, by_seq
       FROM (SELECT value AS seq FROM json_each(?2)) CROSS JOIN journal USING (seq)
       LEFT JOIN reversed USING (realm_id, seq)
       WHERE realm_id = ?1`,
    ),
    isMember: prepare<{ found: number }, [string, string]>(
      db,
      `SELECT 1 AS found FROM members
       WHERE realm_id = ? AND member_id = ? AND status <> 'removed'`,
    ),
    // A kind that has come only now may not have its board yet, nor then any entries.
    kinds: prepare<{ point_id: string; realm: number; board: number | null }, [string]>(
      db,
      `SELECT point_id, f.realm, board FROM points
       JOIN followed f USING (realm_id)
       LEFT JOIN boards b ON b.realm = f.realm AND b.name = point_id
       WHERE realm_id = ? ORDER BY point_id`,
    ),
    ofType: preparePage<[seq: number], [number, string, ...Range, number | null, number]>(
      db,
      `SELECT seq FROM movements WHERE realm = ?1 AND type = ?2 AND seq >= ?3 AND seq < ?4
         AND (?5 IS NULL OR board = ?5)
       ORDER BY seq DESC LIMIT ?6`,
    ),
    entries: preparePage<[seq: number], [number | null, string, ...Range, string | null, number]>(
      db,
      `SELECT seq FROM entries WHERE board = ?1 AND member_id = ?2
         AND seq >= ?3 AND seq < ?4 AND (?5 IS NULL OR type = ?5)
       ORDER BY seq DESC LIMIT ?6`,
    ),
    balanceBefore: prepare<{ balance: number }, [number | null, string, number]>(
      db,
      `SELECT balance FROM entries WHERE board = ? AND member_id = ? AND seq < ?
       ORDER BY seq DESC LIMIT 1`,
    ),
  };
}

type Find = ReturnType<typeof statements>;
type StatementReader = Pick<Reader, 'statement' | 'balancesAt' | 'transactions'>;

export function statementReader(db: DatabaseSync) {
  const find = statements(db);
  const present = (realmId: string, memberId: string) => find.isMember.get(realmId, memberId);
  return {
    statement: (ask: Ask<'statement'>) =>
      present(ask.realmId, ask.memberId) ? memberStatement(find, ask) : null,
    balancesAt: ({ realmId, memberId, at }: Ask<'balancesAt'>) =>
      present(realmId, memberId) ? balancesAt(find, realmId, memberId, at) : null,
    transactions: (ask: Ask<'transactions'>) => realmStatement(find, ask),
  } satisfies StatementReader;
}

/** Each kind of points has its own entries in order; the newest of all of them make the page. */
function memberStatement(find: Find, ask: Ask<'statement'>): Transaction[] {
  const { realmId, memberId, type, limit } = ask;
  const range = rangeOf(find, ask);
  const seqs = kindsOf(find, ask).flatMap(({ board }) =>
    find.entries(board, memberId, ...range, type, limit),
  );
  return newest(find, realmId, seqs, limit, memberId);
}

/** Each type of movement lies in order; the newest of all of them make the page. */
function realmStatement(find: Find, ask: StatementAsk): Transaction[] {
  const { realmId, limit } = ask;
  const [kind] = kindsOf(find, ask);
  if (!kind) return [];
  const range = rangeOf(find, ask);
  const board = ask.pointId === null ? null : kind.board;
  const types = MOVING_TYPES.filter((type) => ask.type === null || type === ask.type);
  const seqs = types.flatMap((type) => find.ofType(kind.realm, type, ...range, board, limit));
  return newest(find, realmId, seqs, limit);
}

/** The kinds of points that are asked about. */
const kindsOf = (find: Find, { realmId, pointId }: StatementAsk) =>
  find.kinds.all(realmId).filter(({ point_id }) => pointId === null || pointId === point_id);

function newest(
  find: Find,
  realmId: string,
  seqs: [seq: number][],
  limit: number,
  memberId?: string,
): Transaction[] {
  const page = seqs.flat().sort((a, b) => b - a);
  const rowsOf = find.movements(realmId, JSON.stringify(page.slice(0, limit)));
  return rowsOf.flatMap(([seq, type, at, actor, data, hash, tokens, by]) => {
    const reversed = tokens === null || by === null ? undefined : { seq, tokens, by };
    return transactionOf({ seq, type, at, actor, data, hash }, reversed, memberId) ?? [];
  });
}

function balancesAt(find: Find, realmId: string, memberId: string, at: number | null) {
  const before = at === null ? Number.MAX_SAFE_INTEGER : firstSeqFrom(find, realmId, at + 1);
  const balances = find.kinds.all(realmId).map(({ point_id, board }): [string, number] => {
    const entry = find.balanceBefore.get(board, memberId, before);
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
