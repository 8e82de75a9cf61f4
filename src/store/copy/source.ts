import type { DatabaseSync } from 'node:sqlite';
import { StoreRefusal } from '../refusal.ts';
import { migrate, openAlone } from '../sqlite/database.ts';

/** Books that stand still, since nobody else has them open. */
export interface Source {
  db: DatabaseSync;
  /** The last hash of each realm's journal. */
  heads: Map<string, string>;
}

/** A file of an earlier version gets the tables that are copied; one of something else nothing. */
export function openSource(path: string): Source {
  const db = openAlone(path);
  try {
    const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'realms'").get();
    if (table === undefined) throw new StoreRefusal('nothing-to-copy', 'it has no books');
    migrate(db);
    const heads = headsOf(db);
    if (heads.size === 0) throw new StoreRefusal('nothing-to-copy', 'it has no realms');
    return { db, heads };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** For whoever starts a service on the file later. */
export function noteCopied({ db }: Source, to: string, at: number): void {
  const value = `${to} at ${new Date(at).toISOString()}`;
  try {
    db.prepare("INSERT OR REPLACE INTO service (name, value) VALUES ('copied_to', ?)").run(value);
  } catch {
    // A disk that is full here is no fault of the copy.
  }
}

function headsOf(db: DatabaseSync): Map<string, string> {
  const rows = db.prepare('SELECT realm_id, lower(hex(head)) AS head FROM realms').all();
  return new Map(rows.map(({ realm_id, head }) => [String(realm_id), String(head)]));
}
