import type { DatabaseSync } from 'node:sqlite';
import type { ErasingRealm } from '../../domain/queries.ts';
import type { Inspection } from '../inspection.ts';
import { tables } from '../tables/tables.ts';
import { openReadOnly, refuseForeign, schemaVersion } from './database.ts';
import { erasingRealms } from './erasure.ts';
import { migrations } from './migrations.ts';
import { rowsOf, statementsOn } from './rows.ts';

/** Looks at an existing file, as it is at one instant. */
export async function inspectSqlite<T>(
  path: string,
  look: (inspection: Inspection) => Promise<T>,
): Promise<T> {
  using db = openReadOnly(path);
  db.exec('BEGIN');
  refuseForeign(db);
  return await look(inspectionOf(db));
}

/** Each statement is prepared when it is needed: an older database may lack its columns. */
const inspectionOf = (db: DatabaseSync): Inspection => ({
  version: schemaVersion(db),
  migrations,
  countRows: (table) =>
    statementsOn(db).value<number, []>(`SELECT count(*) FROM "${table}"`)() ?? 0,
  realms: (limit) =>
    rowsOf(db, tables.realms)
      .select<[number]>('WHERE deleted_at IS NULL ORDER BY realm_id LIMIT ?')
      .all(limit),
  records: (realmId, after, limit) =>
    rowsOf(db, tables.records)
      .select<[string, number, number]>('WHERE realm_id = ? AND seq > ? ORDER BY seq LIMIT ?')
      .all(realmId, after, limit),
  webhooks: (realmId) =>
    rowsOf(db, tables.webhooks)
      .select<[string]>('WHERE realm_id = ? ORDER BY webhook_id')
      .all(realmId),
  erasingRealms: (limit) => statementsOn(db).all<ErasingRealm, [number]>(erasingRealms)(limit),
  note: (name) =>
    statementsOn(db).value<string, [string]>('SELECT value FROM service WHERE name = ?')(name) ??
    null,
});
