import type { DatabaseSync } from 'node:sqlite';
import { keyView } from '../../domain/keys.rules.ts';
import type { SyncReader } from '../../domain/queries.ts';
import { prepare, schemaVersion } from './database.ts';
import { memberReader } from './member-reader.ts';
import { migrations } from './migrations.ts';
import * as rows from './rows.ts';

export function sqliteReader(db: DatabaseSync): SyncReader {
  const realm = prepare<rows.RealmSqlRow, [string]>(
    db,
    `SELECT ${rows.REALM_COLUMNS} FROM realms WHERE realm_id = ?`,
  );
  const realms = prepare<rows.RealmSqlRow, [string, number]>(
    db,
    `SELECT ${rows.REALM_COLUMNS} FROM realms WHERE realm_id > ? ORDER BY realm_id LIMIT ?`,
  );
  const apiKey = prepare<rows.ApiKeySqlRow, [string]>(
    db,
    `SELECT ${rows.API_KEY_COLUMNS} FROM api_keys WHERE key_id = ?`,
  );
  const apiKeys = prepare<rows.ApiKeySqlRow, [string, string, number]>(
    db,
    `SELECT ${rows.API_KEY_COLUMNS} FROM api_keys
     WHERE realm_id = ? AND key_id > ? AND revoked_at IS NULL ORDER BY key_id LIMIT ?`,
  );
  const service = prepare<{ value: string }, [string]>(
    db,
    'SELECT value FROM service WHERE name = ?',
  );
  return {
    ...memberReader(db),
    realm: ({ realmId }) => {
      const row = realm.get(realmId);
      return row ? rows.realmOf(row) : null;
    },
    realms: ({ after, limit }) => realms.all(after ?? '', limit).map(rows.realmOf),
    apiKeys: ({ realmId, after, limit }) =>
      apiKeys
        .all(realmId, after ?? '', limit)
        .map(rows.apiKeyOf)
        .map(keyView),
    apiKey: ({ keyId }) => {
      const row = apiKey.get(keyId);
      return row ? rows.apiKeyOf(row) : null;
    },
    rootKeyHash: () => service.get('root_key_hash')?.value ?? null,
    ready: () => schemaVersion(db) === migrations.length,
  };
}
