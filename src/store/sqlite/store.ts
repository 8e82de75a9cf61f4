import type { DatabaseSync } from 'node:sqlite';
import type { Reader, VerificationQuery } from '../../domain/queries.ts';
import type { Store } from '../../ledger/store.ts';
import { RealmCache } from '../cache.ts';
import { housekeeping } from '../housekeeping.ts';
import { readers } from '../readers/index.ts';
import { NOT_MIGRATED } from '../schema.ts';
import { callsOf } from '../statement.ts';
import { sqliteBatchWriter } from './batch-writer.ts';
import {
  durableTransaction,
  migrate,
  migrations,
  openForReading,
  openForWriting,
  schemaVersion,
  transaction,
} from './database.ts';
import { SqliteDriver } from './driver.ts';
import { sqliteVerifier } from './inspection.ts';
import { checkFile } from './integrity.ts';
import { limitLog } from './log-limit.ts';
import { Reserve } from './reserve.ts';

/** Opens and migrates the file. A second process that writes to it waits for the write lock. */
export function openSqliteStore(path: string, cache = new RealmCache()): Store {
  const reserve = new Reserve(path);
  const db = reserve.opening(() => openForWriting(path));
  migrate(db);
  reserve.restore();
  const checkpointer = limitLog(db, path);
  const verifier = sqliteVerifier(path);
  const driver = new SqliteDriver(db);
  return {
    writers: [sqliteBatchWriter(db, driver, cache)],
    reader: { ...readerOn(db, driver), ...verifier.reader },
    housekeeping: {
      ...callsOf(housekeeping, (operation) =>
        durableTransaction(db, () => driver.run(operation())),
      ),
      probe: () => {
        reserve.giveUp();
        restartLog(db);
        reserve.renew();
      },
      checkIntegrity: (signal) => checkFile(path, signal),
    },
    close: async () => {
      await verifier.stop();
      await checkpointer.stop();
      if (!db.isOpen) return;
      db.close();
      // Closing has removed the log.
      reserve.restore();
    },
  };
}

/** Answers queries on one connection. */
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
function restartLog(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // The log goes on where it is.
  }
  // The version as it is: another program may have migrated the file meanwhile.
  transaction(db, () => db.exec(`PRAGMA user_version = ${schemaVersion(db)}`));
}
