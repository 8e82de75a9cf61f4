import type { Reversal } from '../../domain/facts.ts';
import type { PastBalances, QueryParams, StatementParams } from '../../domain/queries.ts';
import { MOVEMENT_TYPES } from '../../domain/records.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { pageOf } from '../../domain/rules/pages.ts';
import {
  type StatementPage,
  scanBudgets,
  transactionBytes,
  transactionOf,
} from '../../domain/rules/statements.ts';
import { type PastBalance, pastBalancesView } from '../../domain/rules/views.ts';
import { textOf } from '../rows.ts';
import {
  type Asked,
  all,
  ask,
  first,
  type Operation,
  query,
  type Text,
  together,
} from '../statement.ts';
import type { SqlValue } from '../table.ts';
import { askPresent } from './members.ts';
import type { Readers } from './readers.ts';

/** The records with a `seq` of at least `from`, and below `before`. */
type Range = { from: number; before: number };

type OfRealm = { realmId: string; realmPointId: string | null };
type OfMember = OfRealm & Range & { memberId: string };

/** A journal record, and what was reversed of it, if anything. */
interface MovementRow {
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

function movementRow(values: readonly SqlValue[]): MovementRow {
  const [seq, type, at, actor, data, personal, personalHash, tokens, by] = values as MovementValues;
  return {
    record: { seq, type, at, actor, data, personal, personalHash },
    reversal: by === null ? undefined : { seq, tokens, by },
  };
}

/** The kinds of points that a statement is about. */
const KINDS = `p.realm_id = :realmId
  AND (CAST(:realmPointId AS TEXT) IS NULL OR p.realm_point_id = :realmPointId)`;

const entriesOf = (kind: string): string =>
  `e.realm_id = :realmId AND e.member_id = :memberId AND e.realm_point_id = ${kind}
   AND e.seq < :before`;

/**
 * Movements are ordered within a kind of points, or a type of its movements; the newest of all make
 * up the page, and the journal has the rest. Only the hash of an erased text is of use.
 */
const newest = (sources: Text, table: string, condition: string): Text => {
  return (dialect) =>
    `SELECT e.seq, j.type, j.at, j.actor, j.data, j.personal, CASE WHEN j.personal IS NULL
         THEN nullif(${dialect.hex('j.personal_hash')}, '') END, r.tokens, r.by_seq
     FROM (SELECT e.seq FROM ${textOf(dialect, sources)}
       ${dialect.newest(table, 'e', condition)}
       ORDER BY e.seq DESC LIMIT :limit) e
     ${dialect.each('journal', 'j', 'j.realm_id = :realmId AND j.seq = e.seq')}
     ${dialect.eachOrNone('reversals', 'r', 'r.realm_id = :realmId AND r.seq = e.seq')}`;
};

const find = {
  entries: query<MovementRow, OfMember & { type: string | null; limit: number }>(
    newest(
      `(SELECT p.realm_point_id FROM point_kinds p WHERE ${KINDS}) source`,
      'entries',
      `${entriesOf('source.realm_point_id')} AND (CAST(:type AS TEXT) IS NULL OR e.type = :type)`,
    ),
    movementRow,
  ),
  movements: query<MovementRow, OfRealm & Range & { types: readonly string[]; limit: number }>(
    newest(
      ({ list }) => `(SELECT p.realm_point_id, t.value AS type FROM point_kinds p
        CROSS JOIN ${list(':types', 'text', 't')} WHERE ${KINDS}) source`,
      'movements',
      `e.realm_id = :realmId AND e.realm_point_id = source.realm_point_id
         AND e.type = source.type AND e.seq < :before`,
    ),
    movementRow,
  ),
  kindsWithEntries: query<{ count: number }, OfMember>(
    `SELECT count(*) AS count FROM point_kinds p WHERE ${KINDS}
       AND (SELECT 1 FROM entries e
         WHERE ${entriesOf('p.realm_point_id')} AND e.seq >= :from LIMIT 1) IS NOT NULL`,
  ),
  // The rest of a kind begins at the first entry beyond its share of those that are looked
  // through. Above all rests, nothing is left out.
  lookedDownTo: query<{ seq: number | null }, OfMember & { share: number }>(
    `SELECT max((SELECT e.seq FROM entries e
       WHERE ${entriesOf('p.realm_point_id')} AND e.seq >= :from
       ORDER BY e.seq DESC LIMIT 1 OFFSET :share)) + 1 AS seq
     FROM point_kinds p WHERE ${KINDS}`,
  ),
  balancesBefore: query<
    PastBalance & { place: number },
    { realmId: string; memberId: string; seqs: readonly number[] }
  >(
    ({ list }) =>
      `SELECT wanted.place, p.realm_point_id AS "realmPointId", p.is_default AS "isDefault",
         coalesce((SELECT e.balance FROM entries e
           WHERE e.realm_id = :realmId AND e.member_id = :memberId
             AND e.realm_point_id = p.realm_point_id AND e.seq < wanted.value
           ORDER BY e.seq DESC LIMIT 1), 0) AS balance
       FROM point_kinds p CROSS JOIN ${list(':seqs', 'bigint', 'wanted')}
       WHERE p.realm_id = :realmId ORDER BY p.realm_point_id`,
  ),
  // A binary search: records are in order of time. Since a clock that was ahead has been set back,
  // those that followed are in order of their true instants ("since" is the first of them).
  firstSeqsFrom: query<{ seq: number }, { realmId: string; instants: readonly number[] }>(
    ({ list, each, field, millis }) => {
      const occurredAt = millis(field('j.data', 'occurredAt'));
      const isBefore = `CASE WHEN s.since IS NULL THEN j.at ELSE ${occurredAt} END < s.instant`;
      return `WITH RECURSIVE search(place, instant, low, high, since) AS (
          SELECT place, instant, coalesce(since, 1),
            CASE WHEN since IS NULL THEN coalesce(set_back_seq, seq + 1) ELSE seq + 1 END, since
          FROM (SELECT wanted.place, wanted.value AS instant, r.seq, r.set_back_seq,
              (SELECT j.seq FROM journal j WHERE j.realm_id = :realmId
                 AND j.seq = r.set_back_seq AND ${occurredAt} < wanted.value) AS since
            FROM realms r CROSS JOIN ${list(':instants', 'bigint', 'wanted')}
            WHERE r.realm_id = :realmId) wanted
          UNION ALL
          SELECT s.place, s.instant, CASE WHEN ${isBefore} THEN j.seq + 1 ELSE s.low END,
            CASE WHEN ${isBefore} THEN s.high ELSE j.seq END, s.since
          FROM search s ${each(
            'journal',
            'j',
            'j.realm_id = :realmId AND j.seq = (s.low + s.high) / 2',
          )} WHERE s.low < s.high)
        SELECT low AS seq FROM search WHERE low >= high ORDER BY place`;
    },
  ),
};

/** The first record at or after each instant. A realm that is being deleted may lack some. */
function* firstSeqsFrom(realmId: string, instants: readonly number[]): Operation<number[]> {
  const found = yield* all(find.firstSeqsFrom, { realmId, instants });
  return found.length === instants.length ? found.map(({ seq }) => seq) : [];
}

function* rangeOf({ realmId, from, to, before }: StatementParams): Operation<Range> {
  const last = before ?? Number.MAX_SAFE_INTEGER;
  if (from === null && to === null) return { from: 1, before: last };
  const instants = [from || 0, to ?? Number.MAX_SAFE_INTEGER];
  const [first = 1, end = last] = yield* firstSeqsFrom(realmId, instants);
  return { from: first, before: Math.min(end, last) };
}

const askEntries = (
  { realmId, memberId, realmPointId, type, limit }: QueryParams<'statement'>,
  range: Range,
): Asked<MovementRow[]> =>
  ask(find.entries, { realmId, memberId, realmPointId, ...range, type, limit: limit + 1 });

function* memberStatement(params: QueryParams<'statement'>): Operation<StatementPage | null> {
  const { realmId, memberId, type, limit } = params;
  const range = yield* rangeOf(params);
  if (type !== null) return yield* statementOfType(params, range);
  const [[present], found] = yield* together(
    askPresent(realmId, memberId),
    askEntries(params, range),
  );
  return present ? pageOfTransactions(found, limit, null, memberId) : null;
}

/** Each kind has an equal share of the entries to look through, among those that have any. */
function* statementOfType(
  params: QueryParams<'statement'>,
  range: Range,
): Operation<StatementPage | null> {
  const { realmId, memberId, realmPointId, limit } = params;
  const entries = { realmId, memberId, realmPointId, ...range };
  const [[present], [kinds]] = yield* together(
    askPresent(realmId, memberId),
    ask(find.kindsWithEntries, entries),
  );
  if (!present) return null;
  let page: StatementPage = { rows: [], next: null };
  for (const budget of scanBudgets(limit)) {
    const share = Math.floor(budget / Math.max(1, kinds?.count ?? 0));
    const rest = (yield* first(find.lookedDownTo, { ...entries, share }))?.seq ?? null;
    const from = rest ?? range.from;
    const [found] = yield* together(askEntries(params, { ...range, from }));
    page = pageOfTransactions(found, limit, rest, memberId);
    if (rest === null || found.length > limit) break;
  }
  return page;
}

function* realmStatement(params: StatementParams): Operation<StatementPage> {
  const { realmId, realmPointId, type, limit } = params;
  const range = yield* rangeOf(params);
  const types = MOVEMENT_TYPES.filter((each) => type === null || each === type);
  const which = { realmId, realmPointId, ...range, types, limit: limit + 1 };
  return pageOfTransactions(yield* all(find.movements, which), limit, null);
}

/** Where all rows found are shown, the list goes on below `rest`, if anywhere. */
function pageOfTransactions(
  found: MovementRow[],
  limit: number,
  rest: number | null,
  memberId?: string,
): StatementPage {
  found.sort((a, b) => b.record.seq - a.record.seq);
  const bytesOf = ({ record }: MovementRow) => transactionBytes(record.data, record.personal);
  const { rows, hasMore } = pageOf(found, limit, bytesOf);
  const transactions = rows.flatMap(
    ({ record, reversal }) => transactionOf(record, reversal, memberId) ?? [],
  );
  return { rows: transactions, next: hasMore ? (rows.at(-1)?.record.seq ?? null) : rest };
}

/** The balances are looked up once for all instants between which nothing was recorded. */
function* balanceHistory({
  realmId,
  memberId,
  instants,
}: QueryParams<'balanceHistory'>): Operation<PastBalances[] | null> {
  const before = yield* firstSeqsFrom(
    realmId,
    instants.map((at) => at + 1),
  );
  const seqs = [...new Set(before)];
  const [[present], balances] = yield* together(
    askPresent(realmId, memberId),
    ask(find.balancesBefore, { realmId, memberId, seqs }),
  );
  if (!present || before.length < instants.length) return null;
  const found = Map.groupBy(balances, ({ place }) => seqs[place]);
  const views = new Map(seqs.map((seq) => [seq, pastBalancesView(found.get(seq) ?? [])]));
  return before.map((seq) => views.get(seq) as PastBalances);
}

/** Answers the queries about movements of points and past balances. */
export const statementReaders = {
  statement: memberStatement,
  transactions: realmStatement,
  balanceHistory,
  *balancesAt({ realmId, memberId, at }) {
    return (yield* balanceHistory({ realmId, memberId, instants: [at] }))?.[0] ?? null;
  },
} satisfies Partial<Readers>;
