import type { Reversal } from '../../domain/facts.ts';
import type { ProjectionQuery, Reader, VerificationQuery } from '../../domain/queries.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { pageOfSmall } from '../../domain/rules/pages.ts';
import { transactionOf } from '../../domain/rules/statements.ts';
import { keyView, realmView } from '../../domain/rules/views.ts';
import { sessions, tables } from '../tables/tables.ts';
import { erasingRealms } from './erasure.ts';
import { holdReader } from './hold-reader.ts';
import type { KeyDirectory } from './key-directory.ts';
import { memberReader } from './member-reader.ts';
import { readPage } from './pages.ts';
import type { SharedPool } from './pools.ts';
import { columnsOf, rowsOf } from './rows.ts';
import { statement } from './statement.ts';
import { webhookReader } from './webhooks.ts';

const realms = rowsOf(tables.realms);
const keys = rowsOf(tables.apiKeys);

const find = {
  realm: realms.select<[string]>('WHERE realm_id = $1 AND deleted_at IS NULL'),
  realms: realms.select<[string, number]>(
    'WHERE realm_id > $1 AND deleted_at IS NULL ORDER BY realm_id LIMIT $2',
  ),
  deletedRealms: statement<{ realm_id: string }, [number]>(
    'SELECT realm_id FROM realms WHERE deleted_at IS NOT NULL ORDER BY realm_id LIMIT $1',
  ),
  kinds: rowsOf(tables.kinds).select<[string]>('WHERE realm_id = $1 ORDER BY realm_point_id'),
  assets: rowsOf(tables.assets).select<[string]>('WHERE realm_id = $1 ORDER BY asset_id'),
  apiKey: keys.select<[string, string]>('WHERE realm_id = $1 AND key_id = $2'),
  apiKeys: keys.select<[string, string, number]>(
    'WHERE realm_id = $1 AND key_id > $2 AND revoked_at IS NULL ORDER BY key_id LIMIT $3',
  ),
  session: rowsOf(sessions).select<[string]>('WHERE session_id = $1'),
  sessions: rowsOf(sessions).select<[string]>(
    'WHERE key_id = $1 AND is_code = 0 ORDER BY created_at DESC',
  ),
  record: statement<JournalRecord & { reversal: Reversal | null }, [string, number]>(
    `SELECT ${columnsOf(tables.records)}, (SELECT row_to_json(r) FROM
         (SELECT ${columnsOf(tables.reversals)} FROM reversals
          WHERE realm_id = $1 AND seq = $2::bigint) r) AS reversal
     FROM journal WHERE realm_id = $1 AND seq = $2::bigint`,
  ),
  records: rowsOf(tables.records).select<[string, number, number]>(
    'WHERE realm_id = $1 AND seq > $2::bigint ORDER BY seq LIMIT $3',
  ),
  lastSeq: statement<{ seq: number }, [string]>(
    'SELECT seq FROM realms WHERE realm_id = $1 AND deleted_at IS NULL',
  ),
  lastSeqs: statement<{ realm_id: string; seq: number }, [string[]]>(
    'SELECT realm_id, seq FROM realms WHERE realm_id = ANY ($1::text[]) AND deleted_at IS NULL',
  ),
  note: statement<{ value: string }, [string]>('SELECT value FROM service WHERE name = $1'),
};

/** Answers every query that needs no projection. */
export function postgresReader(
  readers: SharedPool,
  keyReaders: SharedPool,
  realmOf: KeyDirectory,
): Omit<Reader, ProjectionQuery | VerificationQuery | 'ready'> {
  return {
    ...memberReader(readers),
    ...holdReader(readers),
    ...webhookReader(readers),
    realm: async ({ realmId }) => {
      const realm = await readers.first(find.realm, realmId);
      return realm && realmView(realm);
    },
    realms: async ({ after, limit }) => {
      const found = await readers.query(find.realms, after ?? '', limit + 1);
      return pageOfSmall(found.map(realmView), limit);
    },
    deletedRealms: async ({ limit }) =>
      (await readers.query(find.deletedRealms, limit)).map(({ realm_id }) => realm_id),
    erasingRealms: ({ limit }) => readers.query(erasingRealms, limit),
    kinds: ({ realmId }) => readers.query(find.kinds, realmId),
    assets: ({ realmId }) => readers.query(find.assets, realmId),
    apiKeys: async ({ realmId, after, limit }) => {
      const found = await readers.query(find.apiKeys, realmId, after ?? '', limit + 1);
      return pageOfSmall(found.map(keyView), limit);
    },
    apiKey: async ({ keyId }) => {
      const realmId = await realmOf(keyId);
      if (realmId === null) return null;
      const [key, realm] = await Promise.all([
        keyReaders.first(find.apiKey, realmId, keyId),
        keyReaders.first(find.realm, realmId),
      ]);
      return key && realm && { ...key, rateLimit: realm.settings.rateLimit };
    },
    session: ({ sessionId }) => keyReaders.first(find.session, sessionId),
    sessions: ({ keyId }) => readers.query(find.sessions, keyId),
    transaction: async ({ realmId, seq }) => {
      const found = await readers.first(find.record, realmId, seq);
      return found && transactionOf(found, found.reversal ?? undefined);
    },
    records: ({ realmId, after, limit }) =>
      readPage<JournalRecord, JournalRecord>(
        { realmId, limit },
        (last, count) => readers.query(find.records, realmId, last?.seq ?? after, count),
        (record) => record,
      ),
    lastSeq: async ({ realmId }) => (await readers.first(find.lastSeq, realmId))?.seq ?? 0,
    lastSeqs: async ({ realmIds }) => {
      const found = await readers.query(find.lastSeqs, realmIds);
      const seqs = new Map(found.map(({ realm_id, seq }) => [realm_id, seq]));
      return realmIds.map((realmId) => seqs.get(realmId) ?? null);
    },
    note: async ({ name }) => (await readers.first(find.note, name))?.value ?? null,
  };
}
