import { importsOf, sources } from './sources.ts';

/**
 * Which databases a test runs over. Nobody keeps a list: a test that uses a database runs over
 * SQLite and over PostgreSQL, unless the name of its file says which one it is about; a test that
 * uses none runs once.
 */
type Databases = 'none' | 'both' | 'sqlite' | 'postgres';

/** Every way to a database of the test's choice leads through this file. */
const CHOOSER = 'test/support/database.ts';

// One level of folders: test/chain contains packages with tests of their own.
export const testFiles: string[] = sources
  .map(({ path }) => path)
  .filter((path) => /^test\/[^/]+\/[^/]+\.test\.ts$/.test(path));

export function databasesOf(file: string): Databases {
  if (file.endsWith('.sqlite.test.ts')) return 'sqlite';
  if (file.endsWith('.postgres.test.ts')) return 'postgres';
  return importsOf(file).includes(CHOOSER) ? 'both' : 'none';
}

const NAMED = {
  sqlite: /\b(DatabaseSync|openSqlite\w+|sqliteFile)\b|store\/sqlite\//,
  postgres: /\b(openPostgres\w+|newPostgresDatabase|PostgresServer)\b|store\/postgres\/|'pg'/,
};

/**
 * The database that a test names, itself or in a helper of its own; PostgreSQL if it names both,
 * since only that run has a server. A file that reads STORAGE serves both.
 */
export function databaseNamedBy(file: string): 'sqlite' | 'postgres' | null {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const isSpecific = (path: string): boolean =>
    /^(test|soak)\//.test(path) &&
    !path.startsWith('test/support/') &&
    !/\bSTORAGE\b/.test(texts.get(path) ?? '');
  const specific = [file, ...importsOf(file, isSpecific)].filter(isSpecific);
  const text = specific.map((path) => texts.get(path)).join('\n');
  if (NAMED.postgres.test(text)) return 'postgres';
  return NAMED.sqlite.test(text) ? 'sqlite' : null;
}
