import type { DatabaseSync } from 'node:sqlite';
import type { Reversal } from '../../domain/facts.ts';
import type {
  ErasingRealm,
  ProjectionQuery,
  Reader,
  VerificationQuery,
} from '../../domain/queries.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { jsonBytes, pageOf, pageOfSmall } from '../../domain/rules/pages.ts';
import { transactionOf } from '../../domain/rules/statements.ts';
import { keyView, realmView } from '../../domain/rules/views.ts';
import { NOT_MIGRATED } from '../readiness.ts';
import { sessions, tables } from '../tables/tables.ts';
import { openForReading, schemaVersion } from './database.ts';
import { erasingRealms } from './erasure.ts';
import { holdReader } from './hold-reader.ts';
import { memberReader } from './member-reader.ts';
import { migrations } from './migrations.ts';
import { rowByKey, rowsOf, statementsOn } from './rows.ts';
import { webhookReader } from './webhooks.ts';

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  const realms = rowsOf(db, tables.realms);
  const keys = rowsOf(db, tables.apiKeys);
  return {
    realm: realms.select<[string]>('WHERE realm_id = ? AND deleted_at IS NULL'),
    realms: realms.select<[string, number]>(
      'WHERE realm_id > ? AND deleted_at IS NULL ORDER BY realm_id LIMIT ?',
    ),
    deletedRealms: sql.values<string, [number]>(
      'SELECT realm_id FROM realms WHERE deleted_at IS NOT NULL ORDER BY realm_id LIMIT ?',
    ),
    erasingRealms: sql.all<ErasingRealm, [number]>(erasingRealms),
    kinds: rowsOf(db, tables.kinds).select<[string]>('WHERE realm_id = ? ORDER BY realm_point_id'),
    assets: rowsOf(db, tables.assets).select<[string]>('WHERE realm_id = ? ORDER BY asset_id'),
    apiKey: keys.select<[string]>('WHERE key_id = ?'),
    apiKeys: keys.select<[string, string, number]>(
      'WHERE realm_id = ? AND key_id > ? AND revoked_at IS NULL ORDER BY key_id LIMIT ?',
    ),
    session: rowsOf(db, sessions).select<[string]>('WHERE session_id = ?'),
    sessions: rowsOf(db, sessions).select<[string]>(
      'WHERE key_id = ? AND is_code = 0 ORDER BY created_at DESC',
    ),
    record: rowByKey<JournalRecord, number>(db, tables.records),
    records: rowsOf(db, tables.records).select<[string, number, number]>(
      'WHERE realm_id = ? AND seq > ? ORDER BY seq LIMIT ?',
    ),
    reversal: rowByKey<Reversal, number>(db, tables.reversals),
    lastSeq: sql.value<number, [string]>(
      'SELECT seq FROM realms WHERE realm_id = ? AND deleted_at IS NULL',
    ),
    note: sql.value<string, [string]>('SELECT value FROM service WHERE name = ?'),
  };
}

/** Answers the queries that read the main database file, not the projections. */
export function sqliteReader(db: DatabaseSync): Omit<Reader, ProjectionQuery | VerificationQuery> {
  const find = statements(db);
  return {
    ...memberReader(db),
    ...holdReader(db),
    ...webhookReader(db),
    realm: ({ realmId }) => {
      const realm = find.realm.get(realmId);
      return realm ? realmView(realm) : null;
    },
    realms: ({ after, limit }) =>
      pageOfSmall(find.realms.all(after ?? '', limit + 1).map(realmView), limit),
    deletedRealms: ({ limit }) => find.deletedRealms(limit),
    erasingRealms: ({ limit }) => find.erasingRealms(limit),
    kinds: ({ realmId }) => find.kinds.all(realmId),
    assets: ({ realmId }) => find.assets.all(realmId),
    apiKeys: ({ realmId, after, limit }) =>
      pageOfSmall(find.apiKeys.all(realmId, after ?? '', limit + 1).map(keyView), limit),
    apiKey: ({ keyId }) => {
      const key = find.apiKey.get(keyId);
      const realm = key && find.realm.get(key.realmId);
      return realm ? { ...key, rateLimit: realm.settings.rateLimit } : null;
    },
    session: ({ sessionId }) => find.session.get(sessionId) ?? null,
    sessions: ({ keyId }) => find.sessions.all(keyId),
    transaction: ({ realmId, seq }) => {
      const record = find.record.get(realmId, seq);
      return record ? transactionOf(record, find.reversal.get(realmId, seq)) : null;
    },
    records: ({ realmId, after, limit }) =>
      pageOf(find.records.iterate(realmId, after, limit + 1), limit, jsonBytes),
    lastSeq: ({ realmId }) => find.lastSeq(realmId) ?? 0,
    lastSeqs: ({ realmIds }) => realmIds.map((realmId) => find.lastSeq(realmId) ?? null),
    note: ({ name }) => find.note(name) ?? null,
    ready: () => (schemaVersion(db) >= migrations.length ? [] : [NOT_MIGRATED]),
  };
}

/** A connection that only reads the main database file, for a thread of its own. */
export function openSqliteReader(path: string) {
  const db = openForReading(path);
  return {
    reader: sqliteReader(db),
    /**
     * Runs queries in one transaction, so that they see the same state: a rank fits its total. And
     * a statement inside a transaction takes half the time of one outside.
     */
    together: (work: () => void) => {
      db.exec('BEGIN');
      try {
        work();
      } finally {
        // A failed read may have ended the transaction.
        if (db.isTransaction) db.exec('COMMIT');
      }
    },
    close: () => db.close(),
  };
}
