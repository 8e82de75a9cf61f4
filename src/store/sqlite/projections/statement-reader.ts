import type { DatabaseSync } from 'node:sqlite';
import type {
  PastBalances,
  QueryParams,
  Reader,
  StatementParams,
} from '../../../domain/queries.ts';
import { MOVEMENT_TYPES } from '../../../domain/records.ts';
import { pageOf } from '../../../domain/rules/pages.ts';
import {
  looksFor,
  type StatementPage,
  type Transaction,
  transactionBytes,
  transactionOf,
} from '../../../domain/rules/statements.ts';
import { pastBalancesView } from '../../../domain/rules/views.ts';
import { statementsOn } from '../rows.ts';

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
  personal: string | null,
  personalHash: string | null,
];

/** Movements in order of seq: those of a member, or those of a type, in one point kind. */
type Source = [realmId: string, leaderboard: number | null, memberIdOrType: string];
type PageArgs = [...Source, ...Range, type: string | null, limit: number];

/** Only the hash of an erased text is of use here, and hexadecimal takes a tenth of the time. */
const PERSONAL_PART =
  "j.personal, CASE WHEN j.personal IS NULL THEN nullif(lower(hex(j.personal_hash)), '') END";

function movementPages(db: DatabaseSync, table: string, column: string) {
  const sql = statementsOn(db);
  const page = `WHERE e.leaderboard_no = ?2 AND e.${column} = ?3 AND e.seq >= ?4 AND e.seq < ?5
    AND (?6 IS NULL OR e.type = ?6) ORDER BY e.seq DESC LIMIT ?7`;
  return {
    // One statement for a page: look-ups of its records one by one take half as long again.
    rows: sql.page<MovementRow, PageArgs>(
      `SELECT e.seq, j.type, j.at, j.actor, j.data, r.tokens, r.by_seq, ${PERSONAL_PART}
       FROM ${table} e CROSS JOIN journal j ON j.realm_id = ?1 AND j.seq = e.seq
       LEFT JOIN reversals r ON r.realm_id = ?1 AND r.seq = e.seq ${page}`,
    ),
    // Takes the same parameters, but does not use the realm's id.
    seqs: sql.values<number, PageArgs>(`SELECT seq FROM ${table} e ${page}`),
  };
}

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  return {
    entries: movementPages(db, 'entries', 'member_id'),
    movements: movementPages(db, 'movements', 'type'),
    // Takes the parameters of a page, too.
    entryAt: sql.value<number, [...Source, ...Range, index: number]>(
      `SELECT seq FROM entries WHERE leaderboard_no = ?2 AND member_id = ?3
         AND seq >= ?4 AND seq < ?5 ORDER BY seq DESC LIMIT 1 OFFSET ?6`,
    ),
    end: sql.get<{ seq: number; set_back_seq: number | null }, [string]>(
      'SELECT seq, set_back_seq FROM realms WHERE realm_id = ?',
    ),
    at: sql.value<number, [string, number]>(
      'SELECT at FROM journal WHERE realm_id = ? AND seq = ?',
    ),
    occurredAt: sql.value<string, [string, number]>(
      `SELECT data ->> '$.occurredAt' FROM journal WHERE realm_id = ? AND seq = ?`,
    ),
    isMember: sql.value<1, [string, string]>(
      `SELECT 1 FROM members WHERE realm_id = ? AND member_id = ? AND status <> 'removed'`,
    ),
    // A new point kind may not have its leaderboard yet, and then has no entries.
    kinds: sql.all<KindRow, [string]>(
      `SELECT realm_point_id, is_default, leaderboard_no FROM point_kinds
       JOIN projection_positions p USING (realm_id)
       LEFT JOIN leaderboards l ON l.realm_no = p.realm_no AND l.name = realm_point_id
       WHERE realm_id = ? ORDER BY realm_point_id`,
    ),
    balanceBefore: sql.value<number, [number | null, string, number]>(
      `SELECT balance FROM entries WHERE leaderboard_no = ? AND member_id = ? AND seq < ?
       ORDER BY seq DESC LIMIT 1`,
    ),
  };
}

interface KindRow {
  realm_point_id: string;
  is_default: number;
  leaderboard_no: number | null;
}

type Find = ReturnType<typeof statements>;

export function statementReader(db: DatabaseSync) {
  const find = statements(db);
  return {
    statement: (params) =>
      find.isMember(params.realmId, params.memberId) ? memberStatement(find, params) : null,
    balancesAt: ({ at, ...params }) =>
      balanceHistory(find, { ...params, instants: [at] })?.[0] ?? null,
    balanceHistory: (params) => balanceHistory(find, params),
    transactions: (params) => realmStatement(find, params),
  } satisfies Partial<Reader>;
}

/** Entries are ordered within a point kind; the newest of all kinds make up the page. */
function memberStatement(find: Find, params: QueryParams<'statement'>): StatementPage {
  const { realmId, memberId, type } = params;
  const sources = kindsOf(find, params).map((kind): Source => [realmId, kind, memberId]);
  const range = rangeOf(find, params);
  if (type !== null) return statementOfType(find, sources, range, params);
  return newest(find.entries, sources, range, params, memberId);
}

function statementOfType(
  find: Find,
  sources: Source[],
  [from, before]: Range,
  params: QueryParams<'statement'>,
): StatementPage {
  let page: StatementPage = { rows: [], next: null };
  for (const most of looksFor(params.limit)) {
    const rest = lookedDownTo(find, sources, [from, before], most);
    page = newest(find.entries, sources, [rest ?? from, before], params, params.memberId);
    if (rest === null || page.next !== null) break;
    page.next = rest;
  }
  return page;
}

/**
 * Each kind has an equal share of the entries to look through, among those that have any. The rest
 * of one begins at the first entry beyond its share; above all rests, nothing is left out.
 */
function lookedDownTo(find: Find, sources: Source[], range: Range, most: number): number | null {
  const present = sources.filter((source) => find.entryAt(...source, ...range, 0) !== undefined);
  const share = Math.floor(most / present.length);
  const rests = present.flatMap((source) => find.entryAt(...source, ...range, share) ?? []);
  return rests.length === 0 ? null : Math.max(...rests) + 1;
}

/** Movements are ordered within a kind and a type; the newest of all make up the page. */
function realmStatement(find: Find, params: StatementParams): StatementPage {
  const types = MOVEMENT_TYPES.filter((type) => params.type === null || type === params.type);
  const sources = kindsOf(find, params).flatMap((kind) =>
    types.map((type): Source => [params.realmId, kind, type]),
  );
  return newest(find.movements, sources, rangeOf(find, params), params);
}

/** The all-time leaderboards of the point kinds that match the query's filter. */
const kindsOf = (find: Find, { realmId, realmPointId }: StatementParams): (number | null)[] =>
  find
    .kinds(realmId)
    .filter(({ realm_point_id }) => realmPointId === null || realmPointId === realm_point_id)
    .map(({ leaderboard_no }) => leaderboard_no);

/** With several sources, reads the seqs first: most rows of each would be read for nothing. */
function newest(
  { rows, seqs }: ReturnType<typeof movementPages>,
  sources: Source[],
  [from, before]: Range,
  { type, limit }: StatementParams,
  memberId?: string,
): StatementPage {
  const wanted = limit + 1;
  let oldest = from;
  if (sources.length > 1) {
    const all = sources.flatMap((source) => seqs(...source, from, before, type, wanted));
    all.sort((a, b) => b - a);
    // Below the last of them, nothing needs to be looked through again.
    oldest = all[limit] ?? all.at(-1) ?? before;
  }
  const found = sources.flatMap((source) => rows(...source, oldest, before, type, wanted));
  if (sources.length > 1) found.sort(([a], [b]) => b - a);
  const { rows: shown, hasMore } = pageOf(found, limit, (row) => transactionBytes(row[4], row[7]));
  const transactions = shown.flatMap((row) => transactionIn(row, memberId) ?? []);
  return { rows: transactions, next: hasMore ? (shown.at(-1)?.[0] ?? null) : null };
}

function transactionIn(row: MovementRow, memberId?: string): Transaction | null {
  const [seq, type, at, actor, data, tokens, by, personal, personalHash] = row;
  const reversal = tokens === null || by === null ? undefined : { seq, tokens, by };
  const record = { seq, type, at, actor, data, personal, personalHash };
  return transactionOf(record, reversal, memberId);
}

/** The balances are looked up once for all instants between which nothing was recorded. */
function balanceHistory(
  find: Find,
  { realmId, memberId, instants }: QueryParams<'balanceHistory'>,
): PastBalances[] | null {
  if (!find.isMember(realmId, memberId)) return null;
  const kinds = find.kinds(realmId);
  const found = new Map<number, PastBalances>();
  return instants.map((at) => {
    const before = firstSeqFrom(find, realmId, at + 1);
    const balances = found.get(before) ?? balancesBefore(find, kinds, memberId, before);
    found.set(before, balances);
    return balances;
  });
}

function balancesBefore(
  find: Find,
  kinds: KindRow[],
  memberId: string,
  before: number,
): PastBalances {
  const balances = kinds.map((kind) => ({
    realmPointId: kind.realm_point_id,
    isDefault: kind.is_default,
    balance: find.balanceBefore(kind.leaderboard_no, memberId, before) ?? 0,
  }));
  return pastBalancesView(balances);
}

function rangeOf(find: Find, { realmId, from, to, before }: StatementParams): Range {
  const first = from === null ? 1 : firstSeqFrom(find, realmId, from);
  const end = to === null ? Number.MAX_SAFE_INTEGER : firstSeqFrom(find, realmId, to);
  return [first, Math.min(end, before ?? Number.MAX_SAFE_INTEGER)];
}

/**
 * The first record at or after the instant, by binary search: records are in order of time. Since a
 * clock that was ahead has been set back, those that followed are in order of their true instants.
 */
function firstSeqFrom(find: Find, realmId: string, at: number): number {
  const { seq = 0, set_back_seq: setBack = null } = find.end(realmId) ?? {};
  const isBefore = (middle: number) => (find.at(realmId, middle) ?? 0) < at;
  const occurredBefore = (middle: number) =>
    Date.parse(find.occurredAt(realmId, middle) ?? '') < at;
  if (setBack === null) return search(1, seq + 1, isBefore);
  return occurredBefore(setBack)
    ? search(setBack, seq + 1, occurredBefore)
    : search(1, setBack, isBefore);
}

function search(from: number, to: number, isBefore: (seq: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
