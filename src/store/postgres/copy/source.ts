import type { DatabaseSync } from 'node:sqlite';
import { StoreRefusal } from '../../refusal.ts';
import { migrate, openExclusive } from '../../sqlite/database.ts';

/** A file that does not change, since no other process has it open. */
export interface Source {
  db: DatabaseSync;
  /** The head of each realm's journal. */
  heads: Map<string, string>;
}

/** Deleted realms are copied as far as they are there, and removed by the service. */
const HEADS = 'SELECT realm_id, lower(hex(head)) AS head FROM realms WHERE deleted_at IS NULL';

/** Opens and migrates the file; another program's database is refused unchanged. */
export function openSource(path: string): Source {
  const db = openExclusive(path);
  try {
    const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'realms'").get();
    if (table === undefined) {
      throw new StoreRefusal('nothing-to-copy', 'it is not a Realmkeep database');
    }
    migrate(db);
    const rows = db.prepare(HEADS).all();
    const heads = new Map(rows.map(({ realm_id, head }) => [String(realm_id), String(head)]));
    if (heads.size === 0) throw new StoreRefusal('nothing-to-copy', 'it has no realms');
    return { db, heads };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Leaves a note in the file, which a service that is started on it later will log. */
export function noteCopied(db: DatabaseSync, to: string): void {
  const value = `${to} at ${new Date().toISOString()}`;
  try {
    db.prepare("INSERT OR REPLACE INTO service (name, value) VALUES ('copied_to', ?)").run(value);
  } catch {
    // The disk may be full here; the copy itself has succeeded.
  }
}
