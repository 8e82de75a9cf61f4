import { STORAGE, type TestDatabase } from './database.ts';

const NAMES =
  STORAGE === 'postgres'
    ? "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
    : "SELECT name FROM sqlite_schema WHERE type = 'table'";

/** Tables that belong to no realm. */
const OTHERS = /^(service|schema_migrations|sqlite_sequence)$/;

type Rows = TestDatabase['rows'];

/** In one query, since each is a connection of its own on PostgreSQL. */
async function countIn(rows: Rows, counts: Record<string, number>): Promise<void> {
  const names = (await rows(NAMES)).map(({ name }) => String(name));
  const ofRealms = names.filter((name) => !OTHERS.test(name));
  const count = ofRealms.map((name) => `SELECT '${name}' AS name, count(*) AS count FROM ${name}`);
  for (const { name, count: found } of await rows(count.join(' UNION ALL '))) {
    if (Number(found) > 0) counts[String(name)] = Number(found);
  }
}

/** The number of rows of realms in each table that has any, projections included. */
export async function rowCounts(database: TestDatabase): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await countIn(database.rows, counts);
  await countIn(database.projectionRows, counts);
  return counts;
}
