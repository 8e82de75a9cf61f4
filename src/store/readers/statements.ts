import { MOVEMENT_TYPES } from '../../domain/movements.ts';
import type { PastBalances, QueryParams, StatementParams } from '../../domain/queries.ts';
import { OF_REALM } from '../../domain/rules/projections.ts';
import { type StatementPage, scanBudgets } from '../../domain/rules/statements.ts';
import { type PastBalance, pastBalancesView } from '../../domain/rules/views.ts';
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
import { askPresent } from './members.ts';
import {
  kindsAndTypes,
  type MovementRow,
  movementRow,
  movementsAt,
  newestSeqs,
  pageOfTransactions,
} from './movement-rows.ts';
import type { Readers } from './readers.ts';

/** The records with a `seq` of at least `from`, and below `before`. */
type Range = { from: number; before: number };

type OfRealm = { realmId: string; realmPointId: string | null };
type OfMember = OfRealm & Range & { memberId: string };
type OfReference = Range & { realmId: string; reference: string; memberId: string; limit: number };
type OfKey = { realmId: string; key: string; types: readonly string[] };

/** The kinds of points that a statement is about. */
const KINDS = `p.realm_id = :realmId
  AND (CAST(:realmPointId AS TEXT) IS NULL OR p.realm_point_id = :realmPointId)`;

const entriesOf = (kind: string): string =>
  `e.realm_id = :realmId AND e.member_id = :memberId AND e.realm_point_id = ${kind}
   AND e.seq < :before`;

const newest = (...of: Parameters<typeof newestSeqs>): Text => movementsAt(newestSeqs(...of));

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
      kindsAndTypes(KINDS),
      'movements',
      `e.realm_id = :realmId AND e.realm_point_id = source.realm_point_id
         AND e.type = source.type AND e.seq < :before`,
    ),
    movementRow,
  ),
  referring: query<MovementRow, OfReference>(
    movementsAt(
      `SELECT e.seq FROM movement_references e
       WHERE e.realm_id = :realmId AND e.reference = :reference AND e.member_id = :memberId
         AND e.seq >= :from AND e.seq < :before ORDER BY e.seq DESC LIMIT :limit`,
    ),
    movementRow,
  ),
  // The records of a command are few, and follow each other.
  ofKey: query<MovementRow, OfKey & { before: number; limit: number }>(
    movementsAt(
      ({ isIn }) =>
        `SELECT e.seq FROM idempotency_keys k CROSS JOIN journal e
         WHERE k.realm_id = :realmId AND k.idempotency_key = :key AND e.realm_id = :realmId
           AND e.seq > k.seq - k.records AND e.seq <= k.seq AND e.seq < :before
           AND ${isIn('e.type', ':types', 'text')} ORDER BY e.seq DESC LIMIT :limit`,
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
  const { realmId, memberId, type, reference, limit } = params;
  const range = yield* rangeOf(params);
  if (type !== null) return yield* statementOfType(params, range);
  const [[present], found] = yield* together(
    askPresent(realmId, memberId),
    reference === undefined
      ? askEntries(params, range)
      : ask(find.referring, { realmId, reference, memberId, ...range, limit: limit + 1 }),
  );
  return present ? pageOfTransactions(found, limit, null, params) : null;
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
    page = pageOfTransactions(found, limit, rest, params);
    if (rest === null || found.length > limit) break;
  }
  return page;
}

function* realmStatement(params: StatementParams): Operation<StatementPage> {
  const { realmId, realmPointId, type, reference, limit } = params;
  const range = yield* rangeOf(params);
  if (reference !== undefined) {
    const which = { realmId, reference, memberId: OF_REALM, ...range, limit: limit + 1 };
    return pageOfTransactions(yield* all(find.referring, which), limit, null);
  }
  const types = MOVEMENT_TYPES.filter((each) => type === null || each === type);
  const which = { realmId, realmPointId, ...range, types, limit: limit + 1 };
  return pageOfTransactions(yield* all(find.movements, which), limit, null, { realmPointId });
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

export const statementReaders = {
  statement: memberStatement,
  transactions: realmStatement,
  *transactionsOfKey({ realmId, idempotencyKey: key, before, limit }) {
    const last = before ?? Number.MAX_SAFE_INTEGER;
    const which = { realmId, key, types: MOVEMENT_TYPES, before: last, limit: limit + 1 };
    return pageOfTransactions(yield* all(find.ofKey, which), limit, null);
  },
  balanceHistory,
  *balancesAt({ realmId, memberId, at }) {
    return (yield* balanceHistory({ realmId, memberId, instants: [at] }))?.[0] ?? null;
  },
} satisfies Partial<Readers>;
