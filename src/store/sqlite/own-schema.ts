import { DatabaseSync } from 'node:sqlite';

/** SQLite itself may store statistics, by which it plans. */
const STATISTICS = /^CREATE TABLE sqlite_stat[14]\(/;

type Schema = Map<string, string | null>;

function schemaOf(db: DatabaseSync): Schema {
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema').all();
  return new Map(
    rows
      .filter(({ sql }) => !STATISTICS.test(String(sql)))
      .map(({ type, name, sql }) => [`${type} ${name}`, sql as string | null]),
  );
}

function schemaAfter(migrations: readonly string[]): Schema {
  using db = new DatabaseSync(':memory:');
  for (const migration of migrations) db.exec(migration);
  return schemaOf(db);
}

/**
 * How a database differs from one that these migrations have made; null if it does not. A trigger
 * or a view can change what is written and read, and no check of the rows would find it.
 */
export function schemaFault(db: DatabaseSync, migrations: readonly string[]): string | null {
  const [found, own] = [schemaOf(db), schemaAfter(migrations)];
  for (const [name, sql] of found) {
    if (!own.has(name)) return `its schema has the ${name}, which is not of this program`;
    if (own.get(name) !== sql) return `the ${name} is not as this program has made it`;
  }
  const missing = own.keys().find((name) => !found.has(name));
  return missing === undefined ? null : `its schema lacks the ${missing}`;
}
