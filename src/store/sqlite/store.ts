import type { DatabaseSync } from 'node:sqlite';
import type { Reader, VerificationQuery } from '../../domain/queries.ts';
import type { Store } from '../../ledger/store.ts';
import { RealmCache } from '../cache.ts';
import { housekeeping } from '../housekeeping.ts';
import type { Inspection } from '../inspection.ts';
import { readers } from '../readers/index.ts';
import { NOT_MIGRATED } from '../schema.ts';
import { MisplacedRow } from '../snapshot.ts';
import { callsOf } from '../statement.ts';
import type { Run } from '../verification.ts';
import { type InSnapshot, Verifier } from '../verifier.ts';
import {
  migrate,
  migrations,
  openForReading,
  openForScanning,
  openForWriting,
  openReadOnly,
  refuseForeign,
  schemaVersion,
} from './database.ts';
import { limitLog, Reserve } from './disk.ts';
import { batchWriter, durableTransaction, SqliteDriver, transaction } from './driver.ts';
import { isDamaged, toDomainError } from './errors.ts';
import { checkFile } from './integrity.ts';

/** Opens and migrates the file. A second process that writes to it waits for the write lock. */
export function openSqliteStore(path: string, cache = new RealmCache()): Store {
  const reserve = new Reserve(path);
  const db = reserve.opening(() => openForWriting(path));
  migrate(db);
  reserve.restore();
  limitLog(db, path);
  const verifier = sqliteVerifier(path);
  const driver = new SqliteDriver(db);
  return {
    writer: batchWriter(db, driver, cache),
    reader: { ...readerOn(db, driver), ...verifier.reader },
    housekeeping: {
      ...callsOf(housekeeping, (operation) =>
        durableTransaction(db, () => driver.run(operation())),
      ),
      probe: () => probe(db, reserve),
      checkIntegrity: (signal) => checkFile(path, signal),
    },
    close: async () => {
      await verifier.stop();
      if (!db.isOpen) return;
      db.close();
      // Closing has removed the log.
      reserve.restore();
    },
  };
}

const readerOn = (db: DatabaseSync, driver: SqliteDriver): Omit<Reader, VerificationQuery> => ({
  ...callsOf(readers, (operation) => driver.run(operation())),
  ready: () => (schemaVersion(db) >= migrations.length ? [] : [NOT_MIGRATED]),
});

/** A connection that only reads, for a thread of its own. */
export function openSqliteReader(path: string) {
  const db = openForReading(path);
  return {
    reader: readerOn(db, new SqliteDriver(db)),
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

/**
 * Writes a page, if possible at the beginning of the log. A transaction that was too large leaves a
 * log that takes all space; begun anew, it is shortened to its limit.
 */
function probe(db: DatabaseSync, reserve: Reserve): void {
  try {
    reserve.giveUp();
    try {
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // The log goes on where it is.
    }
    // The version as it is: another program may have migrated the file meanwhile.
    transaction(db, () => db.exec(`PRAGMA user_version = ${schemaVersion(db)}`));
    reserve.renew();
  } catch (error) {
    throw toDomainError(error);
  }
}

/** Looks at an existing file, as it is at one instant. */
export async function inspectSqlite<T>(
  path: string,
  look: (inspection: Inspection) => Promise<T>,
): Promise<T> {
  using db = openReadOnly(path);
  db.exec('BEGIN');
  refuseForeign(db);
  const driver = new SqliteDriver(db);
  const run: Run = (operation) => driver.run(operation);
  return await look({ version: schemaVersion(db), migrations, run });
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
