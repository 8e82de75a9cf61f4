import { importsOf, sources } from './sources.ts';

/**
 * The databases that a test runs over. There is no list that could be out of date: a test that uses
 * a database runs over SQLite and over PostgreSQL, unless its file name says which one it is about;
 * a test that uses none runs once.
 */
type Databases = 'none' | 'both' | 'sqlite' | 'postgres' | 'cluster';

/** Opens the database that TEST_STORAGE names. */
const CHOOSER = 'test/support/database.ts';

// One level of folders: test/chain contains packages with tests of their own.
export const testFiles: string[] = sources
  .map(({ path }) => path)
  .filter((path) => /^test\/[^/]+\/[^/]+\.test\.ts$/.test(path));

/**
 * Whether a test belongs to `npm run test:long`: by its name, or because it is a second run. What
 * the databases could do differently is tested in two folders, over both at once.
 */
export const isLong = (file: string, storage?: string): boolean =>
  /\.long\.(\w+\.)?test\.ts$/.test(file) ||
  (storage === 'postgres' &&
    databasesOf(file) === 'both' &&
    !/^test\/(domain|storage)\//.test(file));

/** Whether a test of both databases, or of clusters, belongs to `npm run test:cluster`. */
export const isOnCluster = (file: string): boolean =>
  !isLong(file) && (databasesOf(file) === 'cluster' || (isOfService(file) && !opensStore(file)));

const isOfService = (file: string): boolean =>
  databasesOf(file) === 'both' &&
  file !== NOT_ON_CLUSTER &&
  /^test\/(http|events|webhooks|storage|cli)\//.test(file);

/** Whether a test kills a server of the cluster, which no other test survives. */
export const killsServer = (file: string): boolean => /\bCITUS_KILL\b/.test(textOf(file));

/** It needs triggers and a schema of its own, which a cluster refuses. */
const NOT_ON_CLUSTER = 'test/cli/doctor.test.ts';

/** A store is of one server. */
const opensStore = (file: string): boolean =>
  [file, ...importsOf(file)].some((path) => /\.open\(\)|storeForFile\(/.test(textOf(path)));

const textOf = (path: string): string => sources.find((one) => one.path === path)?.text ?? '';

export function databasesOf(file: string): Databases {
  if (file.endsWith('.sqlite.test.ts')) return 'sqlite';
  if (file.endsWith('.postgres.test.ts')) return 'postgres';
  if (file.endsWith('.cluster.test.ts')) return 'cluster';
  return importsOf(file).includes(CHOOSER) ? 'both' : 'none';
}

/** Whether a test counts the steps of the program with V8. */
export const countsSteps = (file: string): boolean =>
  importsOf(file).includes('test/support/steps.ts');

/** Whether a test reads a local chain, whose packages are installed separately. */
export const usesChain = (file: string): boolean => importsOf(file).includes('test/chain/chain.ts');

const NAMED = {
  sqlite: /\b(DatabaseSync|openSqlite\w+|sqliteFile)\b|store\/sqlite\/(?!threads\/)/,
  postgres: /\b(openPostgres\w+|newPostgresDatabase|PostgresServer)\b|store\/postgres\/|'pg'/,
};

/**
 * The database that a test names, itself or in its helpers; PostgreSQL if it names both, since only
 * that run has a server. A file that reads STORAGE works with both.
 */
export function databaseNamedBy(file: string): 'sqlite' | 'postgres' | null {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const isSpecific = (path: string): boolean =>
    /^(test|soak|siege)\//.test(path) &&
    !path.startsWith('test/support/') &&
    !/\bSTORAGE\b/.test(texts.get(path) ?? '');
  const specific = [file, ...importsOf(file, isSpecific)].filter(isSpecific);
  const text = specific.map((path) => texts.get(path)).join('\n');
  if (NAMED.postgres.test(text)) return 'postgres';
  return NAMED.sqlite.test(text) ? 'sqlite' : null;
}
