import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations as postgresMigrations } from '../src/store/postgres/migrate.ts';
import { migrations as sqliteMigrations } from '../src/store/sqlite/database.ts';
import { writeFixtureHistory } from '../test/storage/fixture-history.ts';
import { FIXTURES, fixtureName } from '../test/storage/fixtures.ts';
import { newPostgresDatabase, sqliteFile, type TestDatabase } from '../test/support/database.ts';

/**
 * Writes the fixtures of the present schema version, one for each database: its migrations, and
 * rows of every table as this program writes them. Once a version is released they stay as they
 * are: a fixture is what that release has written, not what a later program would write.
 */
interface Dialect {
  storage: 'sqlite' | 'postgres';
  migrations: readonly string[];
  /** The tables and their columns. */
  columns: string;
  /** SQL that turns a column into a literal. */
  literal(column: string): string;
  /** What else has the schema version. */
  version: string;
}

const sqlite: Dialect = {
  storage: 'sqlite',
  migrations: sqliteMigrations,
  columns: `SELECT m.name AS name, c.name AS column_name FROM sqlite_schema m,
    pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid`,
  literal: (column) => `quote("${column}")`,
  version: `PRAGMA user_version = ${sqliteMigrations.length};`,
};

const postgres: Dialect = {
  storage: 'postgres',
  migrations: postgresMigrations,
  columns: `SELECT table_name AS name, column_name FROM information_schema.columns
    WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
  literal: (column) => `quote_nullable("${column}"::text)`,
  version: 'CREATE TABLE schema_migrations (version integer PRIMARY KEY);',
};

async function write(database: TestDatabase, dialect: Dialect): Promise<void> {
  const { storage, migrations, version } = dialect;
  await writeFixtureHistory({ database });
  const inserts = await insertsFor(database, dialect);
  const head = `-- A database of schema version ${migrations.length}. Made by npm run fixture.`;
  const path = join(FIXTURES, fixtureName(migrations.length, storage));
  writeFileSync(path, `${[head, ...migrations, version, ...inserts].join('\n')}\n`);
  await database.drop();
}

/** An INSERT for each row, in an order that does not depend on the database. */
async function insertsFor({ rows }: TestDatabase, dialect: Dialect): Promise<string[]> {
  const inserts: string[] = [];
  const missing: string[] = [];
  const columns = await rows(dialect.columns);
  for (const [table, own] of Map.groupBy(columns, ({ name }) => String(name))) {
    const names = own.map(({ column_name }) => String(column_name));
    const values = names.map(dialect.literal).join(" || ', ' || ");
    const found = await rows(`SELECT ${values} AS line FROM "${table}"`);
    if (found.length === 0) missing.push(table);
    const into = `INSERT INTO ${table} (${names.join(', ')}) VALUES`;
    inserts.push(...found.map(({ line }) => `${into} (${line});`).toSorted());
  }
  if (missing.length === 0) return inserts;
  throw new Error(`test/storage/fixture-history.ts writes no rows of ${missing.join(', ')}`);
}

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-fixture-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
await write(sqliteFile(folder), sqlite);
await write(await newPostgresDatabase(), postgres);
process.exit();
