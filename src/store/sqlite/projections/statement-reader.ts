import type { DatabaseSync } from 'node:sqlite';
import type { QueryParams, Reader, StatementParams } from '../../../domain/queries.ts';
import { MOVING_TYPES } from '../../../domain/rules/postings.ts';
import { type Transaction, transactionOf } from '../../../domain/rules/statements.ts';
import { prepare } from '../database.ts';
import { preparePage } from '../pages.ts';

type Range = [from: number, before: number];

/** A journal record, and what was reversed of it, if anything. */
type MovementRow = [
  seq: number,
  type: string,
  at: number,
  actor: string,
  data: string,
  reversed: number | null,
  by: number | null,
];

/** One statement for a page: look-ups of its records one by one take half as long again. */
const recordsOf = (table: string): string =>
  `SELECT e.seq, j.type, j.at, j.actor, j.data, r.tokens, r.by_seq FROM ${table} e
   CROSS JOIN journal j ON j.realm_id = ?1 AND j.seq = e.seq
   LEFT JOIN reversals r ON r.realm_id = ?1 AND r.seq = e.seq`;

function statements(db: DatabaseSync) {
  const entries = `WHERE e.leaderboard_no = ?2 AND e.member_id = ?3
    AND e.seq >= ?4 AND e.seq < ?5 AND (?6 IS NULL OR e.type = ?6)
    ORDER BY e.seq DESC LIMIT ?7`;
  const movements = `WHERE e.leaderboard_no = ?2 AND e.type = ?3 AND e.seq >= ?4 AND e.seq < ?5
    ORDER BY e.seq DESC LIMIT ?6`;
  type OfMember = [string, number | null, string, ...Range, string | null, number];
  type OfType = [string, number | null, string, ...Range, number];
  return {
    entries: preparePage<MovementRow, OfMember>(db, `${recordsOf('entries')} ${entries}`),
    movements: preparePage<MovementRow, OfType>(db, `${recordsOf('movements')} ${movements}`),
    // These do not use the first parameter, the realm's id, but take the same parameters.
    entrySeqs: preparePage<[seq: number], OfMember>(db, `SELECT seq FROM entries e ${entries}`),
    movementSeqs: preparePage<[seq: number], OfType>(
      db,
      `SELECT seq FROM movements e ${movements}`,
    ),
    lastSeq: prepare<{ seq: number }, [string]>(db, 'SELECT seq FROM realms WHERE realm_id = ?'),
    at: prepare<{ at: number }, [string, number]>(
      db,
      'SELECT at FROM journal WHERE realm_id = ? AND seq = ?',
    ),
    isMember: prepare<{ found: number }, [string, string]>(
      db,
      `SELECT 1 AS found FROM members
       WHERE realm_id = ? AND member_id = ? AND status <> 'removed'`,
    ),
    // A new point kind may not have its leaderboard yet, and then has no entries.
    kinds: prepare<{ realm_point_id: string; leaderboard_no: number | null }, [string]>(
      db,
      `SELECT realm_point_id, leaderboard_no FROM point_kinds
       JOIN projection_positions p USING (realm_id)
       LEFT JOIN leaderboards l ON l.realm_no = p.realm_no AND l.name = realm_point_id
       WHERE realm_id = ? ORDER BY realm_point_id`,
    ),
    balanceBefore: prepare<{ balance: number }, [number | null, string, number]>(
      db,
      `SELECT balance FROM entries WHERE leaderboard_no = ? AND member_id = ? AND seq < ?
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
    statement: (params: QueryParams<'statement'>) =>
      present(params.realmId, params.memberId) ? memberStatement(find, params) : null,
    balancesAt: ({ realmId, memberId, at }: QueryParams<'balancesAt'>) =>
      present(realmId, memberId) ? balancesAt(find, realmId, memberId, at) : null,
    transactions: (params: QueryParams<'transactions'>) => realmStatement(find, params),
  } satisfies StatementReader;
}

/** Entries are ordered within a point kind; the newest of all kinds make up the page. */
function memberStatement(find: Find, params: QueryParams<'statement'>): Transaction[] {
  const { realmId, memberId, type, limit } = params;
  const sources = kindsOf(find, params).map(({ leaderboard_no }): Source => {
    const of: [string, number | null, string] = [realmId, leaderboard_no, memberId];
    return {
      seqs: (range) => find.entrySeqs(...of, ...range, type, limit),
      rows: (range) => find.entries(...of, ...range, type, limit),
    };
  });
  return newest(sources, rangeOf(find, params), limit, memberId);
}

/** Movements are ordered within a kind and a type; the newest of all make up the page. */
function realmStatement(find: Find, params: StatementParams): Transaction[] {
  const { realmId, limit } = params;
  const types = MOVING_TYPES.filter((type) => params.type === null || type === params.type);
  const sources = kindsOf(find, params).flatMap(({ leaderboard_no }) =>
    types.map((type): Source => {
      const of: [string, number | null, string] = [realmId, leaderboard_no, type];
      return {
        seqs: (range) => find.movementSeqs(...of, ...range, limit),
        rows: (range) => find.movements(...of, ...range, limit),
      };
    }),
  );
  return newest(sources, rangeOf(find, params), limit);
}

/** The point kinds that match the query's filter. */
const kindsOf = (find: Find, { realmId, realmPointId }: StatementParams) =>
  find.kinds
    .all(realmId)
    .filter(({ realm_point_id }) => realmPointId === null || realmPointId === realm_point_id);

/** Movements in order: the seqs of a page, or its rows. */
interface Source {
  seqs: (range: Range) => [seq: number][];
  rows: (range: Range) => MovementRow[];
}

/** With several sources, reads the seqs first: most rows of each would be read for nothing. */
function newest(
  sources: Source[],
  [from, before]: Range,
  limit: number,
  memberId?: string,
): Transaction[] {
  let oldest = from;
  if (sources.length > 1) {
    const seqs = sources.flatMap((source) => source.seqs([from, before])).flat();
    oldest = seqs.sort((a, b) => b - a)[limit - 1] ?? from;
  }
  const found = sources.flatMap((source) => source.rows([oldest, before]));
  if (sources.length > 1) found.sort(([a], [b]) => b - a);
  return found.flatMap(([seq, type, at, actor, data, tokens, by]) => {
    const reversal = tokens === null || by === null ? undefined : { seq, tokens, by };
    return transactionOf({ seq, type, at, actor, data }, reversal, memberId) ?? [];
  });
}

function balancesAt(find: Find, realmId: string, memberId: string, at: number | null) {
  const before = at === null ? Number.MAX_SAFE_INTEGER : firstSeqFrom(find, realmId, at + 1);
  const balances = find.kinds.all(realmId).map((kind): [string, number] => {
    const entry = find.balanceBefore.get(kind.leaderboard_no, memberId, before);
    return [kind.realm_point_id, entry?.balance ?? 0];
  });
  return Object.fromEntries(balances);
}

function rangeOf(find: Find, { realmId, from, to, before }: StatementParams): Range {
  const first = from === null ? 1 : firstSeqFrom(find, realmId, from);
  const end = to === null ? Number.MAX_SAFE_INTEGER : firstSeqFrom(find, realmId, to);
  return [first, Math.min(end, before ?? Number.MAX_SAFE_INTEGER)];
}

/** The first record at or after the instant, by binary search: records are in order of time. */
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
