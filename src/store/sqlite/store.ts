import type { DatabaseSync } from 'node:sqlite';
import type { Housekeeping, Store } from '../../engine/store.ts';
import { RealmCache } from '../realm-cache.ts';
import { sqliteBatchWriter } from './batch-writer.ts';
import { migrate, openForWriting, schemaVersion, transaction } from './database.ts';
import { erasure } from './erasure.ts';
import { checkFiles } from './integrity-process.ts';
import { limitLogInBackground } from './log-limit.ts';
import { PROJECTION_TABLES } from './projections/database.ts';
import { projectionsOf } from './projections/open.ts';
import { Projections } from './projections/projections.ts';
import { sqliteReader } from './reader.ts';
import { realmRemoval } from './removal.ts';
import { Reserve } from './reserve.ts';
import { statementsOn } from './rows.ts';
import { sessionMaintenance } from './sessions.ts';
import { sqliteVerifier } from './verify.ts';
import { webhookHousekeeping } from './webhooks.ts';

/** Few enough rows in one transaction not to delay the writer. */
const ROWS_PER_DELETE = 5_000;
/**
 * 256 MB. A checkpoint copies pages that change often less often if it runs every few seconds under
 * full load instead of every second, which was worth 7 % of the transfers.
 */
const LOG_PAGES = 64_000;

/** Opens and migrates the file. A second process that writes to it waits for the write lock. */
export function openSqliteStore(path: string, cache = new RealmCache()): Store {
  const reserve = new Reserve(path);
  const db = reserve.opening(() => openForWriting(path));
  migrate(db);
  reserve.restore();
  const checkpointer = limitLogInBackground(db, path, LOG_PAGES);
  const verifier = sqliteVerifier(path);
  const projections = path === ':memory:' ? inMemoryProjections(db) : projectionsOf(path);
  return {
    writers: [sqliteBatchWriter(db, cache)],
    reader: { ...sqliteReader(db), ...projections.reader, ...verifier.reader },
    housekeeping: {
      ...housekeeping(db),
      ...sessionMaintenance(db),
      probe: () => {
        reserve.giveUp();
        restartLog(db);
        reserve.renew();
      },
      ...realmRemoval(db),
      ...erasure(db),
      ...webhookHousekeeping(db),
      ...projections.maintenance,
      checkIntegrity: (signal) => checkFiles(path, signal),
    },
    close: async () => {
      await verifier.stop();
      await checkpointer.stop();
      projections.close();
      if (!db.isOpen) return;
      db.close();
      // Closing has removed the logs.
      reserve.restore();
    },
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

/** An in-memory database has one connection for everything. */
function inMemoryProjections(db: DatabaseSync): Projections {
  db.exec(PROJECTION_TABLES);
  return new Projections(() => db);
}

function housekeeping(
  db: DatabaseSync,
): Pick<Housekeeping, 'recordKeyUse' | 'storeRootKeyHash' | 'expireChallenges' | 'expireAnswers'> {
  const sql = statementsOn(db);
  const recordUse = sql.run<[number, string, number]>(
    'UPDATE api_keys SET last_used_at = ? WHERE key_id = ? AND coalesce(last_used_at, 0) < ?',
  );
  const storeRootKey = sql.run<[hash: string, replaced: string | null]>(
    `INSERT INTO service (name, value) VALUES ('root_key_hash', ?) ON CONFLICT (name)
       DO UPDATE SET value = excluded.value WHERE value IN (excluded.value, ?)`,
  );
  // Rows later than the newest one are of a clock that was ahead: the search passes over them.
  const deleteOldest = (table: string, instant: string) =>
    sql.run<[before: number]>(
      `DELETE FROM ${table} WHERE ${instant} < ? AND rowid IN
         (SELECT rowid FROM ${table} WHERE ${instant} <=
            (SELECT ${instant} FROM ${table} ORDER BY rowid DESC LIMIT 1)
          ORDER BY rowid LIMIT ${ROWS_PER_DELETE})`,
    );
  return {
    recordKeyUse: (uses) =>
      transaction(db, () => {
        for (const { keyId, at } of uses) recordUse(at, keyId, at);
      }),
    storeRootKeyHash: ({ hash, replaced }) => storeRootKey(hash, replaced) === 1,
    expireChallenges: deleteOldest('challenges', 'expires_at'),
    expireAnswers: deleteOldest('idempotency_keys', 'at'),
  };
}
