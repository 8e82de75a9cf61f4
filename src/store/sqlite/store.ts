import type { DatabaseSync } from 'node:sqlite';
import type { Decision } from '../../domain/rules/decide.ts';
import type {
  Batch,
  BatchWriter,
  Housekeeping,
  ProjectionMaintenance,
  Store,
} from '../../engine/store.ts';
import { RealmCache } from '../realm-cache.ts';
import { changeWriter } from './changes.ts';
import { commitAfter, migrate, openForReading, openForWriting, transaction } from './database.ts';
import { factLoader } from './facts.ts';
import { checkFiles } from './integrity-process.ts';
import {
  openProjections,
  PROJECTION_TABLES,
  projectionsIdentity,
  removeProjections,
} from './projections/database.ts';
import { Projections } from './projections/projections.ts';
import { sqliteReader } from './reader.ts';
import { statementsOn } from './rows.ts';
import { sqliteVerifier } from './verify.ts';

/** Few enough rows in one transaction not to delay the writer. */
const ROWS_PER_DELETE = 5_000;

/** Opens and migrates the file. A second process that writes to it waits for the write lock. */
export function openSqliteStore(path: string, cache = new RealmCache()): Store {
  const db = openForWriting(path);
  migrate(db);
  const load = factLoader(db, cache);
  const write = changeWriter(db);
  const dataVersion = statementsOn(db).value<number, []>('PRAGMA data_version');
  const verifier = sqliteVerifier(path);
  const projections = path === ':memory:' ? inMemoryProjections(db) : projectionsOf(path);
  const decided = ({ needs, clock, decide }: Batch): Decision => {
    const now = clock();
    return decide(needs.map((each) => load(each, now)));
  };
  const written = (decision: Decision): Decision => {
    for (const changes of decision.changes) write(changes);
    cache.apply(decision.changes);
    return decision;
  };
  const commit = (batch: Batch): Decision => transaction(db, () => written(decided(batch)));
  /**
   * A batch of 10,000 entries takes two fifths of its time to be decided and three fifths to be
   * written. Batches of other realms are written in between: only another process can change this
   * realm meanwhile, and then the data version changes.
   */
  const commitApart = async (batch: Batch): Promise<Decision> => {
    const version = dataVersion();
    db.exec('BEGIN');
    const decision = commitAfter(db, () => decided(batch));
    await new Promise((next) => setImmediate(next));
    return transaction(db, () => written(dataVersion() === version ? decision : decided(batch)));
  };
  const writer: BatchWriter = {
    limits: { realmsPerBatch: Number.POSITIVE_INFINITY, inFlight: 1 },
    write: (batch, patience) => {
      const done = Promise.try(patience === 'persist' ? commitApart : commit, batch);
      return {
        sent: Promise.resolve(),
        done: done.catch((error) => {
          cache.forget(batch.needs);
          throw error;
        }),
      };
    },
  };
  return {
    writers: [writer],
    reader: { ...sqliteReader(db), ...projections.reader, ...verifier.reader },
    housekeeping: {
      ...housekeeping(db),
      ...projections.maintenance,
      checkIntegrity: (signal) => checkFiles(path, signal),
    },
    close: async () => {
      await verifier.stop();
      projections.close();
      if (db.isOpen) db.close();
    },
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

/** A connection that updates the projections and reads them, for a third thread. */
export function openSqliteProjections(path: string): Projections {
  const projections = projectionsOf(path);
  projections.open();
  return projections;
}

const projectionsOf = (path: string): Projections =>
  new Projections(() => openProjections(path), {
    identity: () => projectionsIdentity(path),
    remove: () => removeProjections(path),
  });

/** An in-memory database has one connection for everything. */
function inMemoryProjections(db: DatabaseSync): Projections {
  db.exec(PROJECTION_TABLES);
  return new Projections(() => db);
}

function housekeeping(
  db: DatabaseSync,
): Omit<Housekeeping, keyof ProjectionMaintenance | 'checkIntegrity'> {
  const sql = statementsOn(db);
  const recordUse = sql.run<[number, string, number]>(
    'UPDATE api_keys SET last_used_at = ? WHERE key_id = ? AND coalesce(last_used_at, 0) < ?',
  );
  const storeRootKey = sql.run<[string]>(
    "INSERT INTO service (name, value) VALUES ('root_key_hash', ?) ON CONFLICT DO NOTHING",
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
    storeRootKeyHash: (hash) => storeRootKey(hash) === 1,
    expireChallenges: deleteOldest('challenges', 'expires_at'),
    expireAnswers: deleteOldest('idempotency_keys', 'at'),
  };
}
