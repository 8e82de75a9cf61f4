import { POINTS_TYPES } from '../../domain/movements.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { jsonBytes, pageOf } from '../../domain/rules/pages.ts';
import { selectRows, textOf } from '../rows.ts';
import { BY_TYPE } from '../schema.ts';
import { all, ask, query, type Text, together } from '../statement.ts';
import { columnsOf, decodeRow } from '../table.ts';
import { tables } from '../tables.ts';
import { kindsAndTypes, newestSeqs } from './movement-rows.ts';
import type { Readers } from './readers.ts';

type Before = { realmId: string; before: number; limit: number };
type OfTypes = Before & { types: readonly string[]; from: number };

const recordsAt = <P extends Before>(seqs: Text) =>
  query<JournalRecord, P>(
    (dialect) =>
      `SELECT ${columnsOf(dialect, tables.records, 'j')} FROM (${textOf(dialect, seqs)}) e
       ${dialect.each('journal', 'j', 'j.realm_id = :realmId AND j.seq = e.seq')}`,
    (values) => decodeRow(tables.records, values),
  );

const find = {
  newest: selectRows<JournalRecord, Before>(
    tables.records,
    'WHERE realm_id = :realmId AND seq < :before ORDER BY seq DESC LIMIT :limit',
  ),
  // An index of all records by type would cost every movement, and those have a table by type.
  movements: recordsAt<OfTypes>(
    newestSeqs(
      kindsAndTypes('p.realm_id = :realmId'),
      'movements',
      `e.realm_id = :realmId AND e.realm_point_id = source.realm_point_id
         AND e.type = source.type AND e.seq < :before`,
    ),
  ),
  others: recordsAt<OfTypes>(
    newestSeqs(
      ({ list }) => list(':types', 'text', 'source'),
      'journal',
      `e.realm_id = :realmId AND e.type = source.value AND ${BY_TYPE} AND e.seq < :before`,
    ),
  ),
  claims: recordsAt<Before>(
    `SELECT claim_id AS seq FROM claims WHERE realm_id = :realmId AND claim_id < :before
     ORDER BY claim_id DESC LIMIT :limit`,
  ),
};

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
