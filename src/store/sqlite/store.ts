import type { DatabaseSync } from 'node:sqlite';
import type { Reader, ViewQuery } from '../../domain/queries.ts';
import type { Following, Housekeeping, Lane, Store } from '../../domain/store.ts';
import { Memory } from '../memory.ts';
import { changeWriter } from './changes.ts';
import { migrate, openForReading, openForWriting, prepare, transaction } from './database.ts';
import { factLoader } from './facts.ts';
import { sqliteReader } from './reader.ts';
import { Verifier } from './verify.ts';
import { openViews, removeViews, VIEW_TABLES } from './views/database.ts';
import { Views } from './views/views.ts';

/** Answers or challenges forgotten in one go: few enough to hold up no writer. */
const FORGET_AT_ONCE = 5_000;

/** Opens the file, migrated. One writer at a time: a second process waits for the write lock. */
export function openSqliteStore(path: string, memory = new Memory()): Store {
  const db = openForWriting(path);
  migrate(db);
  const load = factLoader(db, memory);
  const write = changeWriter(db);
  const verifier = new Verifier(path);
  const views = path === ':memory:' ? new Views(() => viewsWithin(db)) : viewsBeside(path);
  const lane: Lane = {
    commit: (needs, decide) => {
      try {
        return transaction(db, () => {
          const decision = decide(needs.map(load));
          for (const changes of decision.changes) write(changes);
          memory.follow(decision.changes);
          return decision;
        });
      } catch (error) {
        memory.forget(needs);
        throw error;
      }
    },
  };
  return {
    lanes: [lane],
    reader: { ...sqliteReader(db, verifier), ...views.reader },
    housekeeping: { ...housekeeping(db), ...views.following },
    close: async () => {
      await verifier.stop();
      views.close();
      if (db.isOpen) db.close();
    },
  };
}

/** A connection that only reads the books, for a thread of its own beside the writer's. */
export function openSqliteReader(path: string): ReadingConnection<Omit<Reader, ViewQuery>> {
  const db = openForReading(path);
  const verifier = new Verifier(path);
  return {
    reader: sqliteReader(db, verifier),
    together: (work) => {
      db.exec('BEGIN');
      try {
        work();
      } finally {
        // A read that failed may have ended it.
        if (db.isTransaction) db.exec('COMMIT');
      }
    },
    close: async () => {
      await verifier.stop();
      db.close();
    },
  };
}

/** A connection that follows the journals and answers from the views, for a third thread. */
export function openSqliteViews(
  path: string,
): ReadingConnection<Pick<Reader, ViewQuery>> & { following: Following } {
  const views = viewsBeside(path);
  views.open();
  return {
    reader: views.reader,
    following: views.following,
    together: (work) => views.together(work),
    close: () => views.close(),
  };
}

interface ReadingConnection<Answers> {
  reader: Answers;
  /**
   * Questions asked within the work see the books at one instant: a rank and its total fit. And a
   * statement inside a transaction takes half the time of one by itself.
   */
  together(work: () => void): void;
  close(): void | Promise<void>;
}

const viewsBeside = (path: string): Views =>
  new Views(
    () => openViews(path),
    () => removeViews(path),
  );

/** In memory there is one connection for everything. */
function viewsWithin(db: DatabaseSync): DatabaseSync {
  db.exec(VIEW_TABLES);
  return db;
}

function housekeeping(db: DatabaseSync): Omit<Housekeeping, keyof Following> {
  const touch = prepare<never, [number, string, number]>(
    db,
    'UPDATE api_keys SET last_used_at = ? WHERE key_id = ? AND coalesce(last_used_at, 0) < ?',
  );
  const keepRoot = prepare<never, [string]>(
    db,
    "INSERT INTO service (name, value) VALUES ('root_key_hash', ?) ON CONFLICT DO NOTHING",
  );
  const forget = prepare<never, [number]>(
    db,
    `DELETE FROM remembered WHERE at < ? AND rowid IN
       (SELECT rowid FROM remembered ORDER BY rowid LIMIT ${FORGET_AT_ONCE})`,
  );
  const forgetChallenges = prepare<never, [number]>(
    db,
    `DELETE FROM challenges WHERE expires_at < ? AND rowid IN
       (SELECT rowid FROM challenges ORDER BY rowid LIMIT ${FORGET_AT_ONCE})`,
  );
  return {
    touchKeys: (uses) =>
      transaction(db, () => {
        for (const { keyId, at } of uses) touch.run(at, keyId, at);
      }),
    keepRootKeyHash: (hash) => keepRoot.run(hash).changes === 1,
    forgetChallenges: (before) => forgetChallenges.run(before).changes,
    forgetAnswers: (before) => forget.run(before).changes,
  };
}
