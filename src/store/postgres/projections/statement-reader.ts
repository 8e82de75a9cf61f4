import type { PastBalances, QueryParams, StatementParams } from '../../../domain/queries.ts';
import { MOVEMENT_TYPES } from '../../../domain/records.ts';
import { pageOf } from '../../../domain/rules/pages.ts';
import {
  looksFor,
  type StatementPage,
  type Transaction,
  transactionBytes,
  transactionOf,
} from '../../../domain/rules/statements.ts';
import { type PastBalance, pastBalancesView } from '../../../domain/rules/views.ts';
import { slices } from '../../../engine/slices.ts';
import { tables } from '../../tables/tables.ts';
import type { Connection } from '../connection.ts';
import { someOf } from '../rows.ts';
import { statement } from '../statement.ts';

type Range = [from: number, before: number];

/** A journal record, and what was reversed of it, if anything. */
interface MovementRow {
  seq: number;
  type: string;
  at: number;
  actor: string;
  data: string;
  personal: string | null;
  personalHash: string | null;
  tokens: number | null;
  by: number | null;
}

/** The balances are separated by spaces. */
type KindBalances = Omit<PastBalance, 'balance'> & { balances: string };

const SHOWN = someOf(tables.records, 'type', 'at', 'actor', 'data', 'personal', 'personalHash');

/**
 * Rows are ordered within a source (a point kind, or a type of its movements); the newest of all
 * make up the page, and the journal has the rest. $4 to $7 are the range, the filter and the limit.
 */
const newest = (sources: string, table: string, where: string): string =>
  `SELECT e.seq, j.*, r.tokens, r.by_seq AS by
   FROM (SELECT one.seq FROM ${sources} CROSS JOIN LATERAL
       (SELECT seq FROM ${table} t WHERE t.realm_id = $1 AND ${where}
          AND t.seq >= $4::bigint AND t.seq < $5::bigint ORDER BY t.seq DESC LIMIT $7) one
     ORDER BY one.seq DESC LIMIT $7) e
   CROSS JOIN LATERAL (SELECT ${SHOWN} FROM journal
     WHERE realm_id = $1 AND seq = e.seq OFFSET 0) j
   LEFT JOIN LATERAL (SELECT tokens, by_seq FROM reversals
     WHERE realm_id = $1 AND seq = e.seq OFFSET 0) r ON true
   ORDER BY e.seq DESC`;

/** The true instant of a record that states it. */
const OCCURRED_AT =
  "(extract(epoch FROM (data::json ->> 'occurredAt')::timestamptz) * 1000)::bigint";

/** The entries of member $2 in the range of $4 and $5. */
const ofMember = (kind: string): string =>
  `t.realm_id = $1 AND t.member_id = $2::bigint AND t.realm_point_id = ${kind}.realm_point_id
     AND t.seq >= $4::bigint AND t.seq < $5::bigint`;

const find = {
  entries: statement<MovementRow, [string, string, string | null, ...Range, string | null, number]>(
    newest(
      `(SELECT realm_point_id FROM point_kinds
        WHERE realm_id = $1 AND ($3::text IS NULL OR realm_point_id = $3)) source`,
      'entries',
      `t.member_id = $2::bigint AND t.realm_point_id = source.realm_point_id
         AND ($6::text IS NULL OR t.type = $6)`,
    ),
  ),
  movements: statement<
    MovementRow,
    [string, readonly string[], string | null, ...Range, string | null, number]
  >(
    newest(
      `(SELECT p.realm_point_id, k.type FROM point_kinds p CROSS JOIN unnest($2::text[]) AS k(type)
        WHERE p.realm_id = $1 AND ($3::text IS NULL OR p.realm_point_id = $3)
          AND ($6::text IS NULL OR k.type = $6)) source`,
      'movements',
      't.realm_point_id = source.realm_point_id AND t.type = source.type',
    ),
  ),
  // Each kind has an equal share of the entries to look through, among those that have any. The
  // rest of one begins at the first entry beyond its share; above all rests, nothing is left out.
  lookedDownTo: statement<
    { seq: number | null },
    [string, string, string | null, ...Range, number]
  >(
    `SELECT max(rest.seq) + 1 AS seq
     FROM (SELECT p.realm_point_id, count(*) OVER () AS kinds FROM point_kinds p
       CROSS JOIN LATERAL (SELECT 1 FROM entries t WHERE ${ofMember('p')} LIMIT 1) one
       WHERE p.realm_id = $1 AND ($3::text IS NULL OR p.realm_point_id = $3)) source
     CROSS JOIN LATERAL (SELECT seq FROM entries t WHERE ${ofMember('source')}
       ORDER BY t.seq DESC OFFSET $6::bigint / source.kinds LIMIT 1) rest`,
  ),
  isMember: statement<unknown, [string, string]>(
    `SELECT 1 FROM members
     WHERE realm_id = $1 AND member_id = $2::bigint AND status <> 'removed'`,
  ),
  // A row for each kind of points, with its balances before each of some seqs.
  balances: statement<KindBalances, [string, string, number[]]>(
    `SELECT p.realm_point_id AS "realmPointId", p.is_default AS "isDefault",
       array_to_string(ARRAY(SELECT coalesce((SELECT balance FROM entries e
           WHERE e.realm_id = $1 AND e.member_id = $2::bigint
             AND e.realm_point_id = p.realm_point_id AND e.seq < b.seq
           ORDER BY e.seq DESC LIMIT 1), 0)
         FROM unnest($3::bigint[]) WITH ORDINALITY AS b(seq, n) ORDER BY n), ' ') AS balances
     FROM point_kinds p WHERE p.realm_id = $1 ORDER BY p.realm_point_id`,
  ),
  // A binary search: records are in order of time. Since a clock that was ahead has been set back,
  // those that followed are in order of their true instants ("since" is the first of them).
  firstSeqsFrom: statement<{ seq: number }, [string, number[]]>(
    `WITH RECURSIVE search(n, instant, low, high, since) AS (
       SELECT n, instant, coalesce(since, 1),
         CASE WHEN since IS NULL THEN coalesce(set_back_seq, seq + 1) ELSE seq + 1 END, since
       FROM (SELECT n, instant, seq, set_back_seq,
               (SELECT j.seq FROM journal j WHERE j.realm_id = $1
                  AND j.seq = realms.set_back_seq AND ${OCCURRED_AT} < instant) AS since
             FROM realms CROSS JOIN unnest($2::bigint[]) WITH ORDINALITY AS wanted(instant, n)
             WHERE realm_id = $1 OFFSET 0) r
       UNION ALL
       SELECT n, instant, CASE WHEN j.at < instant THEN middle + 1 ELSE low END,
              CASE WHEN j.at < instant THEN high ELSE middle END, since
       FROM (SELECT n, instant, low, high, since, (low + high) / 2 AS middle
             FROM search WHERE low < high OFFSET 0) s
       CROSS JOIN LATERAL
         (SELECT CASE WHEN s.since IS NULL THEN at ELSE ${OCCURRED_AT} END AS at
          FROM journal WHERE realm_id = $1 AND seq = s.middle OFFSET 0) j
     ) SELECT low AS seq FROM search WHERE low >= high ORDER BY n`,
  ),
};

export async function memberStatement(
  connection: Connection,
  params: QueryParams<'statement'>,
): Promise<StatementPage | null> {
  const { realmId, memberId, type, limit } = params;
  const range = await rangeOf(connection, params);
  const read = type === null ? entries : entriesOfType;
  const [member, { found, rest }] = await Promise.all([
    connection.query(find.isMember, realmId, memberId),
    read(connection, params, range),
  ]);
  if (member.length === 0) return null;
  return inSlices(realmId, transactionsOf(found, rest, limit, memberId));
}

/** The newest rows of a range, and where it goes on below, if anywhere. */
interface Found {
  found: MovementRow[];
  rest: number | null;
}

async function entries(
  connection: Connection,
  { realmId, memberId, realmPointId, type, limit }: QueryParams<'statement'>,
  range: Range,
): Promise<Found> {
  const which = [realmId, memberId, realmPointId, ...range, type, limit + 1] as const;
  return { found: await connection.query(find.entries, ...which), rest: null };
}

async function entriesOfType(
  connection: Connection,
  params: QueryParams<'statement'>,
  [from, before]: Range,
): Promise<Found> {
  const { realmId, memberId, realmPointId, limit } = params;
  const which = [realmId, memberId, realmPointId, from, before] as const;
  let result: Found = { found: [], rest: null };
  for (const most of looksFor(limit)) {
    const [looked] = await connection.query(find.lookedDownTo, ...which, most);
    const rest = looked?.seq ?? null;
    const { found } = await entries(connection, params, [rest ?? from, before]);
    result = { found, rest };
    if (rest === null || found.length > limit) break;
  }
  return result;
}

export async function realmStatement(
  connection: Connection,
  params: StatementParams,
): Promise<StatementPage> {
  const { realmId, realmPointId, type, limit } = params;
  const range = await rangeOf(connection, params);
  const which = [realmId, MOVEMENT_TYPES, realmPointId, ...range, type, limit + 1] as const;
  const found = await connection.query(find.movements, ...which);
  return inSlices(realmId, transactionsOf(found, null, limit));
}

/** While others are served: a page may be long. */
const inSlices = <T>(realmId: string, steps: Generator<void, T>): Promise<T> =>
  slices.run(`read ${realmId}`, null, steps);

function* transactionsOf(
  found: MovementRow[],
  rest: number | null,
  limit: number,
  memberId?: string,
): Generator<void, StatementPage> {
  const bytesOf = ({ data, personal }: MovementRow) => transactionBytes(data, personal);
  const { rows, hasMore } = pageOf(found, limit, bytesOf);
  const transactions: Transaction[] = [];
  for (const { tokens, by, ...record } of rows) {
    const reversal = tokens === null || by === null ? undefined : { seq: record.seq, tokens, by };
    const transaction = transactionOf(record, reversal, memberId);
    if (transaction) transactions.push(transaction);
    yield;
  }
  return { rows: transactions, next: hasMore ? (rows.at(-1)?.seq ?? null) : rest };
}

export async function balancesAt(
  connection: Connection,
  { realmId, memberId, at }: QueryParams<'balancesAt'>,
) {
  const [balances = null] =
    (await balanceHistory(connection, { realmId, memberId, instants: [at] })) ?? [];
  return balances;
}

/** The balances are looked up once for all instants between which nothing was recorded. */
export async function balanceHistory(
  connection: Connection,
  { realmId, memberId, instants }: QueryParams<'balanceHistory'>,
): Promise<PastBalances[] | null> {
  const after = instants.map((at) => at + 1);
  const before = (await connection.query(find.firstSeqsFrom, realmId, after)).map(({ seq }) => seq);
  const seqs = [...new Set(before)];
  const [member, kinds] = await Promise.all([
    connection.query(find.isMember, realmId, memberId),
    connection.query(find.balances, realmId, memberId, seqs),
  ]);
  // Of a realm that is being deleted, records may be missing.
  if (member.length === 0 || before.length < instants.length) return null;
  const rows = kinds.map(({ balances, ...kind }) => ({ ...kind, all: balances.split(' ') }));
  const found = seqs.map((_, index) =>
    pastBalancesView(rows.map(({ all, ...kind }) => ({ ...kind, balance: Number(all[index]) }))),
  );
  const views = new Map(seqs.map((seq, index) => [seq, found[index] as PastBalances]));
  return before.map((seq) => views.get(seq) as PastBalances);
}

async function rangeOf(
  connection: Connection,
  { realmId, from, to, before }: StatementParams,
): Promise<Range> {
  const last = Number.MAX_SAFE_INTEGER;
  const [first, end] = await Promise.all([
    from === null ? 1 : firstSeqFrom(connection, realmId, from),
    to === null ? last : firstSeqFrom(connection, realmId, to),
  ]);
  return [first, Math.min(end, before ?? last)];
}

/** The first record at or after the instant; the first of all if the instant is invalid. */
async function firstSeqFrom(connection: Connection, realmId: string, at: number): Promise<number> {
  if (Number.isNaN(at)) return 1;
  return (await connection.query(find.firstSeqsFrom, realmId, [at]))[0]?.seq ?? 1;
}
