import type { DatabaseSync } from 'node:sqlite';
import type { ProjectionQuery, Reader } from '../../domain/queries.ts';
import { keyView } from '../../domain/rules/keys.ts';
import { prepare, schemaVersion } from './database.ts';
import { journalReader } from './journal-reader.ts';
import { memberReader } from './member-reader.ts';
import { migrations } from './migrations.ts';
import * as rows from './rows.ts';
import type { Verifier } from './verify.ts';

function statements(db: DatabaseSync) {
  const realms = `SELECT ${rows.REALM_COLUMNS} FROM realms`;
  const keys = `SELECT ${rows.API_KEY_COLUMNS} FROM api_keys`;
  return {
    realm: prepare<rows.RealmSqlRow, [string]>(db, `${realms} WHERE realm_id = ?`),
    realms: prepare<rows.RealmSqlRow, [string, number]>(
      db,
      `${realms} WHERE realm_id > ? ORDER BY realm_id LIMIT ?`,
    ),
    kinds: prepare<rows.PointKindSqlRow, [string]>(
      db,
      `SELECT ${rows.POINT_KIND_COLUMNS} FROM point_kinds
       WHERE realm_id = ? ORDER BY realm_point_id`,
    ),
    assets: prepare<rows.AssetSqlRow, [string]>(
      db,
      `SELECT ${rows.ASSET_COLUMNS} FROM assets WHERE realm_id = ? ORDER BY asset_id`,
    ),
    hold: prepare<rows.HoldSqlRow, [string, number]>(
      db,
      `SELECT ${rows.HOLD_COLUMNS} FROM holds WHERE realm_id = ?1 AND hold_id = ?2
         AND EXISTS (SELECT 1 FROM members m WHERE m.realm_id = ?1
           AND m.member_id = holds.member_id AND m.status <> 'removed')`,
    ),
    dueHolds: prepare<{ realmId: string; holdId: number }, [number, number]>(
      db,
      `SELECT realm_id AS realmId, hold_id AS holdId FROM holds
       WHERE status = 'open' AND expires_at <= ? LIMIT ?`,
    ),
    apiKey: prepare<rows.ApiKeySqlRow, [string]>(db, `${keys} WHERE key_id = ?`),
    apiKeys: prepare<rows.ApiKeySqlRow, [string, string, number]>(
      db,
      `${keys} WHERE realm_id = ? AND key_id > ? AND revoked_at IS NULL ORDER BY key_id LIMIT ?`,
    ),
    service: prepare<{ value: string }, [string]>(db, 'SELECT value FROM service WHERE name = ?'),
  };
}

const orNull = <Row, View>(row: Row | undefined, view: (row: Row) => View): View | null =>
  row === undefined ? null : view(row);

/** Answers every question that the books themselves answer. */
export function sqliteReader(db: DatabaseSync, verifier: Verifier): Omit<Reader, ProjectionQuery> {
  const find = statements(db);
  return {
    ...memberReader(db),
    ...journalReader(db),
    realm: ({ realmId }) => orNull(find.realm.get(realmId), rows.realmOf),
    realms: ({ after, limit }) => find.realms.all(after ?? '', limit).map(rows.realmOf),
    kinds: ({ realmId }) => find.kinds.all(realmId).map(rows.kindOf),
    assets: ({ realmId }) => find.assets.all(realmId).map(rows.assetOf),
    hold: ({ realmId, holdId }) => orNull(find.hold.get(realmId, holdId), rows.holdOf),
    dueHolds: ({ now, limit }) => find.dueHolds.all(now, limit),
    apiKeys: ({ realmId, after, limit }) =>
      find.apiKeys
        .all(realmId, after ?? '', limit)
        .map(rows.apiKeyOf)
        .map(keyView),
    apiKey: ({ keyId }) => orNull(find.apiKey.get(keyId), rows.apiKeyOf),
    note: ({ name }) => orNull(find.service.get(name), (row) => row.value),
    ready: () => schemaVersion(db) === migrations.length,
    verify: ({ realmId }) => verifier.verify(realmId),
  };
}
