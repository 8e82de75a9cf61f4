import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Prepared writes, from a table's name and its columns, separated by commas. */
const names = (columns: string): string[] => columns.split(/,\s*/);
const placeholders = (columns: string): string => names(columns).fill('?').join(', ');

export function insert(db: DatabaseSync, table: string, columns: string): StatementSync {
  return db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${placeholders(columns)})`);
}

/** Inserts a row or, if its key exists, updates it. */
export function upsert(db: DatabaseSync, table: string, key: string, rest: string): StatementSync {
  const updates = names(rest).map((column) => `${column} = excluded.${column}`);
  return db.prepare(
    `INSERT INTO ${table} (${key}, ${rest}) VALUES (${placeholders(`${key}, ${rest}`)})
     ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`,
  );
}

export function remove(db: DatabaseSync, table: string, key: string): StatementSync {
  const where = names(key).map((column) => `${column} = ?`);
  return db.prepare(`DELETE FROM ${table} WHERE ${where.join(' AND ')}`);
}
