import type { Reversal } from '../../domain/facts.ts';
import type { ApiKeyRow, Asset, PointKind, RealmRow, Session } from '../../domain/model.ts';
import type { ActiveDay, DailyTotals, Sums } from '../../domain/rules/daily-totals.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { jsonBytes, pageOf, pageOfSmall } from '../../domain/rules/pages.ts';
import { transactionsOf } from '../../domain/rules/statements.ts';
import { keyView, realmTotalsView, realmView } from '../../domain/rules/views.ts';
import { erasingRealms } from '../erasure.ts';
import { find as facts } from '../fact-look-ups.ts';
import { realmOfKey } from '../key-directory.ts';
import { rowWithKey, selectRows } from '../rows.ts';
import { sessions } from '../service-tables.ts';
import { all, ask, askRows, first, firstOrNull, query, together } from '../statement.ts';
import { tables } from '../tables.ts';
import type { Readers } from './readers.ts';

type InRealm = { realmId: string };
type After = { after: string; limit: number };
type Seq = { seq: number };

const find = {
  realm: rowWithKey<RealmRow, InRealm>(tables.realms, 'AND deleted_at IS NULL'),
  realms: selectRows<RealmRow, After>(
    tables.realms,
    'WHERE realm_id > :after AND deleted_at IS NULL ORDER BY realm_id LIMIT :limit',
  ),
  deletedRealms: query<InRealm, { limit: number }>(
    `SELECT realm_id AS "realmId" FROM realms WHERE deleted_at IS NOT NULL
     ORDER BY realm_id LIMIT :limit`,
  ),
  kinds: selectRows<PointKind, InRealm>(
    tables.kinds,
    'WHERE realm_id = :realmId ORDER BY realm_point_id',
  ),
  assets: selectRows<Asset, InRealm>(tables.assets, 'WHERE realm_id = :realmId ORDER BY asset_id'),
  apiKey: rowWithKey<ApiKeyRow, InRealm & { keyId: string }>(tables.apiKeys),
  apiKeys: selectRows<ApiKeyRow, InRealm & After>(
    tables.apiKeys,
    `WHERE realm_id = :realmId AND key_id > :after AND revoked_at IS NULL
     ORDER BY key_id LIMIT :limit`,
  ),
  session: rowWithKey<Session, { sessionId: string }>(sessions),
  sessions: selectRows<Session, { keyId: string }>(
    sessions,
    'WHERE key_id = :keyId AND is_code = 0 ORDER BY created_at DESC',
  ),
  record: rowWithKey<JournalRecord, InRealm & Seq>(tables.records),
  records: selectRows<JournalRecord, InRealm & { after: number; limit: number }>(
    tables.records,
    'WHERE realm_id = :realmId AND seq > :after ORDER BY seq LIMIT :limit',
  ),
  reversal: rowWithKey<Reversal, InRealm & Seq>(tables.reversals),
  lastSeq: query<Seq, InRealm>(
    'SELECT seq FROM realms WHERE realm_id = :realmId AND deleted_at IS NULL',
  ),
  lastSeqs: query<Seq & InRealm, { realmIds: readonly string[] }>(
    ({ list, each }) =>
      `SELECT r.realm_id AS "realmId", r.seq FROM ${list(':realmIds', 'text', 'wanted')}
       ${each('realms', 'r', 'r.realm_id = wanted.value AND r.deleted_at IS NULL')}`,
  ),
  note: query<{ value: string }, { name: string }>('SELECT value FROM service WHERE name = :name'),
  notes: query<{ name: string; value: string }, { prefix: string }>(
    `SELECT name, value FROM service WHERE name > :prefix AND name < :prefix || '~' ORDER BY name`,
  ),
};

export const realmReaders = {
  *realm(which) {
    const realm = yield* first(find.realm, which);
    return realm ? realmView(realm) : null;
  },
  *realms({ after, limit }) {
    const found = yield* all(find.realms, { after: after ?? '', limit: limit + 1 });
    return pageOfSmall(found.map(realmView), limit);
  },
  *deletedRealms({ limit }) {
    return (yield* all(find.deletedRealms, { limit })).map(({ realmId }) => realmId);
  },
  erasingRealms,
  kinds: ({ realmId }) => all(find.kinds, { realmId }),
  assets: ({ realmId }) => all(find.assets, { realmId }),
  *apiKeys({ realmId, after, limit }) {
    const found = yield* all(find.apiKeys, { realmId, after: after ?? '', limit: limit + 1 });
    return pageOfSmall(found.map(keyView), limit);
  },
  *apiKey({ keyId }) {
    const realmId = yield* realmOfKey(keyId);
    if (realmId === null) return null;
    const [[key], [realm]] = yield* together(
      ask(find.apiKey, { realmId, keyId }),
      ask(find.realm, { realmId }),
    );
    return key && realm ? { ...key, rateLimit: realm.settings.rateLimit } : null;
  },
  session: (which) => firstOrNull(find.session, which),
  sessions: ({ keyId }) => all(find.sessions, { keyId }),
  *transaction({ realmId, seq }) {
    const [[record], [reversal]] = yield* together(
      ask(find.record, { realmId, seq }),
      ask(find.reversal, { realmId, seq }),
    );
    return (record && transactionsOf(record, reversal)[0]) ?? null;
  },
  *records({ realmId, after, limit }) {
    return pageOf(yield* all(find.records, { realmId, after, limit: limit + 1 }), limit, jsonBytes);
  },
  *lastSeq({ realmId }) {
    return (yield* first(find.lastSeq, { realmId }))?.seq ?? 0;
  },
  *lastSeqs({ realmIds }) {
    const found = yield* all(find.lastSeqs, { realmIds });
    const seqs = new Map(found.map(({ realmId, seq }) => [realmId, seq]));
    return realmIds.map((realmId) => ({ realmId, seq: seqs.get(realmId) ?? null }));
  },
  *note({ name }) {
    return (yield* first(find.note, { name }))?.value ?? null;
  },
  notes: (which) => all(find.notes, which),
} satisfies Partial<Readers>;

type Days = InRealm & { from: number; to: number };

const totals = {
  sums: query<Sums & { realmPointId: string }, InRealm>(
    ({ total }) =>
      `SELECT realm_point_id AS "realmPointId", ${total('issued')} AS issued,
         ${total('spent')} AS spent, ${total('opened')} AS opened, ${total('held')} AS held
       FROM daily_totals WHERE realm_id = :realmId GROUP BY realm_point_id`,
  ),
  // Who had not been active since the first day, or in the week, counts there as one more.
  activeDays: query<ActiveDay, Days>(() => {
    // PostgreSQL adds integers much faster than what is larger.
    const those = (condition: string): string =>
      `sum(CASE WHEN ${condition} THEN CAST(member_count AS integer) ELSE 0 END)`;
    return `SELECT day, ${those('TRUE')} AS "activeMembers",
        ${those('previous < :from')} AS "ofPeriod", ${those('previous < 0')} AS "newMembers",
        ${those('previous BETWEEN 0 AND day - (day + 3) % 7 - 1')} AS "returningMembers"
      FROM active_members WHERE realm_id = :realmId AND day BETWEEN :from AND :to GROUP BY day`;
  }),
  days: selectRows<DailyTotals, Days>(
    tables.days,
    `WHERE realm_id = :realmId AND day BETWEEN :from AND :to ORDER BY day, realm_point_id`,
  ),
};

export const totalsReaders = {
  *realmTotals({ realmId }) {
    const [[realm], kinds, [members], sums] = yield* together(
      ask(find.realm, { realmId }),
      ask(find.kinds, { realmId }),
      askRows(facts.memberCount, [realmId], [realmId]),
      ask(totals.sums, { realmId }),
    );
    if (!realm) return null;
    const ofKinds = kinds.map(({ id, isDefault }) => ({ realmPointId: id, isDefault }));
    return realmTotalsView(realm, members?.row ?? 0, ofKinds, sums);
  },
  activeDays: (params) => all(totals.activeDays, params),
  dailyTotals: ({ realmId, from, to }) => all(totals.days, { realmId, from, to }),
} satisfies Partial<Readers>;
