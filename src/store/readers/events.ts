import { POINTS_TYPES } from '../../domain/movements.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { jsonBytes, pageOf } from '../../domain/rules/pages.ts';
import { selectRows, textOf } from '../rows.ts';
import { BY_TYPE } from '../schema.ts';
import { all, ask, query, type Text, together } from '../statement.ts';
import { columnsOf, decodeRow } from '../table.ts';
import { tables } from '../tables.ts';
import type { Readers } from './readers.ts';

type Before = { realmId: string; before: number; limit: number };
type OfTypes = Before & { types: readonly string[]; from: number };

/** Records are ordered within a type; the newest of all make up the page. */
const newestOf = (sources: Text, table: string, condition: string) =>
  query<JournalRecord, OfTypes>(
    (dialect) =>
      `SELECT ${columnsOf(dialect, tables.records, 'j')}
       FROM (SELECT e.seq FROM ${textOf(dialect, sources)}
         ${dialect.newest(table, 'e', `e.realm_id = :realmId AND ${condition} AND e.seq < :before`)}
         ORDER BY e.seq DESC LIMIT :limit) e
       ${dialect.each('journal', 'j', 'j.realm_id = :realmId AND j.seq = e.seq')}`,
    (values) => decodeRow(tables.records, values),
  );

const find = {
  newest: selectRows<JournalRecord, Before>(
    tables.records,
    'WHERE realm_id = :realmId AND seq < :before ORDER BY seq DESC LIMIT :limit',
  ),
  // An index of all records by type would cost every movement, and those have a table by type.
  movements: newestOf(
    ({ list }) => `(SELECT p.realm_point_id, t.value AS type FROM point_kinds p
      CROSS JOIN ${list(':types', 'text', 't')} WHERE p.realm_id = :realmId) source`,
    'movements',
    'e.realm_point_id = source.realm_point_id AND e.type = source.type',
  ),
  others: newestOf(
    ({ list }) => list(':types', 'text', 'source'),
    'journal',
    `e.type = source.value AND ${BY_TYPE}`,
  ),
  claims: query<JournalRecord, Before>(
    (dialect) =>
      `SELECT ${columnsOf(dialect, tables.records, 'j')}
       FROM (SELECT claim_id FROM claims WHERE realm_id = :realmId AND claim_id < :before
         ORDER BY claim_id DESC LIMIT :limit) e
       ${dialect.each('journal', 'j', 'j.realm_id = :realmId AND j.seq = e.claim_id')}`,
    (values) => decodeRow(tables.records, values),
  ),
};

/** Answers the query for the newest events. */
export const eventReaders = {
  *newestRecords({ realmId, before, types, limit }) {
    const which = { realmId, before, from: 1, limit: limit + 1 };
    if (types === null) return pageOf(yield* all(find.newest, which), limit, jsonBytes);
    const movements = POINTS_TYPES.filter((type) => types.includes(type));
    const claimed = types.includes('offer.claimed');
    const isOther = (type: string) =>
      type !== 'offer.claimed' && !movements.includes(type as never);
    const found = yield* together(
      ask(find.movements, { ...which, types: movements }),
      ask(find.claims, { ...which, limit: claimed ? which.limit : 0 }),
      ask(find.others, { ...which, types: types.filter(isOther) }),
    );
    const newest = found.flat().sort((a, b) => b.seq - a.seq);
    return pageOf(newest.slice(0, limit + 1), limit, jsonBytes);
  },
} satisfies Partial<Readers>;
