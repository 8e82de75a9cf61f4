import { type Inspection, inspectionOf } from '../inspection.ts';
import { MisplacedRow } from '../snapshot.ts';
import { type InSnapshot, Verifier } from '../verifier.ts';
import {
  migrations,
  openForScanning,
  openReadOnly,
  refuseForeign,
  schemaVersion,
} from './database.ts';
import { SqliteDriver } from './driver.ts';
import { isDamaged } from './errors.ts';

/** Looks at an existing file, as it is at one instant. */
export async function inspectSqlite<T>(
  path: string,
  look: (inspection: Inspection) => Promise<T>,
): Promise<T> {
  using db = openReadOnly(path);
  db.exec('BEGIN');
  refuseForeign(db);
  const driver = new SqliteDriver(db);
  const inspection = inspectionOf((operation) => driver.run(operation), {
    version: schemaVersion(db),
    migrations,
  });
  return await look(inspection);
}

export const sqliteVerifier = (path: string): Verifier => new Verifier(sqliteSnapshots(path));

/** Checks realms on connections of their own. Damage that stops a check is a fault as well. */
export const sqliteSnapshots =
  (path: string): InSnapshot =>
  async (check) => {
    try {
      using db = openForScanning(path);
      db.exec('BEGIN');
      const driver = new SqliteDriver(db);
      return await check((operation) => driver.run(operation));
    } catch (error) {
      if (!isDamaged(error) && !(error instanceof MisplacedRow)) throw error;
      const detail = `the database file is damaged: ${(error as Error).message}`;
      return { ok: false, transactions: 0, records: 0, fault: { seq: null, detail } };
    }
  };
